/**
 * What lists show of each session, one subject each. Its entries follow the logs (O13): an entry names the message that
 * it reflects, an older one never replaces a newer, and the process that claims a session writes missing ones. Each process
 * keeps a copy that it brings up to date before it answers.
 */
import type { SessionId } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import type { Damage, Projection, QuestionEntry } from '../../ports/journal.ts';
import type { DirectoryEntry } from '../../views/directory.ts';
import { sessionsForkedIn } from '../references.ts';
import type { NatsClient } from './nats-client.ts';
import type { LogHead, LogMessage } from './session-log.ts';
import type { StoreLayout } from './store-layout.ts';

export interface SessionListing {
  readonly session: SessionId;
  /** The message of its log that this reflects. */
  readonly at: number;
  /** It is being created: there may be no message yet. */
  readonly isPending?: true;
  readonly head: LogHead;
  readonly entry?: DirectoryEntry;
  readonly questions: readonly QuestionEntry[];
  /** Sessions whose journals it refers to. */
  readonly refersTo?: readonly SessionId[];
  /** From another store: the keys of its records are beside the log. */
  readonly isCopied?: true;
  /** The name of its creation key. */
  readonly creation?: string;
  readonly damage?: Pick<Damage, 'seq' | 'reason'>;
}

export interface ListedAt {
  /** The entry's own sequence. */
  readonly rev: number;
  readonly listed: SessionListing;
}

export interface SessionDirectory {
  /** From the leader. */
  read(session: SessionId): Promise<ListedAt | undefined>;
  /** Writes an entry unless a newer one is there. Damage that others noted stays. */
  write(listed: SessionListing, rev: number): Promise<ListedAt>;
  /** Notes damage, or that the session is sound. */
  noteDamage(session: SessionId, damage: SessionListing['damage']): Promise<void>;
  /** This process's copy, with everything that was written before the call, without removed sessions. */
  all(): Promise<ReadonlyMap<SessionId, SessionListing>>;
  /** Sessions that changed after a sequence, and the newest sequence. */
  changes(since: number): Promise<{ readonly changed: readonly SessionListing[]; readonly next: number }>;
}

const mostRecent = 10_000;

export function createSessionDirectory(client: NatsClient, layout: StoreLayout): SessionDirectory {
  const copy = new Map<SessionId, SessionListing>();
  let recent: { readonly rev: number; readonly session: SessionId }[] = [];
  let seen = 0;
  let syncing: Promise<void> | undefined;
  const subjectOf = (session: SessionId) => layout.subject('directory', session);

  async function read(session: SessionId): Promise<ListedAt | undefined> {
    const message = await client.last(`Reading session ${session}`, layout.directory, subjectOf(session));
    return message === undefined ? undefined : { rev: message.seq, listed: parse(message.body) };
  }

  async function write(listed: SessionListing, rev: number): Promise<ListedAt> {
    let at: ListedAt = { rev, listed };
    for (;;) {
      const written = await client.publish(
        `Listing session ${listed.session}`,
        subjectOf(listed.session),
        JSON.stringify(at.listed),
        { expected: at.rev, stream: layout.directory },
      );
      if (written !== undefined) return { rev: written, listed: at.listed };
      const other = await read(listed.session);
      if (other !== undefined && other.listed.at > listed.at) return other;
      const damage = listed.damage ?? other?.listed.damage;
      at = { rev: other?.rev ?? 0, listed: damage === undefined ? listed : { ...listed, damage } };
    }
  }

  async function bringUpToDate(): Promise<void> {
    const everything = layout.subject('directory', '>');
    for await (const { seq, body } of client.walk('Listing sessions', layout.directory, everything, seen + 1)) {
      const listed = parse(body);
      if (listed.head.removed === true) copy.delete(listed.session);
      else copy.set(listed.session, listed);
      recent.push({ rev: seq, session: listed.session });
      seen = seq;
    }
    if (recent.length > 2 * mostRecent) recent = recent.slice(-mostRecent);
  }

  /** A caller waits for a poll that began after its call. */
  async function sync(): Promise<void> {
    await syncing?.catch(() => undefined);
    syncing ??= bringUpToDate().finally(() => {
      syncing = undefined;
    });
    await syncing;
  }

  return {
    read,
    write,
    async noteDamage(session, damage) {
      for (;;) {
        const entry = await read(session);
        if (entry === undefined || entry.listed.damage?.seq === damage?.seq) return;
        const { damage: _before, ...rest } = entry.listed;
        const listed = damage === undefined ? rest : { ...rest, damage };
        const written = await client.publish(
          `Noting the state of session ${session}`,
          subjectOf(session),
          JSON.stringify(listed),
          {
            expected: entry.rev,
            stream: layout.directory,
          },
        );
        if (written !== undefined) return;
      }
    },
    async all() {
      await sync();
      return copy;
    },
    async changes(since) {
      await sync();
      const sessions = new Set(recent.flatMap(({ rev, session }) => (rev > since ? [session] : [])));
      return {
        changed: [...sessions].flatMap((session) => copy.get(session) ?? []),
        next: Math.max(seen, since) + 1,
      };
    },
  };
}

/** What lists show after a message. */
export function listedAfter(
  before: SessionListing,
  { seq, kind, head, records = [], shown }: LogMessage,
): SessionListing {
  const { isPending: _isPending, ...rest } = before;
  const { session } = rest;
  if (head.removed === true) return { session, at: seq, head, questions: [] };
  const [first, , , body] = records[0] ?? [];
  const forked = first === 1 && body !== undefined ? sessionsForkedIn(session, body) : [];
  const at = {
    ...rest,
    at: seq,
    head,
    ...(forked.length > 0 && { refersTo: forked }),
    ...(kind === 'copied' && { isCopied: true as const }),
  };
  return shown === undefined ? at : { ...at, ...projected(before, shown) };
}

function projected(before: SessionListing, { entry, questionsOpened = [], questionsClosed = [] }: Projection) {
  const gone = new Set<string>([...questionsClosed, ...questionsOpened.map(({ id }) => id)]);
  const questions = [...before.questions.filter(({ id }) => !gone.has(id)), ...questionsOpened];
  return { ...optional({ entry }), questions };
}

function parse(body: Buffer): SessionListing {
  return JSON.parse(body.toString()) as SessionListing;
}
