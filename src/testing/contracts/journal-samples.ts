import { positionAt } from '../../journal/epoch-position.ts';
import type { AppendRequest, NewRecord, QuestionEntry } from '../../ports/journal.ts';
import type { DirectoryEntry } from '../../views/directory.ts';
import type { Position } from '../../ports/lease.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Event, Recorded } from '../../kernel/event.ts';
import type { QuestionId, SessionId } from '../../kernel/ids.ts';

export const ada: Actor = { type: 'person', name: 'Ada' };
export const first = 'ses_first' as SessionId;
export const second = 'ses_second' as SessionId;

/** The position after the last append; see `tracked-store.ts`. */
export const nextPosition: Position = positionAt(1);

/** A record of `custom` events with these names. */
export function record(...names: readonly string[]): NewRecord {
  return { at: 1000, by: ada, events: names.map((name) => JSON.stringify(custom(name))) };
}

export function keyedRecord(name: string, key: string, digest = `digest of ${name}`): NewRecord {
  return { ...record(name), key: { key, digest } };
}

/** The events that `record` reads back as, from a sequence on. */
export function recorded(from: number, ...names: readonly string[]): readonly Recorded[] {
  return names.map((name, index) => ({ seq: from + index, at: 1000, by: ada, event: custom(name) }));
}

export function request(
  expected: number,
  records: readonly NewRecord[],
  more?: Partial<AppendRequest>,
): AppendRequest {
  return { session: first, position: nextPosition, expected, records, ...more };
}

export function directoryEntry(session: SessionId, more?: Partial<DirectoryEntry>): DirectoryEntry {
  return {
    session,
    createdAt: 1,
    updatedAt: 1,
    title: 'A title',
    agent: 'default',
    mode: 'interactive',
    cwd: '/work',
    state: 'idle',
    questions: 0,
    queued: 0,
    turns: 0,
    inputTokens: 0,
    outputTokens: 0,
    cost: 0,
    costIsKnown: true,
    ...more,
  };
}

export function questionEntry(session: SessionId, id: string, openedAt: number): QuestionEntry {
  return { id: id as QuestionId, session, openedAt, type: 'approval', about: '{"call":"c1"}' };
}

/** The next value a listener receives. */
export function nextOf<Value>(listen: (listener: (value: Value) => void) => () => void): Promise<Value> {
  const { promise, resolve } = Promise.withResolvers<Value>();
  const stop = listen((value) => {
    stop();
    resolve(value);
  });
  return promise;
}

function custom(name: string): Event {
  return { type: 'custom', name, data: null };
}
