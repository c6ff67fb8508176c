// Journals `<release>-<story>.jsonl`: a head that names session and release, then the body of one stored record per
// line. `<release>-<story>.state.json` is the state it folds to.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checksumOf } from '../../src/journal/checksum.ts';
import { decodeRecord } from '../../src/journal/codec.ts';
import type { Recorded } from '../../src/kernel/event.ts';
import { evolve } from '../../src/kernel/evolve/evolve.ts';
import type { SessionId } from '../../src/kernel/ids.ts';
import { newState, type State } from '../../src/kernel/state.ts';
import { journalProblems } from '../../src/testing/journal-checks.ts';

const folder = import.meta.dirname;
const stories = readdirSync(folder)
  .filter((file) => /^[\d.]+-.*\.jsonl$/.test(file))
  .map((file) => file.slice(0, -'.jsonl'.length));

describe.each(stories)('the golden journal %s', (story) => {
  const [head = '', ...bodies] = readFileSync(path.join(folder, `${story}.jsonl`), 'utf8').split('\n').filter(Boolean);
  const { session } = JSON.parse(head) as { session: SessionId };
  const events: Recorded[] = [];
  for (const body of bodies) events.push(...decoded(session, events.length + 1, body));

  test('[P11] folds to the state that its release saw, and is sound', () => {
    const expected = JSON.parse(readFileSync(path.join(folder, `${story}.state.json`), 'utf8')) as State;
    const state = events.reduce(evolve, newState(session));
    expect(JSON.parse(JSON.stringify(withoutEstimate(state)))).toEqual(withoutEstimate(expected));
    expect(journalProblems(session, events)).toEqual([]);
  });
});

/** The context's tokens are an estimate, and later releases estimate better. */
function withoutEstimate(state: State): unknown {
  const { tokens: _, ...context } = state.context;
  return { ...state, context };
}

function decoded(session: SessionId, first: number, body: string): readonly Recorded[] {
  const count = (JSON.parse(body) as { e: readonly unknown[] }).e.length;
  const record = { session, first, last: first + count - 1, body, checksum: checksumOf(session, first, body) };
  const found = decodeRecord(record);
  if (found.type === 'damaged') throw new Error(`The record at ${first} is damaged: ${found.reason}`);
  return found.events;
}
