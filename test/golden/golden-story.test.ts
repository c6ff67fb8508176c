import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { decodeRecord, knownEvents } from '../../src/journal/codec.ts';
import { type StoredRecord } from '../../src/ports/stored-record.ts';
import type { Recorded } from '../../src/kernel/event.ts';
import { evolve } from '../../src/kernel/evolve/evolve.ts';
import { newState, type State } from '../../src/kernel/state.ts';
import { journalProblems } from '../../src/testing/journal-checks.ts';
import { lastPage } from '../../src/views/transcript-page.ts';
import { transcriptOf } from '../../src/views/transcript.ts';

const folder = import.meta.dirname;

interface Expected {
  readonly state: State;
  readonly transcript: { readonly items: readonly { readonly id: string }[] };
}

const releases = readdirSync(folder)
  .filter((file) => /^v[\d.]+(-\w+)?\.jsonl$/.test(file))
  .map((file) => file.slice(0, -'.jsonl'.length));

describe.each(releases)('the golden journal of %s', (release) => {
  const records = readFileSync(path.join(folder, `${release}.jsonl`), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as StoredRecord);
  const events = records.flatMap(eventsIn);
  const session = records[0]?.session ?? ('' as StoredRecord['session']);
  const expected = JSON.parse(readFileSync(path.join(folder, `${release}.expected.json`), 'utf8')) as Expected;
  const shownThen = new Set(expected.transcript.items.map(({ id }) => id));

  test('[P11] folds to the state and the transcript that its release saw', () => {
    const state = events.reduce(evolve, newState(session));
    const { items, ...page } = lastPage(transcriptOf(session, events), events.length);
    const transcript = { ...page, items: items.filter(({ id }) => shownThen.has(id)) };
    const folded = JSON.parse(JSON.stringify({ state: withoutEstimate(state), transcript })) as Expected;
    expect(folded.state).toEqual(withoutEstimate(expected.state));
    // A later release may show more about an item, never less.
    expect(folded.transcript).toMatchObject(expected.transcript);
  });

  test('[P11] what a later release shows beside it are notices of things that were recorded then', () => {
    const { items } = lastPage(transcriptOf(session, events), events.length);
    const later = items.filter(({ id }) => !shownThen.has(id));
    expect(later.filter(({ type }) => type !== 'notice')).toEqual([]);
  });

  test('[P11] is a sound journal', () => {
    expect(journalProblems(session, events)).toEqual([]);
  });
});

test('[P11] the newest golden journal holds every event that can be written today', () => {
  const version = (name: string) => name.split('-', 1)[0] ?? '';
  const newest = releases.map(version).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1) ?? '';
  const lines = releases
    .filter((name) => version(name) === newest)
    .flatMap((name) => readFileSync(path.join(folder, `${name}.jsonl`), 'utf8').split('\n').filter(Boolean));
  const written = new Set(lines.flatMap((line) => eventsIn(JSON.parse(line) as StoredRecord)).map(({ event }) => event.type));
  expect([...written].toSorted()).toEqual(Object.keys(knownEvents).toSorted());
});

test('[P11] a golden journal is not rewritten unless it is forced', async () => {
  const script = path.join(folder, '../../scripts/write-golden.ts');
  const refused = await promisify(execFile)(process.execPath, [script]).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('never rewritten') as string });
});

/** The context's tokens are an estimate, and later releases estimate better. */
function withoutEstimate(state: State): unknown {
  const { tokens: _, ...context } = state.context;
  return { ...state, context };
}

function eventsIn(record: StoredRecord): readonly Recorded[] {
  const decoded = decodeRecord(record);
  if (decoded.type === 'damaged') throw new Error(`The record at ${record.first} is damaged: ${decoded.reason}`);
  return decoded.events;
}
