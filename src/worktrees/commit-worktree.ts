import { gitText, runGit } from './git.ts';
import { resolveCommit } from './repository.ts';
import { uncommittedFiles } from './work-state.ts';
import { refused, type Refused, type Worktree } from './worktree.ts';

export interface Committed {
  readonly type: 'committed';
  readonly commit: string;
  readonly files: readonly string[];
}

/** Commits everything that is new or changed. The person's hooks run and may refuse. */
export async function commitWorktree(worktree: Worktree, message: string): Promise<Committed | Refused> {
  const { name, path: cwd } = worktree;
  const files = await uncommittedFiles(cwd);
  if ('type' in files) return refused('git-failed', `Committing in worktree ${name}: ${files.message}`);
  if (files.length === 0) return refused('nothing-to-commit', `Worktree ${name} has nothing to commit.`);
  const added = await gitText({ cwd, args: ['add', '--all'] });
  if (typeof added !== 'string') return refused('git-failed', `Committing in worktree ${name}: ${added.message}`);
  const answer = await runGit({
    cwd,
    args: [...(await identityFor(cwd)), 'commit', '--quiet', '--no-edit', '--file=-'],
    input: message,
    withHooks: true,
    timeoutMs: 600_000,
  });
  const commit = await resolveCommit(cwd, 'HEAD');
  if (answer.type === 'done' && answer.code === 0 && commit !== undefined)
    return { type: 'committed', commit, files };
  const said = answer.type === 'done' ? `${answer.stderr}\n${answer.stdout}`.trim() : answer.message;
  return refused('git-failed', `Committing in worktree ${name}: ${said}`);
}

/** Where git knows no name to sign with, the commit says that it was made here. */
export async function identityFor(cwd: string): Promise<readonly string[]> {
  const known = await runGit({ cwd, args: ['var', 'GIT_COMMITTER_IDENT'] });
  if (known.type === 'done' && known.code === 0) return [];
  return ['-c', 'user.name=Rondo', '-c', 'user.email=rondo@localhost'];
}
