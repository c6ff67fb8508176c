// Child processes as trees (architecture rule 8).
//
// 1. A child leads its own process group and carries the session, the epoch and the effect in its environment. It
//    gets only the environment passed to it. It starts only once the keeper runs, which ends it with this process
//    (O6).
// 2. When `runChild` settles, no process of the tree is left, however the child ended.
// 3. Output is drained as long as the child runs and kept up to a limit, so a child never blocks on a full pipe and
//    memory stays bounded.
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

import { type CapturedOutput, createOutputCapture } from './captured-output.ts';
import { type KilledProcess, type KillOptions, killTree } from './kill-tree.ts';
import { keeper } from './keeper.ts';
import {
  EFFECT_VARIABLE,
  EPOCH_VARIABLE,
  KEEPER_VARIABLE,
  type ProcessMarker,
  SESSION_VARIABLE,
} from './process-table.ts';

export interface ChildCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly marker: ProcessMarker;
}

export interface ChildRun extends ChildCommand {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** The bytes to keep of each stream: half from its beginning, half from its end. */
  readonly outputBytes: number;
  readonly graceMs?: number;
  /** The child's standard input. Default: empty. */
  readonly input?: string;
  readonly onOutput?: (stream: 'stdout' | 'stderr', chunk: Buffer) => void;
}

export interface ChildResult {
  readonly outcome: ChildOutcome;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  /** Processes that still ran when the command ended or timed out. */
  readonly killed: readonly KilledProcess[];
}

export type ChildOutcome =
  | { readonly type: 'exited'; readonly code: number }
  | { readonly type: 'signalled'; readonly signal: string }
  | { readonly type: 'timed-out' }
  | { readonly type: 'cancelled' }
  | { readonly type: 'not-started'; readonly code: string; readonly message: string };

/** Runs a command to its end. Never rejects. */
export async function runChild(request: ChildRun): Promise<ChildResult> {
  const stdout = createOutputCapture(request.outputBytes);
  const stderr = createOutputCapture(request.outputBytes);
  const settle = (outcome: ChildOutcome, killed: readonly KilledProcess[]): ChildResult => ({
    outcome,
    stdout: stdout.end(),
    stderr: stderr.end(),
    killed,
  });
  const problem = request.signal.aborted ? undefined : await keeper.ready();
  if (request.signal.aborted) return settle({ type: 'cancelled' }, []);
  if (problem !== undefined) return settle({ type: 'not-started', code: 'UNKEPT', message: problem }, []);
  const tree = startTree(request);
  const { child } = tree;
  const drained = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout.push(chunk);
    request.onOutput?.('stdout', chunk);
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr.push(chunk);
    request.onOutput?.('stderr', chunk);
  });
  // A child that doesn't read its input breaks the pipe. That isn't an error.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(request.input ?? '');

  const ending = await firstEnding(tree.ended, request);
  // The last output of a finished command may still be in the pipes.
  if (ending.type === 'exited' || ending.type === 'signalled') await Promise.race([drained, sleep(DRAIN_MS)]);
  const killed = ending.type === 'not-started' ? [] : await tree.kill(graceOf(request));
  await Promise.race([drained, sleep(DRAIN_MS)]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return settle(ending, killed);
}

export interface ProcessTree {
  readonly child: ChildProcess;
  readonly ended: Promise<Extract<ChildOutcome, { type: 'exited' | 'signalled' | 'not-started' }>>;
  kill(options?: KillOptions): Promise<readonly KilledProcess[]>;
}

/**
 * Starts a command that leads its own group. The caller must call `kill`, even after the command ended. Rejects if
 * no keeper can be started.
 */
export async function spawnTree(request: ChildCommand): Promise<ProcessTree> {
  const problem = await keeper.ready();
  if (problem !== undefined) throw new Error(problem);
  return startTree(request);
}

function startTree(request: ChildCommand): ProcessTree {
  const { marker } = request;
  const mark = keeper.newMark();
  const startedAt = performance.now();
  const child = spawn(request.command, request.args, {
    cwd: request.cwd,
    env: {
      ...request.environment,
      [KEEPER_VARIABLE]: mark,
      [SESSION_VARIABLE]: marker.session,
      [EPOCH_VARIABLE]: String(marker.epoch),
      ...(marker.effect !== undefined && { [EFFECT_VARIABLE]: marker.effect }),
    },
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const group = child.pid;
  if (group !== undefined) keeper.watch(group);
  const ended = new Promise<Awaited<ProcessTree['ended']>>((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (child.pid !== undefined) return;
      resolve({ type: 'not-started', code: error.code ?? 'UNKNOWN', message: error.message });
    });
    child.on('exit', (code, signal) => {
      resolve(code === null ? { type: 'signalled', signal: signal ?? 'unknown' } : { type: 'exited', code });
    });
  });
  return {
    child,
    ended,
    async kill(options) {
      if (group === undefined) return [];
      const killed = await killTree({ group, mark, ageMs: performance.now() - startedAt }, options);
      if (killed.every(({ gone }) => gone)) keeper.forget(group);
      return killed;
    },
  };
}

const DRAIN_MS = 250;

async function firstEnding(ended: ProcessTree['ended'], request: ChildRun): Promise<ChildOutcome> {
  const { promise, resolve } = Promise.withResolvers<ChildOutcome>();
  const cancel = () => resolve({ type: 'cancelled' });
  const timer = setTimeout(() => resolve({ type: 'timed-out' }), request.timeoutMs);
  request.signal.addEventListener('abort', cancel, { once: true });
  try {
    return await Promise.race([ended, promise]);
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener('abort', cancel);
  }
}

function graceOf(request: ChildRun): KillOptions {
  return request.graceMs === undefined ? {} : { graceMs: request.graceMs };
}
