// The steps that Rondo runs itself for a command line that only reads (S9): programs by absolute path from outside
// the roots, arguments from the read-only table, operands resolved inside the roots.
import { stat } from 'node:fs/promises';

import type { ToolContext } from '../../ports/tool.ts';
import {
  planCommand,
  type PlannedStage,
  type PlannedStep,
  type PlannedWord,
} from '../../security/read-only/read-only-plan.ts';
import { privatePlacesIn } from '../../security/paths/private-places.ts';
import { type Operand, readOnlyCommand } from '../../security/read-only/read-only-table.ts';
import type { Segment } from '../../security/shell/segment.ts';
import { withoutStatus } from '../../security/shell/shell-word.ts';
import { expandGlob } from './expand-glob.ts';
import { gitLookArguments } from '../git/git-look-arguments.ts';
import { isProgramOfRoots, programOutside } from '../git/program-place.ts';
import { locate } from '../define/tool-path.ts';

export interface ReadOnlyStage extends Omit<PlannedStage, 'words'> {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** True for git, whose arguments go through the single git runner. */
  readonly isGit?: true;
}

export interface ReadOnlyStep {
  readonly when: PlannedStep['when'];
  /** Empty if the step only changes the folder. */
  readonly stages: readonly ReadOnlyStage[];
}

/** Undefined if it isn't certain that the line only reads inside the roots. */
export async function readOnlySteps(
  command: string,
  context: ToolContext,
): Promise<readonly ReadOnlyStep[] | undefined> {
  const plan = planCommand(command);
  if (plan === undefined) return undefined;
  const steps: ReadOnlyStep[] = [];
  let cwd = context.cwd;
  for (const { when, stages } of plan) {
    // Later in the line, `cd` may or may not be reached.
    const folder = steps.length > 0 ? undefined : await folderOf(stages, { ...context, cwd });
    if (folder !== undefined) {
      cwd = folder;
      steps.push({ when, stages: [] });
      continue;
    }
    const ready: ReadOnlyStage[] = [];
    for (const stage of stages) {
      const resolved = await stageOf(stage, { ...context, cwd });
      if (resolved === undefined) return undefined;
      ready.push(resolved);
    }
    steps.push({ when, stages: ready });
  }
  return steps;
}

/** The folder of `cd FOLDER`, if that is the whole step. */
async function folderOf(stages: readonly PlannedStage[], context: ToolContext): Promise<string | undefined> {
  const [stage] = stages;
  if (stage === undefined || stages.length > 1) return undefined;
  const [name, target] = stage.words;
  if (stage.words.length !== 2 || name?.type !== 'text' || name.text !== 'cd') return undefined;
  if (target?.type !== 'text' || target.text === '' || target.text.startsWith('-')) return undefined;
  const verdict = await locate(target.text, context);
  if (verdict.type === 'outside') return undefined;
  const stats = await stat(verdict.real).catch(() => undefined);
  return stats?.isDirectory() === true ? verdict.real : undefined;
}

async function stageOf(stage: PlannedStage, context: ToolContext): Promise<ReadOnlyStage | undefined> {
  const words = await expanded(stage.words, context.cwd);
  const { stdout, stderr } = stage;
  const args = words?.[0] === 'git' ? await gitLookArguments(words, context) : undefined;
  if (args !== undefined) return { program: 'git', args, cwd: context.cwd, isGit: true, stdout, stderr };
  const command = words === undefined ? undefined : readOnlyCommand(words);
  const program = command === undefined ? undefined : programOutside(words?.[0] ?? '', context.roots);
  if (command === undefined || program === undefined) return undefined;
  for (const operand of operandsOf(command, words ?? [])) {
    if (!(await isReadable(operand, context))) return undefined;
  }
  return {
    program,
    args: [
      ...command.options,
      ...(command.hasSeparator ? ['--'] : []),
      ...command.operands.map(({ word }) => word),
    ],
    cwd: command.isElsewhere === true ? '/' : context.cwd,
    stdout,
    stderr,
  };
}

/** True if a segment run by a shell only reads inside the roots: fixed words, listed options, no secret. */
export async function isMild(segment: Segment, context: ToolContext): Promise<boolean> {
  const { words, dynamic, redirects, assignments } = segment;
  const isPlain = (dynamic.length === 0 || isStatusShown(segment)) && assignments.length === 0;
  if (!isPlain || segment.opaque || redirects.some(({ target }) => target !== '/dev/null')) return false;
  if (words[0] === 'git' && (await gitLookArguments(words, context)) !== undefined) return true;
  // The caller already followed the single leading `cd` into a folder of the roots.
  if (words[0] === 'cd') return words.length === 2;
  if (words[0] === 'exit') return words.length <= 2;
  const command = readOnlyCommand(words);
  if (command === undefined || command.isElsewhere === true) return false;
  if (isProgramOfRoots(words[0] ?? '', context.roots)) return false;
  const readable = await Promise.all(operandsOf(command, words).map((operand) => isReadable(operand, context)));
  return readable.every(Boolean);
}

/** `echo "exit $?"` and `exit $?` show the exit status of the previous command, a number. */
function isStatusShown({ words, dynamic }: Segment): boolean {
  const isKnown = (word: string) => !/[$`*?[\]{}~<>()]/.test(withoutStatus(word));
  return /^(?:echo|exit)$/.test(words[0] ?? '') && dynamic.every((place) => isKnown(words[place] ?? ''));
}

async function expanded(words: readonly PlannedWord[], cwd: string): Promise<readonly string[] | undefined> {
  const texts: string[] = [];
  for (const word of words) {
    if (word.type === 'text') {
      texts.push(word.text);
      continue;
    }
    if (texts.length === 0) return undefined;
    const names = (await expandGlob(word.pieces, cwd)) ?? optionText(word);
    if (names === undefined) return undefined;
    if (typeof names === 'string') texts.push(names);
    // A file may be named -r.
    else texts.push(...names.map((name) => (name.startsWith('-') ? `./${name}` : name)));
  }
  return texts;
}

/** `--include=*.js` matches no file, so a shell leaves it unchanged. */
function optionText(word: Extract<PlannedWord, { type: 'glob' }>): string | undefined {
  const text = word.pieces
    .map((piece) => (piece.type === 'literal' ? piece.text : piece.type === 'star' ? '*' : '?'))
    .join('');
  return /^--[a-z-]+=/.test(text) ? text : undefined;
}

/** A search without operands goes through the current folder. */
function operandsOf({ operands }: { readonly operands: readonly Operand[] }, words: readonly string[]) {
  const isSearch =
    words[0] === 'rg' ||
    (words[0] === 'grep' && words.some((word) => /^(?:-[a-zA-Z]*[rR]|--(?:dereference-)?recursive)/.test(word)));
  return isSearch && operands.every(({ is }) => is === 'text')
    ? [...operands, { word: '.', is: 'tree' } satisfies Operand]
    : operands;
}

/** The content of plain files without secrets is readable. For folders and protected files, only names. */
async function isReadable({ word, is }: Operand, context: ToolContext): Promise<boolean> {
  if (is === 'text' || word === '-') return true;
  const verdict = await locate(word, context);
  if (verdict.type === 'outside') return false;
  if (is === 'place') return true;
  if (is === 'tree' && privatePlacesIn(verdict.real, context.roots).length > 0) return false;
  // A program that gets a folder instead of a file may read all of it.
  const isFolder = is === 'file' && (await stat(verdict.real).catch(() => undefined))?.isDirectory() === true;
  return verdict.sensitive === undefined && !isFolder;
}
