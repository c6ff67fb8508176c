import type { ToolRun } from '../../ports/tool.ts';
import type { GitCall, GitOutput } from '../../git/git-call.ts';
import { runGit } from '../../git/run-git.ts';
import { failure, type ToolFailure } from '../define/tool-failure.ts';
import { type InsidePath, locate, outsideFailure } from '../define/tool-path.ts';

type GitAnswer = GitOutput | ToolFailure | { readonly type: 'cancelled' };

interface ToolGitCall extends Pick<
  GitCall,
  'args' | 'input' | 'environment' | 'timeoutMs' | 'dir' | 'withHooks' | 'withFilters' | 'confine'
> {
  readonly cwd: InsidePath;
}

/** Runs git for a tool: it ends with the call, and its output is bounded. */
export async function runToolGit(call: ToolGitCall, context: ToolRun): Promise<GitAnswer> {
  const answer = await runGit({
    timeoutMs: 30_000,
    ...call,
    cwd: call.cwd.real,
    marker: { session: context.session, epoch: context.epoch, effect: context.effect },
    signal: context.signal,
    outputBytes: 400_000,
  });
  if (answer.type === 'done') return answer;
  if (answer.why === 'cancelled') return { type: 'cancelled' };
  if (answer.why === 'timed-out') return failure('timed-out', answer.message, { retryable: true });
  return failure(answer.isMissing === true ? 'not-started' : 'git-failed', answer.message);
}

/** The output of a git command that must succeed. */
export async function toolGitText(
  call: ToolGitCall,
  context: ToolRun,
): Promise<string | Exclude<GitAnswer, GitOutput>> {
  const answer = await runToolGit(call, context);
  if (answer.type !== 'done') return answer;
  return answer.code === 0 ? answer.stdout : gitFailure(answer);
}

export function gitFailure(answer: GitOutput): ToolFailure {
  const text = `${answer.stderr}\n${answer.stdout}`.trim().slice(0, 4_000);
  if (/not a git repository/i.test(text))
    return failure('not-a-repository', "This folder isn't in a git repository.");
  return failure('git-failed', text === '' ? `git exited with code ${answer.code}.` : text);
}

/** The folder to run git in: the working directory, or a folder inside the roots. */
export async function gitFolder(
  requested: string | undefined,
  context: ToolRun,
): Promise<InsidePath | ToolFailure> {
  const verdict = await locate(requested ?? '.', context);
  return verdict.type === 'inside' ? verdict : outsideFailure(verdict);
}
