/** What other processes did, read from the streams; and core subjects that say "look". */
import { setTimeout as sleep } from 'node:timers/promises';

import type { SessionId } from '../../kernel/ids.ts';
import { createListeners } from '../listeners.ts';
import type { News, Notifications } from '../server-news.ts';
import type { WakeParts } from '../server-wake-ups.ts';
import type { Letters } from './letters.ts';
import type { NatsClient } from './nats-client.ts';
import type { SessionDirectory } from './session-directory.ts';
import { headOf } from './session-log.ts';
import type { LogWriter } from './log-writer.ts';
import { sessionIn, type StoreLayout } from './store-layout.ts';

interface NewsParts {
  readonly client: NatsClient;
  readonly layout: StoreLayout;
  readonly self: () => { readonly id: string };
  readonly directory: SessionDirectory;
  readonly letters: Letters;
  readonly writer: LogWriter;
  /** The newest change of the job queue. */
  readonly queue: () => Promise<number>;
}

export function createNewsReader({
  client,
  layout,
  self,
  directory,
  letters,
  writer,
  queue,
}: NewsParts): WakeParts['read'] {
  const doing = 'Looking for news';

  const isOurs = (session: SessionId) => writer.tails.has(session);

  async function handOvers(): Promise<News['handOvers']> {
    const subjects = await client.subjects(doing, layout.live, layout.subject('live', 'handover', '*'));
    const messages = await Promise.all(
      subjects
        .filter((subject) => isOurs(sessionIn(subject, 3)))
        .map((subject) => client.last(doing, layout.live, subject)),
    );
    return messages.flatMap((message) => {
      if (message === undefined) return [];
      const { session, withinMs } = JSON.parse(message.body.toString()) as {
        session: SessionId;
        withinMs: number | null;
      };
      return [[message.seq, session, withinMs] as const];
    });
  }

  async function isDraining(): Promise<boolean> {
    const subjects = await client.subjects(doing, layout.live, layout.subject('live', 'node', '*'));
    const nodes = await Promise.all(subjects.map((subject) => client.last(doing, layout.live, subject)));
    return nodes.some((node) => {
      if (node === undefined) return false;
      const { owner, draining } = JSON.parse(node.body.toString()) as { owner: string; draining: number };
      return owner === self().id && draining === 1;
    });
  }

  async function freeOf(sessions: readonly SessionId[]): Promise<readonly SessionId[]> {
    const heads = await Promise.all(sessions.map(async (session) => headOf(await writer.newest(session))));
    return sessions.filter((_, index) => (heads[index]?.owner ?? null) === null);
  }

  async function answersTo(ids: readonly number[]): Promise<News['answers']> {
    const answers = await Promise.all(ids.map(async (id) => [id, await letters.answerOf(id)] as const));
    return answers.flatMap(([id, answer]) => (answer === undefined ? [] : [[id, answer] as const]));
  }

  const nothingChanged = async () => ({ changed: [], next: (await client.lastSeq(doing, layout.directory)) + 1 });

  return async ({ releases, letters: awaited, since }) => {
    const isOwning = writer.tails.size > 0;
    const [arrivals, asked, free, answers, draining, number, commits] = await Promise.all([
      isOwning ? letters.pending() : [],
      isOwning ? handOvers() : [],
      freeOf(releases),
      answersTo(awaited),
      isDraining(),
      queue(),
      since === null ? nothingChanged() : directory.changes(since - 1),
    ]);
    return {
      arrivals: arrivals.filter(isOurs),
      handOvers: asked,
      free,
      answers,
      draining,
      queue: number,
      commits: commits.changed.flatMap(({ session, head }) =>
        head.seq > 0 ? [[session, head.seq] as const] : [],
      ),
      oldest: commits.next,
      next: commits.next,
      server: '',
    };
  };
}

/** At most so many wake-ups a second. */
const pauseMs = 10;

export function createCoreNotifications(client: NatsClient, subject: string): Notifications {
  const listeners = createListeners<void>();
  const { connection } = client;
  let sending: NodeJS.Timeout | undefined;
  let isListening = false;

  function listen(): void {
    if (isListening || connection.isClosed()) return;
    isListening = true;
    connection.subscribe(subject, { callback: () => listeners.tell() });
    // The first poll finds earlier writes.
    listeners.tell();
  }

  return {
    startSoon: listen,
    arrive: () => isListening,
    onNotified: (listener) => listeners.add(listener),
    notify() {
      sending ??= setTimeout(() => {
        sending = undefined;
        if (!connection.isClosed()) connection.publish(subject);
      }, pauseMs).unref();
    },
    async close() {
      if (sending === undefined || connection.isClosed()) return;
      clearTimeout(sending);
      connection.publish(subject);
      // Best effort: without a connection it would wait for one.
      await Promise.race([connection.flush().catch(() => undefined), sleep(200, undefined, { ref: false })]);
    },
  };
}
