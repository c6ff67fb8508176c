/**
 * The server's notifications as wake-ups between machines, sent beside appends and at most a few a second. A
 * transaction pooler lets LISTEN pass and delivers nothing, so a notification to ourselves shows whether they arrive.
 */
import { createListeners } from '../listeners.ts';
import type { Notifications } from '../server-news.ts';
import type { Database } from './database.ts';

interface NotificationParts {
  readonly db: Database;
  readonly channel: string;
  /** Distinguishes this process. */
  readonly self: () => string;
}

const soonMs = 200;
const pauseMs = 100;
const probeMs = 3000;
const againMs = 60_000;

export const noNotifications: Notifications = {
  startSoon: () => undefined,
  arrive: () => false,
  onNotified: () => () => undefined,
  notify: () => undefined,
  close: () => Promise.resolve(),
};

export function createNotifications({ db, channel, self }: NotificationParts): Notifications {
  const listeners = createListeners<void>();
  let connection: Awaited<ReturnType<Database['connect']>> | undefined;
  let isArriving = false;
  let isClosed = false;
  let start: NodeJS.Timeout | undefined;
  let sending: NodeJS.Timeout | undefined;
  let opening: Promise<void> | undefined;

  async function open(): Promise<void> {
    const opened = await db.connect();
    if (isClosed) return opened.end();
    connection = opened;
    opened.on('notification', ({ payload = '' }) => {
      if (payload === self()) isArriving = true;
      else listeners.tell();
    });
    opened.once('end', forget);
    // Listening doesn't keep the process alive.
    streamOf(opened)?.unref();
    await opened.query(`LISTEN "${channel}"`);
    await send();
    setTimeout(() => {
      if (!isArriving) void opened.end();
    }, probeMs).unref();
  }

  function forget(): void {
    connection = undefined;
    isArriving = false;
    opening = undefined;
    plan(againMs);
  }

  function plan(afterMs: number): void {
    if (isClosed || opening !== undefined) return;
    start ??= setTimeout(() => {
      start = undefined;
      opening ??= open().catch(forget);
    }, afterMs).unref();
  }

  async function send(): Promise<void> {
    await db.rows('Waking other processes', 'SELECT pg_notify($1, $2)', [channel, self()]).catch(() => undefined);
  }

  return {
    startSoon: () => plan(soonMs),
    arrive: () => isArriving,
    onNotified: (listener) => listeners.add(listener),
    notify() {
      if (isClosed) return;
      sending ??= setTimeout(() => {
        sending = undefined;
        void send();
      }, pauseMs).unref();
    },
    async close() {
      isClosed = true;
      clearTimeout(start);
      clearTimeout(sending);
      await opening?.catch(() => undefined);
      if (connection === undefined) return;
      streamOf(connection)?.ref();
      await connection.end().catch(() => undefined);
    },
  };
}

/** The client's types leave its socket out. */
function streamOf(client: object): { ref(): void; unref(): void } | undefined {
  return (client as { readonly connection?: { readonly stream?: { ref(): void; unref(): void } } }).connection
    ?.stream;
}
