import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { decodeRecord } from '../journal/codec.ts';
import { type StoredRecord } from '../ports/stored-record.ts';
import type { Recorded } from '../kernel/event.ts';
import { evolve } from '../kernel/evolve/evolve.ts';
import { newState } from '../kernel/state.ts';
import { readStatus } from '../session/read/read-status.ts';
import { itemsBetween } from './persistent-list.ts';
import { resumedTranscript, withQueuedRequest } from './resumed-transcript.ts';
import { lastPage } from './transcript-page.ts';
import { newTranscript, transcriptWith, type Transcript } from './transcript.ts';

const { session, events } = goldenStory();

describe('a transcript resumed from a snapshot', () => {
  test('[P5] continues to the same items as one folded from the first event, wherever the snapshot was taken', async () => {
    const whole = events.reduce(transcriptWith, newTranscript(session));
    for (let at = 1; at < events.length; at += 1) {
      const rest = events.slice(at);
      const resumed = rest.reduce(transcriptWith, await snapshotAfter(at));
      expect({ at, items: summary(resumed) }).toEqual({ at, items: summary(whole) });
    }
  });
});

/** As a server builds it, with a status computed from the state and the journal. */
async function snapshotAfter(count: number): Promise<Transcript> {
  const before = events.slice(0, count);
  const state = before.reduce(evolve, newState(session));
  const read = async (_: unknown, { after }: { readonly after: number }) => ({
    events: before.filter(({ seq }) => seq === after + 1),
    last: count,
  });
  const page = lastPage(before.reduce(transcriptWith, newTranscript(session)), 1000);
  return before.reduce(withQueuedRequest, resumedTranscript(await readStatus({ read }, state), page));
}

/** Without data that only earlier events hold: which agent served a turn, and who edited a waiting prompt. */
function summary({ items }: Transcript): readonly object[] {
  return itemsBetween(items, 0, items.length).map((item) => {
    const { agent: _, model: __, receivedAt: ___, ...rest } = { agent: '', model: '', receivedAt: 0, ...item };
    return item.type === 'prompt' ? { ...rest, edited: '' } : rest;
  });
}

function goldenStory() {
  const lines = readFileSync(new URL('../../test/golden/v0.1.jsonl', import.meta.url), 'utf8').split('\n');
  const records = lines.filter(Boolean).map((line) => JSON.parse(line) as StoredRecord);
  const first = records[0];
  if (first === undefined) throw new Error('The golden journal is empty.');
  return { session: first.session, events: records.flatMap(eventsIn) };
}

function eventsIn(record: StoredRecord): readonly Recorded[] {
  const decoded = decodeRecord(record);
  if (decoded.type === 'damaged') throw new Error(`Record ${record.first} cannot be read.`);
  return decoded.events;
}
