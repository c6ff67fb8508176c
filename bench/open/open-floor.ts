import path from 'node:path';

import { foldFloor, newFloorState, type FloorRecord, type FloorState } from '../workload/floor-event.ts';
import { openFloorStore, type FloorStore } from '../workload/floor-store.ts';
import { userText } from '../workload/turn-work.ts';
import type { OpeningTask } from './open-session.ts';
import { seededSession } from './seed-rondo.ts';

const messagesInTurn = 4;
const screenEvents = 400;

export function measureFloorOpening(task: OpeningTask): number {
  const started = performance.now();
  const store = openFloorStore(path.join(task.folder, 'floor.db'), 'clustered');
  const messages = task.until === 'first-screen' ? screen(store) : load(store, task).messages;
  const ms = performance.now() - started;
  const expected = task.turns * messagesInTurn + 1 + (task.until === 'model-call' ? 1 : 0);
  if (task.until !== 'first-screen' && messages.length !== expected) {
    throw new Error(`The floor has ${messages.length} messages instead of ${expected}.`);
  }
  return ms;
}

function load(store: FloorStore, { opener, until }: OpeningTask): FloorState {
  const state = opener === 'floor-fold' ? newFloorState() : snapshotIn(store);
  const tail = store.database.prepare<[string, number], { body: string }>(
    'SELECT body FROM events WHERE session = ? AND seq > ? ORDER BY seq',
  );
  for (const { body } of tail.iterate(seededSession, state.seq)) {
    const record = JSON.parse(body) as FloorRecord;
    foldFloor(state, record);
    state.seq = record.seq;
  }
  if (until === 'ready') return state;
  // A prompt is on disk before the model is called with it.
  const prompt = { type: 'user', text: userText } as const;
  store.begin();
  store.append(seededSession, state.seq + 1, JSON.stringify(prompt));
  store.commit();
  foldFloor(state, prompt);
  return state;
}

function snapshotIn(store: FloorStore): FloorState {
  const select = store.database.prepare<[string], { body: string }>(
    'SELECT body FROM snapshots WHERE session = ?',
  );
  return JSON.parse(select.get(seededSession)?.body ?? '') as FloorState;
}

function screen(store: FloorStore): FloorState['messages'] {
  const select = store.database.prepare<[string, number], { body: string }>(
    'SELECT body FROM events WHERE session = ? ORDER BY seq DESC LIMIT ?',
  );
  const state = newFloorState();
  for (const { body } of select.all(seededSession, screenEvents).toReversed()) {
    foldFloor(state, JSON.parse(body) as FloorRecord);
  }
  return state.messages;
}
