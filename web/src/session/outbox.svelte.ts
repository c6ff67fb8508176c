/**
 * Prompts on their way to the server. They survive a reload of the page, and their key makes them count once, however
 * often they are sent.
 */
import type { Client } from '../../../src/client/client.ts';
import type { WireInput } from '../../../src/protocol/input-schema.ts';
import { isLarge, sendLarge } from '../connection/send-large.ts';

type Chat = Extract<WireInput, { type: 'chat' }>;

export interface SendingPrompt {
  readonly key: string;
  readonly session: string;
  readonly input: Chat;
  readonly at: number;
}

export interface Outbox {
  of(session: string): readonly SendingPrompt[];
  /** Of all sessions. */
  readonly count: number;
  /** Resolves once the prompt is durable. Rejects if the server refuses it. */
  send(session: string, input: Chat): Promise<void>;
}

const place = 'rondo.outbox';

export function createOutbox(client: Client, onRefused: (prompt: SendingPrompt, why: string) => void): Outbox {
  const left = kept();
  let waiting = $state.raw<readonly SendingPrompt[]>(left);

  function keep(next: readonly SendingPrompt[]): void {
    waiting = next;
    try {
      sessionStorage.setItem(place, JSON.stringify(next));
    } catch {
      // Too large to store: it stays in memory, so only a reload would lose it.
      sessionStorage.setItem(place, JSON.stringify(next.filter(({ input }) => input.attachments === undefined)));
    }
  }
  async function deliver(prompt: SendingPrompt): Promise<void> {
    const { session, input, key } = prompt;
    try {
      await (isLarge(input) ? sendLarge(session, input, key) : client.send(session, input, { key }));
    } finally {
      keep(waiting.filter((one) => one.key !== key));
    }
  }
  for (const prompt of left)
    void deliver(prompt).catch((error: unknown) => onRefused(prompt, (error as Error).message));
  return {
    get count() {
      return waiting.length;
    },
    of: (session) => waiting.filter((prompt) => prompt.session === session),
    send(session, input) {
      const key = Array.from(crypto.getRandomValues(new Uint32Array(4)), String).join('-');
      const prompt = { key, session, input, at: Date.now() };
      keep([...waiting, prompt]);
      return deliver(prompt);
    },
  };
}

function kept(): readonly SendingPrompt[] {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(place) ?? '[]');
    return Array.isArray(value) ? value.filter(isPrompt) : [];
  } catch {
    return [];
  }
}

function isPrompt(value: unknown): value is SendingPrompt {
  const { key, session, input } = (value ?? {}) as {
    key?: unknown;
    session?: unknown;
    input?: { type?: unknown };
  };
  return typeof key === 'string' && typeof session === 'string' && input?.type === 'chat';
}
