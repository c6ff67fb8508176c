/** A real client process beside a server: sends one input to a session, prints updates, and is killed. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import type { SessionId } from '../../src/kernel/ids.ts';
import type { ServedRondo } from './served-rondo.ts';

/** How it reaches the session: through the store, over the socket, by typing, or by owning the session. */
export const clientKinds = ['run', 'attach', 'chat', 'standalone run'] as const;
export type ClientKind = (typeof clientKinds)[number];

export interface ClientProcess {
  /** True if it still ran when it was killed. */
  kill(instant: KillInstant): Promise<boolean>;
  /** True if its input was acknowledged as durable. */
  hasHeard(): boolean;
  /** `<seq> <type>` of the events it received; a chat shows none. */
  events(): readonly string[];
}

interface KillInstant {
  /** Measured from its start, or from its first output. */
  readonly since: 'start' | 'first word';
  readonly ms: number;
}

export interface ClientWords {
  readonly kind: ClientKind;
  readonly session: SessionId;
  /** Text that identifies the prompt. */
  readonly mark: string;
}

export function startClient(server: ServedRondo, { kind, session, mark }: ClientWords): ClientProcess {
  const prompt = `say ${mark}`;
  const child = server.start(...commandFor(kind, session, prompt));
  let shown = '';
  child.stdout?.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  const ended = once(child, 'close');
  child.stdin?.on('error', () => undefined);
  child.stdin?.write(linesFor(kind, prompt));
  const lines = () => shown.split('\n').slice(0, -1);
  return {
    async kill({ since, ms }) {
      while (since === 'first word' && shown === '' && isRunning(child)) await sleep(2);
      await sleep(ms);
      const isAlive = isRunning(child);
      child.kill('SIGKILL');
      await ended;
      return isAlive;
    },
    // A chat echoes the input once it is in the journal.
    hasHeard: () =>
      kind === 'chat'
        ? lines().some((line) => line.includes(prompt))
        : lines().some((line) => line.includes('"type":"prompt-received"') && line.includes(mark)),
    events: () => (kind === 'chat' ? [] : lines().flatMap(eventIn)),
  };
}

function commandFor(kind: ClientKind, session: SessionId, prompt: string): readonly string[] {
  switch (kind) {
    case 'run':
      return ['run', '--json', '--session', session, prompt];
    case 'attach':
      return ['attach', session, '--json', '--after', '0'];
    case 'chat':
      return ['chat', '--session', session];
    case 'standalone run':
      return ['run', '--json', '--agent', 'testing', prompt];
  }
}

function linesFor(kind: ClientKind, prompt: string): string {
  switch (kind) {
    case 'run':
    case 'standalone run':
      return '';
    case 'attach':
      return `${JSON.stringify({ type: 'chat', text: prompt })}\n`;
    case 'chat':
      return `${prompt}\n`;
  }
}

function eventIn(line: string): readonly string[] {
  const { seq, type, event } = JSON.parse(line) as {
    readonly seq?: number;
    readonly type: string;
    readonly event?: { readonly type: string };
  };
  return seq === undefined || type === 'snapshot' ? [] : [`${seq} ${event?.type ?? type}`];
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}
