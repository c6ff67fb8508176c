import type { ToolRun } from '../runtime/tool.ts';
import { childEnvironment } from '../processes/child-environment.ts';
import { runChild } from '../processes/child-process.ts';
import { failure, type ToolFailure } from './tool-failure.ts';
import { type InsidePath, locate, outsideFailure } from './tool-path.ts';

export interface GitOutput {
  readonly type: 'done';
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
}

export type GitAnswer = GitOutput | ToolFailure | { readonly type: 'cancelled' };

export interface GitCall {
  readonly args: readonly string[];
  readonly cwd: InsidePath;
  readonly input?: string;
  readonly timeoutMs?: number;
}

/**
 * Runs git without a shell, a pager, a prompt or an editor, and with the settings off by which a
 * repository's own configuration makes a mere look start other programs.
 */
export async function runGit(call: GitCall, context: ToolRun): Promise<GitAnswer> {
  const result = await runChild({
    command: 'git',
    args: [...HARMLESS, ...call.args],
    cwd: call.cwd.real,
    environment: childEnvironment(process.env, {
      set: { GIT_OPTIONAL_LOCKS: '0', GIT_EDITOR: 'true', GIT_LITERAL_PATHSPECS: '1' },
    }),
    marker: { session: context.session, epoch: context.epoch, effect: context.effect },
    signal: context.signal,
    timeoutMs: call.timeoutMs ?? 30_000,
    outputBytes: 400_000,
    ...(call.input !== undefined && { input: call.input }),
  });
  const { outcome, stdout, stderr } = result;
  switch (outcome.type) {
    case 'cancelled':
      return { type: 'cancelled' };
    case 'not-started':
      return failure(
        'not-started',
        outcome.code === 'ENOENT' ? 'git is not installed on this machine.' : outcome.message,
      );
    case 'timed-out':
      return failure('timed-out', `git ${call.args[0] ?? ''} took too long and was ended.`, { retryable: true });
    case 'signalled':
      return failure('git-failed', `git ${call.args[0] ?? ''} was ended by ${outcome.signal}.`);
    case 'exited':
      return {
        type: 'done',
        code: outcome.code,
        stdout: stdout.text,
        stderr: stderr.text,
        truncated: stdout.truncated,
      };
  }
}

/** The output of a git command that must succeed. */
export async function gitText(call: GitCall, context: ToolRun): Promise<string | Exclude<GitAnswer, GitOutput>> {
  const answer = await runGit(call, context);
  if (answer.type !== 'done') return answer;
  return answer.code === 0 ? answer.stdout : gitFailure(answer);
}

export function gitFailure(answer: GitOutput): ToolFailure {
  const said = `${answer.stderr}\n${answer.stdout}`.trim().slice(0, 4_000);
  if (/not a git repository/i.test(said))
    return failure('not-a-repository', 'This folder is not in a git repository.');
  return failure('git-failed', said === '' ? `git ended with exit code ${answer.code}.` : said);
}

/** Where git runs: the working directory, or a folder inside the roots. */
export async function gitFolder(
  requested: string | undefined,
  context: ToolRun,
): Promise<InsidePath | ToolFailure> {
  const verdict = await locate(requested ?? '.', context);
  return verdict.type === 'inside' ? verdict : outsideFailure(verdict);
}

const HARMLESS: readonly string[] = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.pager=cat',
  '-c',
  'color.ui=false',
  '-c',
  'core.quotePath=false',
  '-c',
  'maintenance.auto=false',
  '-c',
  'gc.auto=0',
];
