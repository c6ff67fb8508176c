/**
 * The only way Rondo runs git (S3): no shell, pager, prompt, editor, signature or inherited GIT_… variable, an
 * environment without keys, and no program from the repository's configuration. Always returns a value, even on
 * failure.
 *
 * 1. `generated`: for reads, and for objects and refs that Rondo writes. Ignores the repository's configuration.
 * 2. `repository`: uses the repository's own git folder, with every setting that names a program overridden.
 * 3. `own`: the caller passes a git folder that Rondo wrote.
 * 4. `remote`: the same, with the user's own settings, for reaching a remote with their credentials.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

import { spawnTree } from '../processes/child-process.ts';
import { limited } from '../security/sandbox/resource-limits.ts';
import type { Confined, GitFailure, GitCall, GitOutput } from './git-call.ts';
import { prepareGit } from './prepare-git.ts';

/** Any exit code is a result. `failed` means that git couldn't start or didn't end. */
export async function runGit(call: GitCall): Promise<GitOutput | GitFailure> {
  const prepared = await prepareGit(call);
  if ('type' in prepared) return prepared;
  await using ready = prepared;
  const confined: Confined = (await call.confine?.(ready.command)) ?? { type: 'ready', ...ready.command };
  if (confined.type === 'unavailable') return { type: 'failed', message: confined.message };
  try {
    const argv = call.confine === undefined ? await limited(confined.argv) : confined.argv;
    return await runPrepared(call, { ...confined, argv });
  } finally {
    await confined.finish?.();
  }
}

/** Returns the output of a git command that must succeed. */
export async function gitText(call: GitCall): Promise<string | GitFailure> {
  const answer = await runGit(call);
  if (answer.type !== 'done') return answer;
  return answer.code === 0 ? answer.stdout : gitFailed(call, answer);
}

/** Splits NUL-terminated output. */
export function splitNul(text: string): readonly string[] {
  return text.split('\0').filter((part) => part !== '');
}

function gitFailed(call: Pick<GitCall, 'args' | 'cwd'>, answer: GitOutput): GitFailure {
  const text = `${answer.stderr}\n${answer.stdout}`.trim().slice(0, 2_000);
  const reason = text === '' ? `it ended with exit code ${answer.code}.` : text;
  return { type: 'failed', message: `git ${call.args[0] ?? ''} in ${call.cwd} failed: ${reason}` };
}

async function runPrepared(
  call: GitCall,
  { argv, env }: { readonly argv: readonly string[]; readonly env: Readonly<Record<string, string>> },
): Promise<GitOutput | GitFailure> {
  const doing = `git ${call.args[0] ?? ''}`;
  if (call.signal?.aborted === true) return cancelled(doing);
  const started = await startGit(call, argv, env).catch((error: Error) => error.message);
  if (typeof started === 'string') return { type: 'failed', message: `${doing} could not be started: ${started}` };
  const { child } = started;
  const { promise, resolve } = Promise.withResolvers<GitOutput | GitFailure>();
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let bytes = 0;
  const limit = call.outputBytes ?? Infinity;
  const timer = setTimeout(
    () =>
      resolve({
        type: 'failed',
        message: `${doing} in ${call.cwd} timed out.`,
        why: 'timed-out',
      }),
    call.timeoutMs ?? 120_000,
  );
  const abort = () => resolve(cancelled(doing));
  call.signal?.addEventListener('abort', abort, { once: true });
  child.stdout?.on('data', (chunk: Buffer) => {
    const room = Math.max(0, limit - bytes);
    bytes += chunk.length;
    if (room > 0) stdout.push(chunk.subarray(0, room));
    // A longer text ends the process, so a session could end every node that opens it.
    if (limit > mostText && bytes > mostText)
      resolve({ type: 'failed', message: `${doing} in ${call.cwd} wrote more than Rondo reads.` });
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    if (stderr.length < mostComplaints) stderr.push(chunk);
  });
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(call.input ?? '');
  child.on('error', (error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT' && existsSync(call.cwd);
    const message = isMissing ? 'git is not installed on this machine.' : error.message;
    resolve({ type: 'failed', message: `${doing} could not be started in ${call.cwd}: ${message}`, isMissing });
  });
  child.on('close', (code, signal) => {
    if (code === null)
      resolve({ type: 'failed', message: `${doing} in ${call.cwd} was ended by ${signal ?? 'a signal'}.` });
    else resolve({ type: 'done', code, stdout: textOf(stdout), stderr: textOf(stderr), truncated: bytes > limit });
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    call.signal?.removeEventListener('abort', abort);
    await started.end();
  }
}

interface StartedGit {
  readonly child: ChildProcess;
  /** Ends all remaining processes, including hooks and filters. */
  end(): Promise<unknown>;
}

/**
 * For a session, git runs as a tree that the keeper tracks. Rondo's own calls are short and only lead a process
 * group.
 */
async function startGit(
  { cwd, marker }: GitCall,
  [command = '', ...args]: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<StartedGit> {
  if (marker !== undefined) {
    const tree = await spawnTree({ command, args, cwd, environment, marker });
    return { child: tree.child, end: () => tree.kill({ graceMs: 1_000 }) };
  }
  const child = spawn(command, args, { cwd, env: environment, detached: true, stdio: 'pipe', windowsHide: true });
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  return { child, end: async () => (isOver() ? undefined : killGroup(child.pid)) };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // Already ended.
  }
}

function cancelled(doing: string): GitFailure {
  return { type: 'failed', message: `${doing} was cancelled.`, why: 'cancelled' };
}

/** Pieces, of 64 kB at most. */
const mostComplaints = 1000;
const mostText = 256 * 1024 * 1024;

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8');
}
