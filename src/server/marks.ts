/**
 * What people mark in their list of sessions: read, pinned, archived. It belongs to the list, not to the session, so
 * it isn't part of the journal.
 */
import { fieldsOf } from '../kernel/json-object.ts';
import type { TokenFile } from './tokens.ts';

interface SessionMark {
  /** A turn that ended before this time counts as read. */
  readonly seenAt?: number;
  readonly isPinned?: boolean;
  readonly isArchived?: boolean;
}

export interface Marks {
  /** Everything older than the first use counts as read. */
  readonly since: number;
  of(session: string): SessionMark;
  readonly archived: readonly string[];
}

export interface MarkStore {
  load(): Promise<Marks>;
  set(session: string, mark: SessionMark): Promise<void>;
  /** Marks every session as read. */
  readAll(): Promise<void>;
  forget(session: string): Promise<void>;
}

interface Kept {
  readonly version: 1;
  readonly since: number;
  readonly marks: Readonly<Record<string, SessionMark>>;
}

/** The oldest marks beyond this number are dropped. */
const most = 20_000;

export function createMarks(file: TokenFile, now: () => number): MarkStore {
  let cached: Promise<Kept> | undefined;

  async function change(next: (kept: Kept) => Kept): Promise<void> {
    await file.update((value) => next(keptIn(value, now())));
    cached = undefined;
  }
  async function read(): Promise<Kept> {
    const value = await file.read();
    if (value === undefined) await file.update((present) => keptIn(present, now()));
    return keptIn(await file.read(), now());
  }
  return {
    async load() {
      cached ??= read();
      cached.catch(() => (cached = undefined));
      const { since, marks } = await cached;
      const archived = Object.keys(marks).filter((session) => marks[session]?.isArchived === true);
      return { since, of: (session) => marks[session] ?? {}, archived };
    },
    set: (session, mark) =>
      change((kept) => {
        const { [session]: had, ...others } = kept.marks;
        const entries = Object.entries({ ...others, [session]: { ...had, ...mark } });
        return { ...kept, marks: Object.fromEntries(entries.slice(-most)) };
      }),
    readAll: () => change((kept) => ({ ...kept, since: now() })),
    forget: (session) =>
      change((kept) => {
        const { [session]: _, ...marks } = kept.marks;
        return { ...kept, marks };
      }),
  };
}

/** A file of another shape counts as empty: marks are a convenience. */
function keptIn(value: unknown, at: number): Kept {
  const { since, marks } = fieldsOf(value);
  return {
    version: 1,
    since: typeof since === 'number' ? since : at,
    marks: fieldsOf(marks) as Kept['marks'],
  };
}

/** Marks that last as long as the process. */
export function createMemoryFile(): TokenFile {
  let value: unknown;
  return {
    read: () => Promise.resolve(value),
    update(change) {
      value = change(value);
      return Promise.resolve();
    },
  };
}
