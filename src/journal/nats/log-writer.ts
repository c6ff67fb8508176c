/**
 * Writes to session logs. This process keeps the end of each log that it owns. After each message it writes what others
 * look up: keys, answers, the directory. If that fails, it tries again until it succeeds; if this process dies in
 * between, the next writer repeats it from the log; see `catchUp`.
 */
import { hash, randomUUID } from 'node:crypto';

import type { SessionId } from '../../kernel/ids.ts';
import { Fault } from '../../kernel/fault.ts';
import type { KeptKey } from '../../ports/journal.ts';
import type { KeyedRecord } from '../../ports/upkeep.ts';
import { rondoVersion } from '../rondo-version.ts';
import type { Letters } from './letters.ts';
import type { NatsClient } from './nats-client.ts';
import { listedAfter, type SessionListing, type ListedAt, type SessionDirectory } from './session-directory.ts';
import { atSequence, logMessageOf, type LogBody, type LogHead, type LogMessage } from './session-log.ts';
import type { StoreLayout } from './store-layout.ts';

/** The end of a log that this process owns. */
export interface Tail {
  /** Its newest message. */
  readonly last: number;
  /** The newest position: an append or a fence. */
  readonly at: number;
  readonly head: LogHead;
  /** What the directory shows, and whether that reflects the newest message. */
  readonly listed: ListedAt;
}

export interface LogWriter {
  readonly tails: ReadonlyMap<SessionId, Tail>;
  /** Keeps the end of a log. What others look up after it is written later if that failed. */
  hold(session: SessionId, tail: Tail): void;
  /** This process doesn't own the log any more. */
  letGo(session: SessionId): void;
  /** One change of a session at a time. */
  inTurn<Value>(session: SessionId, work: () => Promise<Value>): Promise<Value>;
  /** The newest message, which is at least the one that this process, or the caller, knows. */
  newest(session: SessionId, known?: number): Promise<LogMessage | undefined>;
  /** Writes after a message; undefined if another one is there. */
  write(session: SessionId, body: Omit<LogBody, 'by'>, id?: string): Promise<LogMessage | undefined>;
  /** Writes what others look up after the message that follows a log's end. */
  listedWith(tail: Tail, message: LogMessage): Promise<ListedAt>;
  /** Writes what others look up for every message that the directory doesn't reflect yet. */
  catchUp(session: SessionId, newest: LogMessage): Promise<ListedAt>;
  /** Changes a log that this process owns under an epoch; false if it doesn't any more. */
  change(session: SessionId, epoch: number, body: (head: LogHead) => LogChange): Promise<boolean>;
  keyed(session: SessionId, key: string): Promise<KeptKey | undefined>;
  /** Adds the keys of records that were copied from another store, which are kept beside the log. */
  withKeys(session: SessionId, records: readonly KeyedRecord[]): Promise<readonly KeyedRecord[]>;
  noteDamage(session: SessionId, damage: SessionListing['damage']): Promise<void>;
}

type LogChange = Pick<LogBody, 'kind' | 'head'>;

interface WriterParts {
  readonly client: NatsClient;
  readonly layout: StoreLayout;
  readonly directory: SessionDirectory;
  readonly letters: Letters;
  readonly version?: string;
}

const listAgainMs = 1000;

/** Whether the directory reflects its newest message. */
function isListed({ listed, last }: Tail): boolean {
  return listed.listed.at >= last;
}

