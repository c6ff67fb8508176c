/**
 * An external agent's process and the connection to it.
 *
 * 1. The process leads a process group, carries the session in its environment, and gets only the variables passed
 *    to it.
 * 2. When `end` resolves, its whole process tree is gone, whatever signals it ignores.
 * 3. Its standard error is kept up to a limit, and so is standard output that isn't a message.
 */
import { stripVTControlCharacters } from 'node:util';

import { type ProcessTree, spawnTree } from '../../processes/child-process.ts';
import { killMarked } from '../../processes/kill-tree.ts';
import { createRpcPeer, type RpcHandlers, type RpcPeer } from './json-rpc.ts';

export interface AgentProcess {
  readonly peer: RpcPeer;
  /** Resolves when the process has ended for any reason, with a description. */
  readonly ended: Promise<string>;
  readonly isAlive: boolean;
  /** When the last message arrived, in ticks of this process. */
  readonly heardAt: number;
  /** How much it has sent. */
  readonly sentBytes: number;
  /** The newest output that isn't a message. */
  lastWords(): string;
  /** Closes its input, then kills the whole tree after a short wait. */
  end(options?: { readonly leaveMs?: number }): Promise<void>;
}

interface AgentLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly session: string;
  readonly epoch: number;
  /** If aborted early, the process never starts. */
  readonly signal: AbortSignal;
}

interface ProcessLimits {
  readonly lineBytes: number;
  readonly logBytes: number;
}

type Spawned =
  | { readonly type: 'spawned'; readonly process: AgentProcess }
  | { readonly type: 'failed'; readonly message: string };

export async function spawnAgent(
  launch: AgentLaunch,
  handlers: Omit<RpcHandlers, 'stray' | 'heard'>,
  limits: ProcessLimits,
): Promise<Spawned> {
  const { command, args, cwd, environment, session, epoch, signal } = launch;
  // Processes left by a dead owner would keep working in the same files.
  await killMarked({ session, below: epoch });
  if (signal.aborted) return { type: 'failed', message: 'its turn was cancelled' };
  const marker = { session, epoch, effect: `${session}.agent` };
  let tree: ProcessTree;
  try {
    tree = await spawnTree({ command, args, cwd, environment, marker });
  } catch (error) {
    return { type: 'failed', message: (error as Error).message };
  }
  const { child } = tree;
  let log = '';
  const note = (text: string) => {
    log = (log + text).slice(-limits.logBytes);
  };
  let heardAt = performance.now();
  let sentBytes = 0;
  let isAlive = true;
  let ending: Promise<void> | undefined;
  const peer = createRpcPeer(
    (line) => {
      if (child.stdin?.writable === true) child.stdin.write(line);
    },
    {
      ...handlers,
      stray: (text) => note(`${text.slice(0, longestStray)}\n`),
      heard() {
        heardAt = performance.now();
      },
    },
    { lineBytes: limits.lineBytes, requestsServed: 100 },
  );
  child.stdout?.on('data', (chunk: Buffer) => {
    sentBytes += chunk.length;
    peer.receive(chunk);
  });
  child.stderr?.on('data', (chunk: Buffer) => note(chunk.toString('utf8')));
  // A process that closes its input has ended or is about to.
  child.stdin?.on('error', () => undefined);
  const drained = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const ended = tree.ended.then(async (outcome) => {
    // The last output may still be in flight. Don't wait forever: a grandchild may hold the pipe open.
    if (outcome.type !== 'not-started') await Promise.race([drained, pause(drainMs)]);
    isAlive = false;
    peer.close();
    // Its children must not survive until the agent is needed again.
    void tree.kill({ graceMs: killGraceMs }).catch(() => undefined);
    switch (outcome.type) {
      case 'exited':
        return `it exited with code ${outcome.code}`;
      case 'signalled':
        return `it was ended by ${outcome.signal}`;
      case 'not-started':
        return outcome.message;
    }
  });
  const begun = await Promise.race([
    tree.ended,
    new Promise<'spawned'>((resolve) => child.once('spawn', () => resolve('spawned'))),
  ]);
  if (begun !== 'spawned' && begun.type === 'not-started') {
    return { type: 'failed', message: begun.code === 'ENOENT' ? `command not found: ${command}` : begun.message };
  }

  async function finish(leaveMs: number): Promise<void> {
    child.stdin?.end();
    if (isAlive && leaveMs > 0) await Promise.race([tree.ended, pause(leaveMs)]);
    await tree.kill({ graceMs: killGraceMs });
    peer.close();
    child.stdout?.destroy();
    child.stderr?.destroy();
    await ended;
  }

  return {
    type: 'spawned',
    process: {
      peer,
      ended,
      get isAlive() {
        return isAlive && ending === undefined;
      },
      get heardAt() {
        return heardAt;
      },
      get sentBytes() {
        return sentBytes;
      },
      // Colors are meant for a terminal, and these words become part of messages.
      lastWords: () => stripVTControlCharacters(log).trim(),
      end: ({ leaveMs = 300 } = {}) => (ending ??= finish(leaveMs)),
    },
  };
}

const longestStray = 500;
const drainMs = 250;
const killGraceMs = 1000;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
