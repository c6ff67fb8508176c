import { childEnvironment } from '../processes/child-environment.ts';
import { runChild } from '../processes/child-process.ts';
import { limited } from '../security/sandbox/resource-limits.ts';
import { refused, type Refused, type Worktree } from './worktree.ts';

/**
 * Runs a new worktree's set-up commands in order and stops at the first failure. The commands come from trusted
 * configuration; the environment holds no keys.
 */
export async function setUpWorktree(
  worktree: Worktree,
  options: {
    readonly source: string;
    readonly session: string;
    readonly signal?: AbortSignal;
    readonly timeoutMs?: number;
  },
): Promise<Refused | undefined> {
  for (const command of worktree.toSetUp) {
    const [program = '', ...args] = await limited(['/bin/sh', '-c', command]);
    const { outcome, stdout, stderr } = await runChild({
      command: program,
      args,
      cwd: worktree.path,
      environment: childEnvironment(process.env, {
        set: { RONDO_WORKTREE: worktree.path, RONDO_SOURCE: options.source },
      }),
      // The session has no owner yet.
      marker: { session: options.session, epoch: 0 },
      signal: options.signal ?? new AbortController().signal,
      timeoutMs: options.timeoutMs ?? 600_000,
      outputBytes: 8_000,
    });
    if (outcome.type === 'exited' && outcome.code === 0) continue;
    const how = outcome.type === 'exited' ? `exit code ${outcome.code}` : outcome.type;
    const output = `${stdout.text}\n${stderr.text}`.trim().slice(-2_000);
    return refused(
      'set-up-failed',
      `Setting up worktree ${worktree.name}: \`${command}\` ended with ${how}. The worktree is kept at ${worktree.path}; the command runs again when it is next used.${output === '' ? '' : `\n${output}`}`,
    );
  }
  return undefined;
}
