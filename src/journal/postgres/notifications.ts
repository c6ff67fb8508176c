/**
 * The server's notifications as wake-ups between machines, sent beside appends and at most a few a second. A
 * transaction pooler lets LISTEN pass and delivers nothing, and a connection can fall silent without an end. So each
 * minute a notification to ourselves shows whether they arrive.
 */
import { createListeners } from '../listeners.ts';
import type { Notifications } from '../server-news.ts';
import type { Database } from './database.ts';

interface NotificationParts {
  readonly db: Database;
  readonly channel: string;
  /** Distinguishes this process. */
  readonly self: () => string;
  /** How long a notification to ourselves may take. */
  readonly probeMs?: number;
  /** Between two of them, and before a connection is opened again. */
  readonly againMs?: number;
}

const soonMs = 200;
const pauseMs = 100;
/** A silent server doesn't answer a farewell. */
const closeMs = 1000;

export const noNotifications: Notifications = {
  startSoon: () => undefined,
  arrive: () => false,
  onNotified: () => () => undefined,
  notify: () => undefined,
  close: () => Promise.resolve(),
};

export function createNotifications({
  db,
  channel,
  self,
  probeMs = 3000,
  againMs = 60_000,
}: NotificationParts): Notifications {
  const listeners = createListeners<void>();
  let connection: Connection | undefined;
  let isArriving = false;
  let hasArrived = false;
  let isClosed = false;
  let start: NodeJS.Timeout | undefined;
  let sending: NodeJS.Timeout | undefined;
  let opening: Promise<void> | undefined;

  async function open(): Promise<void> {
    const opened = await db.connect();
    if (isClosed) return opened.end();
    connection = opened;
    opened.on('notification', ({ payload = '' }) => {
      if (payload === self()) isArriving = hasArrived = true;
      else listeners.tell();
    });
    opened.once('end', () => forget(opened));
    // Listening doesn't keep the process alive.
    streamOf(opened)?.unref();
    await opened.query(`LISTEN "${channel}"`);
    await probe(opened);
  }

  async function probe(opened: Connection): Promise<void> {
    hasArrived = false;
    await send();
    setTimeout(() => {
      if (hasArrived) setTimeout(() => void (connection === opened && probe(opened)), againMs).unref();
      else forget(opened);
    }, probeMs).unref();
  }

  function forget(opened: Connection | undefined): void {
    if (connection !== opened) return;
    connection = undefined;
    isArriving = false;
    opening = undefined;
    // A silent one would never end.
    streamOf(opened)?.destroy();
    plan(againMs);
  }

  function plan(afterMs: number): void {
    if (isClosed || opening !== undefined) return;
    start ??= setTimeout(() => {
      start = undefined;
      opening ??= open().catch(() => forget(connection));
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
      const stream = streamOf(connection);
      stream?.ref();
      const silent = setTimeout(() => stream?.destroy(), closeMs);
      await connection.end().catch(() => undefined);
      clearTimeout(silent);
    },
  };
}

type Connection = Awaited<ReturnType<Database['connect']>>;

interface Stream {
  ref(): void;
  unref(): void;
  destroy(): void;
}

/** The client's types leave its socket out. */
function streamOf(client: object | undefined): Stream | undefined {
  if (client === undefined) return undefined;
  return (client as { readonly connection?: { readonly stream?: Stream } }).connection?.stream;
}
