/**
 * git as this folder uses it: without a shell, a pager, a prompt or an editor; without hooks, file
 * monitors and housekeeping; without any GIT_… variable of the process that started us; and with an
 * environment that holds no keys. Ends in a value, whatever happens.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

import { childEnvironment } from '../processes/child-environment.ts';

export interface GitCall {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly input?: string | Buffer;
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Set by a person's own hooks and identity: for commits that become part of the project. */
  readonly withHooks?: boolean;
}

export interface Failed {
  readonly type: 'failed';
  readonly message: string;
  /** The folder to run it in is there, git is not. */
  readonly isMissing?: boolean;
}

export interface GitOutput {
  readonly type: 'done';
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Any exit code is an answer; `failed` is a git that could not run or did not end. */
export async function runGit(call: GitCall): Promise<GitOutput | Failed> {
  const { promise, resolve } = Promise.withResolvers<GitOutput | Failed>();
  const child = spawn('git', [...SETTINGS, ...(call.withHooks === true ? [] : NO_HOOKS), ...call.args], {
    cwd: call.cwd,
    env: childEnvironment(process.env, { set: { ...QUIET, ...call.environment } }),
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const doing = `git ${call.args[0] ?? ''}`;
  const failed = (message: string) => resolve({ type: 'failed', message });
  const timer = setTimeout(() => {
    child.kill('SIGKILL');
    failed(`${doing} in ${call.cwd} took too long and was ended.`);
  }, call.timeoutMs ?? 120_000);
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(call.input ?? '');
  child.on('error', (error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT' && existsSync(call.cwd);
    const message = isMissing ? 'git is not installed on this machine.' : error.message;
    resolve({
      type: 'failed',
      message: `${doing} could not be started in ${call.cwd}: ${message}`,
      isMissing,
    });
  });
  child.on('close', (code, signal) => {
    if (code === null) failed(`${doing} in ${call.cwd} was ended by ${signal ?? 'a signal'}.`);
    else resolve({ type: 'done', code, stdout: textOf(stdout), stderr: textOf(stderr) });
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** What a git command that must succeed printed. */
export async function gitText(call: GitCall): Promise<string | Failed> {
  const answer = await runGit(call);
  if (answer.type !== 'done') return answer;
  return answer.code === 0 ? answer.stdout : gitFailed(call, answer);
}

function gitFailed(call: Pick<GitCall, 'args' | 'cwd'>, answer: GitOutput): Failed {
  const said = `${answer.stderr}\n${answer.stdout}`.trim().slice(0, 2_000);
  const reason = said === '' ? `it ended with exit code ${answer.code}.` : said;
  return { type: 'failed', message: `git ${call.args[0] ?? ''} in ${call.cwd} failed: ${reason}` };
}

/** The parts of output that git was asked to end with NUL. */
export function splitNul(text: string): readonly string[] {
  return text.split('\0').filter((part) => part !== '');
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8');
}

const SETTINGS: readonly string[] = [
  'core.fsmonitor=false',
  'core.pager=cat',
  'color.ui=false',
  'core.quotePath=false',
  'maintenance.auto=false',
  'gc.auto=0',
  'advice.detachedHead=false',
].flatMap((setting) => ['-c', setting]);

const NO_HOOKS: readonly string[] = ['-c', 'core.hooksPath=/dev/null'];

const QUIET: Readonly<Record<string, string>> = {
  GIT_EDITOR: 'true',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_LITERAL_PATHSPECS: '1',
  LC_ALL: 'C.UTF-8',
};
