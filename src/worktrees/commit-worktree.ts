import { gitText, runGit } from '../git/run-git.ts';
import { allFinished } from '../security/paths/unfinished-write.ts';
import { resolveCommit } from './repository.ts';
import { uncommittedFiles } from './work-state.ts';
import { refused, type Refused, type Worktree } from './worktree.ts';

export interface Committed {
  readonly type: 'committed';
  readonly commit: string;
  readonly files: readonly string[];
}

/**
 * Commits all new and changed files, or only the given ones. Hooks run only for a person's own command, because the agent may have written
 * them.
 */
export async function commitWorktree(
  worktree: Pick<Worktree, 'name' | 'path'>,
  message: string,
  { withHooks = false, paths }: { readonly withHooks?: boolean; readonly paths?: readonly string[] } = {},
): Promise<Committed | Refused> {
  const { name, path: cwd } = worktree;
  const changed = await uncommittedFiles(cwd);
  if ('type' in changed) return refused('git-failed', `Committing in worktree ${name}: ${changed.message}`);
  const files = paths === undefined ? changed : changed.filter((file) => paths.includes(file));
  if (files.length === 0) return refused('nothing-to-commit', `Worktree ${name} has nothing to commit.`);
  const { paths: everything, environment } = paths === undefined ? allFinished : { paths: ['--', ...files] };
  const args = ['add', '--all', ...everything];
  const added = await gitText({ cwd, dir: 'repository', args, ...(environment !== undefined && { environment }) });
  if (typeof added !== 'string') return refused('git-failed', `Committing in worktree ${name}: ${added.message}`);
  const answer = await runGit({
    cwd,
    dir: 'repository',
    args: [
      'commit',
      '--quiet',
      '--no-edit',
      '--file=-',
      ...(paths === undefined ? [] : ['--only', '--', ...files]),
    ],
    environment: await identityFor(cwd),
    input: message,
    withHooks,
    timeoutMs: 600_000,
  });
  const commit = await resolveCommit(cwd, 'HEAD');
  if (answer.type === 'done' && answer.code === 0 && commit !== undefined)
    return { type: 'committed', commit, files };
  const output = answer.type === 'done' ? `${answer.stderr}\n${answer.stdout}`.trim() : answer.message;
  return refused('git-failed', `Committing in worktree ${name}: ${output}`);
}

/** The identity for a commit if git has none configured. */
export async function identityFor(cwd: string): Promise<Readonly<Record<string, string>>> {
  const identity = await runGit({ cwd, dir: 'repository', args: ['var', 'GIT_COMMITTER_IDENT'] });
  if (identity.type === 'done' && identity.code === 0) return {};
  const [name, email] = ['Rondo', 'rondo@localhost'];
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
}
