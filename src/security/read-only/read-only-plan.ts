// A command line that Rondo can run without a shell: pipelines of simple commands, joined by `;`, `&&` and `||`. A
// variable, a substitution, an assignment, a redirection to a file or anything else rules out a plan. The read-only
// table decides whether the commands only read.
import type { AndOr, Command, PipelineNode, Redirection, Statement, Word, WordPart } from 'unbash';

import { readShellTree } from '../shell/shell-tree.ts';
import { readWord } from '../shell/shell-word.ts';

export type PlannedWord =
  | { readonly type: 'text'; readonly text: string }
  /** Literal pieces and wildcards, in order. `*` and `?` mean the same as in a shell. */
  | { readonly type: 'glob'; readonly pieces: readonly GlobPiece[] };

export type GlobPiece = { readonly type: 'literal'; readonly text: string } | { readonly type: 'star' | 'one' };

export interface PlannedStage {
  readonly words: readonly PlannedWord[];
  readonly stdout: 'on' | 'dropped';
  readonly stderr: 'kept' | 'dropped' | 'as-stdout';
}

export interface PlannedStep {
  /** The result of the previous step that lets this one run. */
  readonly when: 'always' | 'success' | 'failure';
  /** A pipeline. */
  readonly stages: readonly PlannedStage[];
}

export function planCommand(source: string): readonly PlannedStep[] | undefined {
  const tree = readShellTree(source);
  if (tree.type === 'unparsed') return undefined;
  const steps = tree.script.commands.map(stepsOfStatement);
  const planned = steps.flatMap((each) => each ?? []);
  return planned.length === 0 || steps.includes(undefined) ? undefined : planned;
}

function stepsOfStatement({ command, background }: Statement): readonly PlannedStep[] | undefined {
  if (background === true) return undefined;
  const list: Pick<AndOr, 'commands' | 'operators'> =
    command.type === 'AndOr' ? command : { commands: [command], operators: [] };
  const steps = list.commands.map((node, index): PlannedStep | undefined => {
    const stages = stagesOf(node);
    const operator = list.operators[index - 1];
    const when = operator === undefined ? 'always' : operator === '&&' ? 'success' : 'failure';
    return stages === undefined ? undefined : { when, stages };
  });
  return steps.every((step) => step !== undefined) ? steps : undefined;
}

function stagesOf(node: PipelineNode): readonly PlannedStage[] | undefined {
  if (node.type === 'Command') {
    const stage = stageOf(node);
    return stage === undefined ? undefined : [stage];
  }
  if (node.type !== 'Pipeline' || node.prefixes.length > 0 || node.operators.includes('|&')) return undefined;
  const stages = node.commands.map((command) => (command.type === 'Command' ? stageOf(command) : undefined));
  return stages.every((stage) => stage !== undefined) ? stages : undefined;
}

function stageOf(command: Command): PlannedStage | undefined {
  if (command.name === undefined || command.prefix.length > 0) return undefined;
  const words = [command.name, ...command.args].map((word) =>
    word.type === 'Word' ? plannedWord(word) : undefined,
  );
  const streams = streamsOf(command.redirects);
  if (streams === undefined || !words.every((word) => word !== undefined)) return undefined;
  return { words, ...streams };
}

/** Accepts `2>/dev/null`, `2>&1` and `>/dev/null`. The last two only in the order that discards both streams. */
function streamsOf(redirects: readonly Redirection[]): Omit<PlannedStage, 'words'> | undefined {
  let stdout: PlannedStage['stdout'] = 'on';
  let stderr: PlannedStage['stderr'] = 'kept';
  for (const redirect of redirects) {
    switch (redirectText(redirect)) {
      case '2>/dev/null':
        stderr = 'dropped';
        break;
      case '2>&1':
        stderr = stdout === 'dropped' ? 'dropped' : 'as-stdout';
        break;
      case '>/dev/null':
      case '1>/dev/null':
        if (stderr === 'as-stdout') return undefined;
        stdout = 'dropped';
        break;
      default:
        return undefined;
    }
  }
  return { stdout, stderr };
}

function redirectText(redirect: Redirection): string | undefined {
  if (redirect.type !== 'Redirect' || redirect.target === undefined) return undefined;
  const { descriptor, operator, target } = redirect;
  if (descriptor !== undefined && descriptor.type !== 'FileDescriptor') return undefined;
  return `${descriptor?.value ?? ''}${operator}${target.text}`;
}

function plannedWord(word: Word): PlannedWord | undefined {
  const read = readWord(word);
  if (read.kind === 'static') return { type: 'text', text: read.text };
  if (read.kind === 'tilde' || /(?:^|[=:])~/.test(word.text)) return undefined;
  const pieces = piecesOf(word.parts ?? []);
  return pieces === undefined ? undefined : { type: 'glob', pieces };
}

function piecesOf(parts: readonly WordPart[]): readonly GlobPiece[] | undefined {
  const pieces: GlobPiece[] = [];
  for (const part of parts) {
    switch (part.type) {
      case 'Literal':
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        pieces.push({ type: 'literal', text: part.value });
        break;
      case 'DoubleQuoted': {
        const inner = piecesOf(part.parts);
        if (inner === undefined) return undefined;
        pieces.push(...inner);
        break;
      }
      case 'Glob':
        if (part.kind === 'bracket') return undefined;
        pieces.push({ type: part.kind === 'star' ? 'star' : 'one' });
        break;
      default:
        return undefined;
    }
  }
  return pieces;
}
