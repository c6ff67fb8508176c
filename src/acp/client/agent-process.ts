/**
 * The process of an external agent and the line to it.
 *
 * 1. It leads a process group, carries the session in its environment, and gets only the variables it is
 *    given.
 * 2. When `end` resolves nothing of its tree is left, whatever it ignores.
 * 3. What it writes to its standard error is kept up to a limit, and so is what it writes to its standard
 *    output that is no message.
 */
import { type ProcessTree, spawnTree } from '../../processes/child-process.ts';
import { killMarked } from '../../processes/kill-tree.ts';
import { createRpcPeer, type RpcHandlers, type RpcPeer } from './json-rpc.ts';

export interface AgentProcess {
  readonly peer: RpcPeer;
  /** How it ended, in words; resolves when it has, by itself or not. */
  readonly ended: Promise<string>;
  readonly isAlive: boolean;
  /** When it last sent a message, in ticks of this process. */
  readonly heardAt: number;
  /** The newest of what it wrote besides messages. */
  lastWords(): string;
  /** Ends its input, then, after a moment, the whole tree. */
  end(options?: { readonly leaveMs?: number }): Promise<void>;
}

export interface AgentLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly session: string;
  readonly epoch: number;
  /** Aborted before the process is started, it isn't. */
  readonly signal: AbortSignal;
}

export interface ProcessLimits {
  readonly lineBytes: number;
  readonly logBytes: number;
}

export type Spawned =
  | { readonly type: 'spawned'; readonly process: AgentProcess }
  | { readonly type: 'failed'; readonly message: string };

export async function spawnAgent(
  launch: AgentLaunch,
  handlers: Omit<RpcHandlers, 'stray' | 'heard'>,
  limits: ProcessLimits,
): Promise<Spawned> {
  const { command, args, cwd, environment, session, epoch, signal } = launch;
  // What a dead owner left of it would go on working in the same files.
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
  child.stdout?.on('data', (chunk: Buffer) => peer.receive(chunk));
  child.stderr?.on('data', (chunk: Buffer) => note(chunk.toString('utf8')));
  // A process that closes its input has ended or is about to.
  child.stdin?.on('error', () => undefined);
  const drained = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const ended = tree.ended.then(async (outcome) => {
    // What it wrote last is still on its way; a grandchild may hold the pipe open for ever.
    if (outcome.type !== 'not-started') await Promise.race([drained, pause(drainMs)]);
    isAlive = false;
    peer.close();
    // What it started doesn't outlive it until somebody asks for the agent again.
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
      lastWords: () => log.trim(),
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
