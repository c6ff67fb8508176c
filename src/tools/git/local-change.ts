/**
 * Git commands that change only the local repository and lose nothing, so that one grant for commits covers them
 * (S6). Every option is listed.
 *
 * 1. Commands that check out files count only if they don't change hooks that are files of the work tree. Otherwise a
 *    branch could bring its own hooks, and git would run them in the same command.
 * 2. No command counts in a repository whose settings include another file: the file may be one of the work tree.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';

import { runGit } from '../../git/run-git.ts';
import { gitDirOf, nearest, textOf } from '../../security/paths/git-dir.ts';
import { hookNames } from '../../security/paths/hooks-folder.ts';

/** `after`: the words after `git`. `folder`: where it runs. */
export async function isLocalChange(after: readonly string[], folder: string): Promise<boolean> {
  const [command = '', ...rest] = after;
  const form = FORMS.get(command);
  if (form === undefined) return false;
  const options = rest.filter((word) => word.startsWith('-'));
  const operands = rest.filter((word) => !word.startsWith('-'));
  if (!options.every((word) => form.options.test(word)) || form.fits?.(options, operands, folder) === false)
    return false;
  const gitDir = gitDirOf(folder);
  if (gitDir === undefined || /^\s*\[\s*include/im.test(textOf(path.join(gitDir, 'config')) ?? '[include]'))
    return false;
  const source = form.checksOut?.(options, operands);
  return source === undefined || (await keepsHooks(source, folder));
}

/** Whether the commit that is checked out has the same hooks as the current one. */
async function keepsHooks(source: string, folder: string): Promise<boolean> {
  const top = nearest(folder, '.git');
  const hooks = top === undefined ? [] : hookNames(path.dirname(top));
  if (top === undefined || hooks.length === 0) return true;
  const commit = source === PREVIOUS ? previousBranch(folder) : source;
  if (commit === undefined) return false;
  const args = ['diff', '--quiet', '--no-ext-diff', '--no-textconv', 'HEAD', commit, '--', ...hooks];
  const answer = await runGit({ cwd: path.dirname(top), dir: 'generated', args });
  return answer.type === 'done' && answer.code === 0;
}

const PREVIOUS = '-';

/** The branch that `git checkout -` returns to, from the log of HEAD. */
function previousBranch(folder: string): string | undefined {
  const gitDir = gitDirOf(folder);
  const log = gitDir === undefined ? undefined : textOf(path.join(gitDir, 'logs', 'HEAD'));
  const [, branch] = [...(log ?? '').matchAll(/\tcheckout: moving from (\S+) to \S+$/gm)].at(-1) ?? [];
  return branch;
}

interface Form {
  readonly options: RegExp;
  /** The commit whose files it writes. Undefined if it writes none, or those of the current commit. */
  readonly checksOut?: (options: readonly string[], operands: readonly string[]) => string | undefined;
  readonly fits?: (options: readonly string[], operands: readonly string[], folder: string) => boolean;
}

const isRefName = (word: string) => /^[\w][\w./@{}~^-]*$/.test(word);
const named = (_: readonly string[], operands: readonly string[]) => operands.every(isRefName);
const one = (_: readonly string[], operands: readonly string[]) =>
  operands.length <= 1 && operands.every(isRefName);
const none = /^$/;

/** `-c` and `-b` without a starting point stay at the current commit. */
function branch(options: readonly string[], operands: readonly string[]): string | undefined {
  const creates = options.some((word) => /^(?:-[cb]|--create)$/.test(word));
  return creates ? operands[1] : options.includes('-') ? PREVIOUS : operands[0];
}

const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['add', { options: /^(?:-[AuvN]+|--all|--update|--verbose|--intent-to-add|--)$/ }],
  [
    'commit',
    {
      options: /^(?:-[amqvs]+|--message(?:=.*)?|--all|--quiet|--verbose|--signoff|--allow-empty|--)$/s,
      // Without a message it starts an editor.
      fits: (options) => options.some((word) => /^(?:-[a-z]*m|--message)/.test(word)),
    },
  ],
  ['switch', { options: /^(?:-[cq]|--create|--quiet|-)$/, checksOut: branch, fits: named }],
  [
    'checkout',
    {
      options: /^(?:-[bq]|-)$/,
      checksOut: branch,
      // A path instead of a branch discards work.
      fits: (options, operands, folder) =>
        operands.every(isRefName) &&
        (options.includes('-b') ||
          (operands.length === 0 && options.includes('-')) ||
          (operands.length === 1 && !existsSync(path.resolve(folder, operands[0] ?? '')))),
    },
  ],
  [
    'stash',
    {
      options: /^(?:-[ukqm]+|--include-untracked|--keep-index|--quiet|--index|--message(?:=.*)?|--)$/s,
      checksOut: (_, [command = 'push']) => (/^(?:pop|apply)$/.test(command) ? 'refs/stash' : undefined),
      fits: (_, [command = 'push']) => /^(?:push|pop|apply|list|show|save)$/.test(command),
    },
  ],
  [
    'merge',
    {
      options: /^(?:-[mq]|--no-ff|--ff-only|--no-edit|--squash|--abort|--quiet|--message(?:=.*)?)$/s,
      checksOut: (_, [source]) => source,
    },
  ],
  ['branch', { options: /^(?:-[dmvq]|--show-current|--list)$/, fits: named }],
  ['tag', { options: /^(?:-[am]|--annotate|--message(?:=.*)?|-l|--list)$/s }],
  ['cherry-pick', { options: /^(?:-x|--abort|--skip)$/, checksOut: (_, [source]) => source, fits: one }],
  [
    'revert',
    {
      options: /^(?:--no-edit|--abort)$/,
      checksOut: (_, [source]) => (source === undefined ? undefined : `${source}~1`),
      fits: (options, operands) => options.length > 0 && operands.every(isRefName),
    },
  ],
  ['restore', { options: /^--(?:staged|quiet)?$/, fits: (options) => options.includes('--staged') }],
  ['reset', { options: /^(?:-q|--quiet|--)$/, fits: (_, [first = 'HEAD']) => first === 'HEAD' }],
  ['mv', { options: none }],
  ['worktree', { options: none, fits: (_, operands) => operands.join(' ') === 'list' }],
  ['rm', { options: /^(?:-[rq]+|--cached|--quiet|--)$/ }],
]);
