import {
  type Command,
  type For,
  forEachChild,
  type ParsedScript,
  type Redirection,
  type Select,
  type SyntaxNode,
} from 'unbash';

import { isHarmlessVariable } from './environment-changes.ts';
import type { AssignmentFact, PipePlace, RedirectFact } from './segment.ts';
import { programName, readAssignment, readMessage, readWord, type ShellWord, staticWord } from './shell-word.ts';
import type { Stdin } from './unwrap-shells.ts';

/** A simple command as found in the tree, before its words are examined. */
export type SegmentDraft = {
  readonly words: readonly ShellWord[];
  readonly assignments: readonly AssignmentFact[];
  readonly redirects: readonly RedirectFact[];
  readonly stdin: Stdin;
  readonly doubt?: string;
  readonly place: SegmentPlace;
};

export type SegmentPlace = {
  readonly via: readonly string[];
  readonly background: boolean;
  /** True inside a substitution, which isn't part of the surrounding pipeline. */
  readonly detached: boolean;
  readonly pipe?: PipePlace;
  /** Index of the draft whose words or redirections contain this one. */
  readonly within?: number;
};

/** Every simple command of the tree, in source order. */
export function readSegments(script: ParsedScript): readonly SegmentDraft[] {
  const drafts: SegmentDraft[] = [];
  walk(script, { via: [], background: false, detached: false }, drafts);
  return drafts;
}

function walk(node: SyntaxNode, place: SegmentPlace, drafts: SegmentDraft[]): void {
  const into = (child: SegmentPlace) => forEachChild(node, (next) => walk(next, child, drafts));
  switch (node.type) {
    case 'Command':
      return walkHolder(node, commandDraft(node, place), drafts);
    case 'Redirected': {
      const redirects = redirectFacts(node.redirects);
      if (redirects.length === 0) return into(place);
      return walkHolder(node, { ...BARE, redirects, place }, drafts);
    }
    case 'TestCommand':
    case 'ArithmeticCommand':
      return walkHolder(
        node,
        { ...BARE, words: [staticWord(node.type === 'TestCommand' ? '[[' : '((')], place },
        drafts,
      );
    case 'Statement':
      return into({ ...place, background: place.background || node.background === true });
    case 'Pipeline': {
      if (node.commands.length === 1) return into(place);
      const group = drafts.length;
      node.commands.forEach((command, stage) => walk(command, { ...place, pipe: { group, stage } }, drafts));
      return undefined;
    }
    case 'For':
    case 'Select':
      return walkLoop(node, place, drafts);
    case 'Subshell':
      return into(through(place, 'subshell'));
    case 'Function':
      return into(through(place, `function ${node.name.value}`));
    case 'Coproc':
      return into({ ...through(place, 'coproc'), background: true });
    case 'CommandExpansion':
    case 'ArithmeticCommandExpansion':
      return into(detached(place, 'command-substitution'));
    case 'ProcessSubstitution':
      return into(detached(place, 'process-substitution'));
    case 'ArithmeticBinary':
      return walkOperands(node, place, drafts);
    default:
      return into(place);
  }
}

// A loop sets a variable that a program may read: `for PATH in ./evil; do git status; done`.
function walkLoop(node: For | Select, place: SegmentPlace, drafts: SegmentDraft[]): void {
  const name = node.name.value;
  if (!isHarmlessVariable(name)) {
    drafts.push({ ...BARE, assignments: [{ name, value: '…', dynamic: true }], place });
  }
  forEachChild(node, (child) => walk(child, place, drafts));
}

// A sum nests as deep as it is long, so a loop follows its left side.
function walkOperands(sum: SyntaxNode, place: SegmentPlace, drafts: SegmentDraft[]): void {
  const operands: SyntaxNode[] = [];
  let node = sum;
  for (; node.type === 'ArithmeticBinary'; node = node.left) operands.push(node.right);
  walk(node, place, drafts);
  for (const operand of operands.toReversed()) walk(operand, place, drafts);
}

