/**
 * Prompts and answers on their way to the server. They survive a reload of the page, and their key makes them count
 * once, however often they are sent.
 */
import type { Client } from '../../../src/client/client.ts';
import type { WireAnswer, WireInput } from '../../../src/protocol/input-schema.ts';
import { isLarge, sendLarge } from '../connection/send-large.ts';

type Chat = Extract<WireInput, { type: 'chat' }>;

export interface SendingPrompt {
  readonly key: string;
  readonly session: string;
  readonly input: Chat;
  readonly at: number;
}

interface SendingAnswer {
  readonly key: string;
  readonly question: string;
  readonly answer: WireAnswer;
}

export interface Outbox {
  of(session: string): readonly SendingPrompt[];
  isAnswered(question: string): boolean;
  /** Of all sessions. */
  readonly prompts: number;
  readonly answers: number;
  /** Resolves once the prompt is durable. Rejects if the server refuses it. */
  send(session: string, input: Chat): Promise<void>;
  /**
   * True if the prompt was entered on this page without a connection and there was none since: the server can't have
   * it. What a reload left over may have been sent before.
   */
  isHeld(prompt: SendingPrompt): boolean;
  /** Withdraws a held prompt. Its `send` rejects with an `AbortError`. */
  cancel(prompt: SendingPrompt): void;
  /** The connection is open: nothing is held any longer. */
  opened(): void;
  answer(question: string, answer: WireAnswer): Promise<void>;
}

/** Told about what a reload left over, because nothing on the page waits for it. */
interface Refusals {
  prompt(prompt: SendingPrompt, why: string): void;
  answer(question: string, why: string): void;
}

export function createOutbox(client: Client, refused: Refusals): Outbox {
  const prompts = createKept('rondo.outbox', isPrompt, withoutAttachments);
  const answers = createKept('rondo.answers', isAnswer);

  let held = $state.raw<ReadonlyMap<string, AbortController>>(new Map());

  const deliverPrompt = (prompt: SendingPrompt, isNew: boolean) =>
    prompts.while(prompt, async ({ session, input, key }) => {
      if (isLarge(input)) return sendLarge(session, input, key);
      const stop = new AbortController();
      if (isNew && client.connection.type !== 'open') held = new Map([...held, [key, stop]]);
      await client.send(session, input, { key, signal: stop.signal });
    });
  const deliverAnswer = (one: SendingAnswer) =>
    answers.while(one, async ({ question, answer, key }) => {
      await client.answer(question, answer, { key });
    });
  for (const prompt of prompts.all)
    void deliverPrompt(prompt, false).catch((error: unknown) => refused.prompt(prompt, (error as Error).message));
  for (const one of answers.all)
    void deliverAnswer(one).catch((error: unknown) => refused.answer(one.question, (error as Error).message));

  return {
    get prompts() {
      return prompts.all.length;
    },
    get answers() {
      return answers.all.length;
    },
    of: (session) => prompts.all.filter((prompt) => prompt.session === session),
    isAnswered: (id) => answers.all.some(({ question }) => question === id),
    send: (session, input) => deliverPrompt({ key: newKey(), session, input, at: Date.now() }, true),
    isHeld: ({ key }) => held.has(key),
    cancel: ({ key }) => held.get(key)?.abort(),
    opened: () => (held = new Map()),
    answer: (question, answer) => deliverAnswer({ key: newKey(), question, answer }),
  };
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

interface Kept<Item> {
  readonly all: readonly Item[];
  /** Keeps the item until it is delivered or refused. */
  while(item: Item, deliver: (item: Item) => Promise<void>): Promise<void>;
}

/** A list in the tab's storage. `smaller` makes an item fit if the whole list doesn't. */
function createKept<Item extends { readonly key: string }>(
  place: string,
  isItem: (value: unknown) => value is Item,
  smaller: (items: readonly Item[]) => readonly Item[] = () => [],
): Kept<Item> {
  let all = $state.raw<readonly Item[]>(stored(place).filter(isItem));

  function keep(next: readonly Item[]): void {
    all = next;
    try {
      sessionStorage.setItem(place, JSON.stringify(next));
    } catch {
      // Too large to store: it stays in memory, so only a reload would lose it.
      sessionStorage.setItem(place, JSON.stringify(smaller(next)));
    }
  }
  return {
    get all() {
      return all;
    },
    async while(item, deliver) {
      if (!all.some(({ key }) => key === item.key)) keep([...all, item]);
      try {
        await deliver(item);
      } finally {
        keep(all.filter(({ key }) => key !== item.key));
      }
    },
  };
}

function stored(place: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(place) ?? '[]');
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

const newKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), String).join('-');
const withoutAttachments = (prompts: readonly SendingPrompt[]) =>
  prompts.filter(({ input }) => input.attachments === undefined);

function isPrompt(value: unknown): value is SendingPrompt {
  const { key, session, input } = (value ?? {}) as {
    key?: unknown;
    session?: unknown;
    input?: { type?: unknown };
  };
  return typeof key === 'string' && typeof session === 'string' && input?.type === 'chat';
}

function isAnswer(value: unknown): value is SendingAnswer {
  const { key, question, answer } = (value ?? {}) as { key?: unknown; question?: unknown; answer?: unknown };
  return typeof key === 'string' && typeof question === 'string' && typeof answer === 'object' && answer !== null;
}
