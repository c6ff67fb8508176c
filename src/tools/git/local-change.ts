/**
 * Git commands that change only the local repository and lose nothing, so that one grant for commits covers them
 * (S6). Every option is listed.
 *
 * 1. Commands that check out files count only if they bring no other hooks, no other protected files and no other
 *    steering files. Otherwise a branch could bring its own hooks, and git would run them in the same command.
 * 2. No command counts in a repository whose settings include another file: the file may be one of the work tree.
 * 3. `mv` and `rm` count for ordinary files that a checkpoint holds, never for folders.
 */
import path from 'node:path';

import { runGit } from '../../git/run-git.ts';
import type { ToolContext } from '../../ports/tool.ts';
import { gitDirOf, nearest, smallFileText } from '../../security/paths/git-dir.ts';
import { protectedName } from '../define/tool-path.ts';
import { FORMS, PREVIOUS, STASH } from './local-change-forms.ts';

type LocalChange =
  | { readonly type: 'local' }
  /** It checks out another version of a file that decides what programs or agents do. */
  | { readonly type: 'brings'; readonly name: string };

/**
 * Undefined if it may do more. `after`: the words after `git`. `isMoved`: an earlier command of the line moves branches,
 * so that a name stands for something else when this one runs.
 */
export async function localChange(
  after: readonly string[],
  {
    folder,
    context,
    isMoved,
  }: { readonly folder: string; readonly context: ToolContext; readonly isMoved: boolean },
): Promise<LocalChange | undefined> {
  const [command = '', ...rest] = after;
  const form = FORMS.get(command);
  if (form === undefined) return undefined;
  const { options, operands } = readWords(rest, form.takesValue);
  if (!options.every((word) => form.options.test(word)) || form.fits?.(options, operands, folder) === false)
    return undefined;
  if (!((await form.isOrdinary?.(options, operands, folder, context)) ?? true)) return undefined;
  const gitDir = gitDirOf(folder);
  if (gitDir === undefined || /^\s*\[\s*include/im.test(smallFileText(path.join(gitDir, 'config')) ?? '[include]'))
    return undefined;
  const source = form.checksOut?.(options, operands);
  if (source === undefined) return { type: 'local' };
  return isMoved ? undefined : await checkedOut(source, folder);
}

/** Whether names stand for other commits after it. */
export function movesBranches([program, command, ...rest]: readonly string[]): boolean {
  return program === 'git' && command === 'branch' && rest.some((word) => /^-[dm]$/.test(word));
}

/** The value of an option isn't an operand: `git merge -m main evil` merges `evil`. */
function readWords(words: readonly string[], takesValue: RegExp = /^$/) {
  const options: string[] = [];
  const operands: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (!word.startsWith('-')) operands.push(word);
    else options.push(word);
    if (takesValue.test(word)) index += 1;
  }
  return { options, operands };
}

/** Whether the commit has the same protected files as the current one. */
async function checkedOut(source: string, folder: string): Promise<LocalChange | undefined> {
  const top = nearest(folder, '.git');
  const commit = source === PREVIOUS ? previousBranch(folder) : source;
  if (top === undefined || commit === undefined) return undefined;
  const root = path.dirname(top);
  // git also finds the branch of a remote.
  const changed =
    (await changedFiles(root, 'HEAD', commit)) ??
    (await changedFiles(root, 'HEAD', `refs/remotes/origin/${commit}`));
  // Without a stash, what comes back was stashed by the same line.
  if (changed === undefined) return commit === STASH ? { type: 'local' } : undefined;
  const guarded = changed.find((name) => protectedName(name, { real: path.join(root, name), root }) !== undefined);
  return guarded === undefined ? { type: 'local' } : { type: 'brings', name: guarded };
}

/** Undefined if one of them isn't a commit. */
async function changedFiles(cwd: string, from: string, to: string): Promise<readonly string[] | undefined> {
  const args = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', from, to, '--'];
  const answer = await runGit({ cwd, dir: 'generated', args });
  return answer.type === 'done' && answer.code === 0 ? answer.stdout.split('\0').filter(Boolean) : undefined;
}

/** The branch that `git checkout -` returns to, from the log of HEAD. */
function previousBranch(folder: string): string | undefined {
  const gitDir = gitDirOf(folder);
  const log = gitDir === undefined ? undefined : smallFileText(path.join(gitDir, 'logs', 'HEAD'));
  const [, branch] = [...(log ?? '').matchAll(/\tcheckout: moving from (\S+) to \S+$/gm)].at(-1) ?? [];
  return branch;
}
