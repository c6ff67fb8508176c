/**
 * Writes one session of a bundle to the journal in batches and lists it with the last one. The last batch settles
 * effects in flight and drops everything that acts (S1). Records of an interrupted import aren't written again.
 */
import type { BundleSession } from '../journal/bundle/bundle-line.ts';
import type { BundleItem } from '../journal/bundle/read-bundle.ts';
import { fieldsOf } from '../kernel/json-object.ts';
import type { AppendRequest, NewRecord } from '../ports/journal.ts';
import type { Store } from '../ports/store.ts';
import { system, type Actor } from '../kernel/actor.ts';
import type { Event, Recorded } from '../kernel/event.ts';
import { Fault } from '../kernel/fault.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { ImportedFrom } from '../kernel/input.ts';
import type { State } from '../kernel/state.ts';
import { step } from '../kernel/decide/step.ts';
import { timeAt } from '../kernel/time.ts';
import { createSessionFold } from '../session/read/fold-session.ts';
import { stateVersion } from '../session/read/load-session.ts';
import { renameIn } from './rename-session.ts';
import { optional } from '../kernel/optional.ts';

/** The role recorded with a session's last imported event. Earlier versions wrote a custom event. */
export function importedRole(event: Event | undefined): unknown {
  if (event?.type === 'session-imported') return event.role;
  if (event?.type !== 'custom' || event.name !== 'rondo.imported') return undefined;
  return fieldsOf(event.data)['role'] ?? 'main';
}

interface ImportParts {
  readonly store: Pick<Store, 'journal' | 'leases'>;
  /** The bundle's name, for messages. */
  readonly name: string;
  readonly now: () => number;
}

export interface SessionWriter {
  readonly id: SessionId;
  state(): State;
  add(record: Extract<BundleItem, { type: 'record' }>, ids: ReadonlyMap<SessionId, SessionId>): Promise<void>;
  /** The last append: makes the session inert and lists it. */
  finish(from: ImportedFrom): Promise<State>;
  /** Leaves the rest to a later import. */
  release(): Promise<void>;
}

const recordsAtOnce = 200;
const importer: Actor = { type: 'program', name: 'import' };

export async function openImport(
  { store, now, name }: ImportParts,
  id: SessionId,
  plan: BundleSession,
): Promise<SessionWriter> {
  const { journal, leases } = store;
  const fold = createSessionFold(id);
  const head = await journal.head(id);
  const answer = head === undefined ? undefined : await leases.claim(id);
  if (answer !== undefined && answer.type !== 'claimed')
    throw new Fault(
      'busy',
      `Can't import ${name}: another process works on session ${id}. Nothing was written to it; import it again later.`,
    );
  const claim = answer?.claim ?? leases.create(id);
  let { position } = claim;
  const there = head?.seq ?? 0;
  let waiting: NewRecord[] = [];
  let expected = there;

  async function append(projection?: AppendRequest['projection']): Promise<void> {
    if (waiting.length === 0) return;
    const request: AppendRequest = {
      session: id,
      position,
      expected,
      records: waiting,
      ...optional({ projection }),
    };
    let answer = await journal.append(request);
    // The bundle lacks content that was lost before the export.
    if (answer.type === 'blob-missing') answer = await journal.append({ ...request, lost: answer.hashes });
    if (answer.type !== 'appended') {
      throw new Fault('closed', `Can't import ${name}: another process writes to session ${id}. Import it again.`);
    }
    expected = answer.seq;
    ({ position } = answer);
    waiting = [];
  }

  return {
    id,
    state: () => fold.state,
    async add(record, ids) {
      const events = record.events.map((recorded): Recorded => ({
        ...recorded,
        event: renameIn(recorded.event, ids),
      }));
      fold.add(events);
      if (record.last <= there) return;
      const [{ at, by } = { at: 0, by: system }] = events;
      if (waiting.length >= recordsAtOnce) await append();
      waiting.push({
        at,
        by,
        events: events.map(({ event }) => JSON.stringify(event)),
        ...optional({ key: record.key }),
      });
    },
    async finish(from) {
      const at = timeAt(Math.max(now(), fold.state.updatedAt));
      const { events } = step(fold.state, { type: 'session-imported', ...from, at, by: importer });
      fold.add(events);
      waiting.push({ at, by: importer, events: events.map(({ event }) => JSON.stringify(event)) });
      const { entry, questions, due, inFlight } = fold.shown();
      const isListed = plan.role !== 'shared';
      await append(
        isListed && entry !== undefined ? { entry, questionsOpened: questions, due, inFlight } : undefined,
      );
      const { state } = fold;
      const snapshot = { seq: state.seq, version: stateVersion, body: JSON.stringify(state) };
      await journal.saveSnapshot(id, snapshot, claim);
      await claim.release();
      return state;
    },
    release: () => claim.release(),
  };
}