function walkHolder(node: SyntaxNode, draft: SegmentDraft, drafts: SegmentDraft[]): void {
  const within = drafts.length;
  drafts.push(draft);
  forEachChild(node, (child) => {
    // A compound command's body is next to its redirections, not inside them.
    const inside =
      node.type !== 'Redirected' ||
      child.type === 'Redirect' ||
      child.type === 'HereDoc' ||
      child.type === 'HereString';
    walk(child, inside ? { ...draft.place, within } : draft.place, drafts);
  });
}

function commandDraft(node: Command, place: SegmentPlace): SegmentDraft {
  const name = node.name === undefined ? [] : [readWord(node.name)];
  const prefix = node.prefix.flatMap((item) => (item.type === 'Assignment' ? [item] : []));
  const assignments = prefix.map((item): AssignmentFact => {
    const { text, kind } = readAssignment(item);
    return { name: item.name, value: text.slice(text.indexOf('=') + 1), dynamic: kind !== 'static' };
  });
  const runsAsCode = assignments.find(({ name: variable, value }) => PROMPTS.has(variable) && value !== '');
  return {
    words: [
      ...name,
      ...node.args.map((item, index) => {
        if (item.type === 'Assignment') return readAssignment(item);
        return isMessage(node, index) ? readMessage(item) : readWord(item);
      }),
    ],
    assignments,
    redirects: redirectFacts(node.redirects),
    stdin: stdinOf(node.redirects),
    ...(runsAsCode === undefined ? {} : { doubt: `${runsAsCode.name} is executed by the shell itself` }),
    place,
  };
}

/** The word after `-m` of `git commit` is always text. */
function isMessage({ name, args }: Command, index: number): boolean {
  const [subcommand] = args;
  const option = args[index - 1];
  return (
    programName(name?.text) === 'git' &&
    /^(?:commit|tag|merge|notes)$/.test(subcommand?.text ?? '') &&
    /^(?:-[a-z]*m|--message)$/.test(option?.text ?? '')
  );
}

function redirectFacts(redirects: readonly Redirection[]): readonly RedirectFact[] {
  return redirects.flatMap((redirect): readonly RedirectFact[] => {
    if (redirect.type !== 'Redirect' || redirect.target === undefined) return [];
    const { text, kind } = readWord(redirect.target);
    const fact = { target: text, dynamic: kind !== 'static' };
    switch (redirect.operator) {
      case '<':
        return [{ kind: 'read', ...fact }];
      case '<>':
        return [
          { kind: 'read', ...fact },
          { kind: 'write', ...fact },
        ];
      case '>>':
      case '&>>':
        return [{ kind: 'append', ...fact }];
      case '<&':
      case '>&':
        return /^(?:\d+-?|-)$/.test(text)
          ? []
          : [{ kind: redirect.operator === '<&' ? 'read' : 'write', ...fact }];
      case '>':
      case '>|':
      case '&>':
        return [{ kind: 'write', ...fact }];
    }
  });
}

function stdinOf(redirects: readonly Redirection[]): Stdin {
  const last = redirects.findLast((redirect) => redirect.type !== 'Redirect' || redirect.operator.startsWith('<'));
  if (last === undefined) return { type: 'inherited' };
  if (last.type === 'HereString' && last.target !== undefined)
    return { type: 'text', text: readWord(last.target) };
  if (last.type !== 'HereDoc') return { type: 'fed' };
  const expands = last.delimiter?.quoted !== true && /[$`\\]/.test(last.body.text);
  return { type: 'text', text: { text: last.body.text, kind: expands ? 'dynamic' : 'static' } };
}

function through(place: SegmentPlace, step: string): SegmentPlace {
  return { ...place, via: [...place.via, step] };
}

function detached(place: SegmentPlace, step: string): SegmentPlace {
  const { pipe: _, ...rest } = through(place, step);
  return { ...rest, detached: true };
}

const BARE = { words: [], assignments: [], redirects: [], stdin: { type: 'inherited' } } as const;

// Bash runs their values as commands, or performs their substitutions, each time it shows them.
const PROMPTS: ReadonlySet<string> = new Set(['PROMPT_COMMAND', 'PS0', 'PS1', 'PS2', 'PS4']);
