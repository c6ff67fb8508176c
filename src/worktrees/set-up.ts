import { childEnvironment } from '../processes/child-environment.ts';
import { runChild } from '../processes/child-process.ts';
import { limited } from '../security/sandbox/resource-limits.ts';
import { refused, type Refused, type Worktree } from './worktree.ts';

interface SetUpPlace {
  readonly cwd: string;
  readonly session: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/**
 * Runs the set-up commands of a new worktree or clone in order and stops at the first failure, which is returned in
 * words. The commands come from trusted configuration; the environment holds no keys.
 */
export async function runSetUp(
  commands: readonly string[],
  { cwd, session, variables = {}, signal, timeoutMs = 600_000 }: SetUpPlace,
): Promise<{ readonly problem: string; readonly output: string } | undefined> {
  for (const command of commands) {
    const [program = '', ...args] = await limited(['/bin/sh', '-c', command]);
    const { outcome, stdout, stderr } = await runChild({
      command: program,
      args,
      cwd,
      environment: childEnvironment(process.env, { set: variables }),
      // The session has no owner yet.
      marker: { session, epoch: 0 },
      signal: signal ?? new AbortController().signal,
      timeoutMs,
      outputBytes: 8_000,
    });
    if (outcome.type === 'exited' && outcome.code === 0) continue;
    const how = outcome.type === 'exited' ? `exit code ${outcome.code}` : outcome.type;
    const output = `${stdout.text}\n${stderr.text}`.trim().slice(-2_000);
    return { problem: `\`${command}\` ended with ${how}`, output };
  }
  return undefined;
}

export async function setUpWorktree(
  worktree: Worktree,
  options: {
    readonly source: string;
    readonly session: string;
    readonly signal?: AbortSignal;
    readonly timeoutMs?: number;
  },
): Promise<Refused | undefined> {
  const { source, ...rest } = options;
  const failed = await runSetUp(worktree.toSetUp, {
    ...rest,
    cwd: worktree.path,
    variables: { RONDO_WORKTREE: worktree.path, RONDO_SOURCE: source },
  });
  if (failed === undefined) return undefined;
  const { problem, output } = failed;
  return refused(
    'set-up-failed',
    `Setting up worktree ${worktree.name}: ${problem}. The worktree is kept at ${worktree.path}; the command runs again when it is next used.${output === '' ? '' : `\n${output}`}`,
  );
}