export function createLogWriter({ client, layout, directory, letters, version }: WriterParts): LogWriter {
  const tails = new Map<SessionId, Tail>();
  const turns = new Map<SessionId, Promise<unknown>>();
  /** Those whose newest message waits to be listed. */
  const unlisted = new Set<SessionId>();
  const by = version ?? rondoVersion();
  let noted: Promise<unknown> | undefined;

  const keySubject = (session: SessionId, key: string) =>
    layout.subject('kept', 'key', session, hash('sha256', key, 'base64url'));

  /** The version is noted once, before the first message that it wrote. */
  const noteVersion = () =>
    (noted ??= client
      .publish('Noting the version', layout.subject('live', 'writer', by), by)
      .catch((error: unknown) => {
        noted = undefined;
        throw error;
      }));

  async function write(session: SessionId, body: Omit<LogBody, 'by'>, id: string = randomUUID()) {
    await noteVersion();
    const { stream, subject } = layout.logOf(session);
    const whole: LogBody = { ...body, by };
    const seq = await client.publish(`Writing to session ${session}`, subject, JSON.stringify(whole), {
      expected: body.after,
      stream,
      id,
    });
    return seq === undefined ? undefined : atSequence(seq, id, whole);
  }

  async function follow(before: ListedAt, message: LogMessage): Promise<ListedAt> {
    const { session } = before.listed;
    const { records = [], settles = [] } = message;
    await Promise.all([
      ...records.map(async ([first, , , , key, digest]) => {
        if (key === undefined) return;
        const body = JSON.stringify({ key, digest, seq: first });
        await client.publish(`Keeping a key of session ${session}`, keySubject(session, key), body);
      }),
      ...settles.map(([letter, answer]) => letters.answer(letter, answer)),
    ]);
    return directory.write(listedAfter(before.listed, message), before.rev);
  }

  async function catchUp(session: SessionId, newest: LogMessage): Promise<ListedAt> {
    const entry = await directory.read(session);
    let at = entry ?? { rev: 0, listed: { session, at: 0, head: newest.head, questions: [] } };
    if (at.listed.at >= newest.seq) return at;
    const { stream, subject } = layout.logOf(session);
    const from = at.listed.at + 1;
    for await (const one of client.walk(`Reading session ${session}`, stream, subject, from, newest.seq)) {
      at = await follow(at, logMessageOf(one));
    }
    return at;
  }

  async function newest(session: SessionId, known = 0): Promise<LogMessage | undefined> {
    const { stream, subject } = layout.logOf(session);
    const doing = `Reading session ${session}`;
    const least = Math.max(known, tails.get(session)?.last ?? 0);
    const look = () => client.last(doing, stream, subject);
    let message = await look();
    // A leader that was just elected may not know it yet; or the servers lost it.
    if ((message?.seq ?? 0) < least && (await client.arrive(doing, stream, least))) message = await look();
    return message === undefined ? undefined : logMessageOf(message);
  }

  function inTurn<Value>(session: SessionId, work: () => Promise<Value>): Promise<Value> {
    const before = turns.get(session) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine
      .catch(() => undefined)
      .then(() => {
        if (turns.get(session) === settled) turns.delete(session);
      });
    turns.set(session, settled);
    return mine;
  }

  function hold(session: SessionId, tail: Tail): void {
    tails.set(session, tail);
    if (!isListed(tail)) listLater(session);
  }

  function listLater(session: SessionId): void {
    if (unlisted.has(session)) return;
    unlisted.add(session);
    setTimeout(() => {
      unlisted.delete(session);
      inTurn(session, () => listAgain(session)).catch((error: unknown) => {
        if (!(error instanceof Fault && error.code === 'closed')) listLater(session);
      });
    }, listAgainMs).unref();
  }

  async function listedWith(tail: Tail, message: LogMessage): Promise<ListedAt> {
    try {
      return isListed(tail)
        ? await follow(tail.listed, message)
        : await catchUp(tail.listed.listed.session, message);
    } catch (error) {
      // The log has it, so this isn't a failure.
      if (error instanceof Fault && error.code !== 'closed') return tail.listed;
      throw error;
    }
  }

  /** Without it a question that nobody sees, or an answer that nobody gets, would wait for the session's next change. */
  async function listAgain(session: SessionId): Promise<void> {
    const message = await newest(session);
    if (message === undefined) return;
    const listed = await catchUp(session, message);
    const tail = tails.get(session);
    if (tail?.last === message.seq) tails.set(session, { ...tail, listed });
  }

  return {
    tails,
    hold,
    letGo: (session) => void tails.delete(session),
    inTurn,
    newest,
    write,
    listedWith,
    catchUp,
    async change(session, epoch, body) {
      const tail = tails.get(session);
      if (tail?.head.epoch !== epoch) return false;
      const message = await write(session, { after: tail.last, ...body(tail.head) });
      if (message === undefined) return false;
      const listed = await listedWith(tail, message);
      hold(session, { ...tail, last: message.seq, head: message.head, listed });
      return true;
    },
    async keyed(session, key) {
      const message = await client.last(`Reading session ${session}`, layout.kept, keySubject(session, key));
      if (message === undefined) return undefined;
      const { digest, seq } = JSON.parse(message.body.toString()) as KeptKey;
      return { digest, seq };
    },
    async withKeys(session, records) {
      const listed = records.some(({ key }) => key === undefined) ? await directory.read(session) : undefined;
      if (listed?.listed.isCopied !== true) return records;
      const keys = new Map<number, NonNullable<KeyedRecord['key']>>();
      const subject = layout.subject('kept', 'key', session, '*');
      for await (const { body } of client.walk(`Reading session ${session}`, layout.kept, subject, 1)) {
        const { key, digest, seq } = JSON.parse(body.toString()) as KeptKey & { key: string };
        keys.set(seq, { key, digest });
      }
      return records.map((record) => {
        const key = record.key ?? keys.get(record.first);
        return key === undefined ? record : { ...record, key };
      });
    },
    async noteDamage(session, damage) {
      await directory.noteDamage(session, damage);
      const tail = tails.get(session);
      const entry = tail === undefined ? undefined : await directory.read(session);
      if (tail !== undefined && entry !== undefined) tails.set(session, { ...tail, listed: entry });
    },
  };
}
