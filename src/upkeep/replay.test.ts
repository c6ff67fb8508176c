import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { expect, test } from 'vitest';

import { decodeRecord } from '../journal/codec.ts';
import { type StoredRecord } from '../ports/stored-record.ts';
import { createMemoryStore } from '../journal/memory-store.ts';
import type { Recorded } from '../kernel/event.ts';
import type { SessionId } from '../kernel/ids.ts';
import { step } from '../kernel/decide/step.ts';
import { createTestingModel } from '../models/testing-model.ts';
import { createRondo } from '../rondo.ts';
import { loadSession } from '../session/read/load-session.ts';
import { sessionFromBundle } from '../testing/session-from-bundle.ts';
import { testTool } from '../testing/test-tool.ts';
import { storedTransitions } from './journal-transitions.ts';
import { replay } from './replay.ts';

const settings = {
  agents: { testing: { model: 'testing' } },
  models: { testing: createTestingModel() },
};
const tools = () => [
  testTool('look', () => `seen ${'a long sight '.repeat(1000)}`),
  testTool('touch', () => 'touched', { access: 'write', repeat: 'never' }),
  testTool('break', () => ({ type: 'error', code: 'broken', message: 'it broke' })),
];

/** A session with most kinds of events. */
async function eventfulSession() {
  const store = createMemoryStore();
  const rondo = await createRondo({ ...settings, store, tools: tools() });
  const session = await rondo.sessions.create({
    agent: 'testing',
    limits: { cost: 5, wallTimeMs: 3_600_000, questionExpiryMs: 86_400_000 },
  });
  await session.chat('call look {}\ncall break {}\nsay I have looked');
  await session.chat('call touch {"path":"a"}\ncall touch {"path":"b"}\nsay it is done');
  await session.send({ type: 'chat', text: 'say later', delivery: 'queue' });
  const answer = async (type: 'allow-once' | 'reject') => {
    const [question] = (await session.status()).questions;
    await session.answer(question?.id ?? '', { type });
  };
  await answer('allow-once');
  await answer('reject');
  await session.wait();
  await session.wait();
  await session.send({ type: 'mode', mode: 'supervised' });
  await session.chat('say reviewed');
  await session.interrupt('enough');
  await session.send({ type: 'chat', text: 'hang', delivery: 'queue' });
  await session.interrupt();
  await session.wait();
  await session.chat('fail');
  await session.terminate('over');
  return { store, rondo, session };
}

test('[C124] [S3] a session is decided again step by step, and ends in the live state', async () => {
  const { store, rondo, session } = await eventfulSession();
  await using _ = rondo;
  const steps = await Array.fromAsync(replay(storedTransitions(store, session.id), { session: session.id }));
  expect(steps.filter(({ verdict }) => verdict.type !== 'equal')).toEqual([]);
  expect(steps.flatMap(({ broken }) => broken)).toEqual([]);
  expect(steps.length).toBeGreaterThan(20);
  expect(steps.at(-1)?.state).toEqual((await loadSession(store.journal, session.id))?.state);
});

test('[C124] until an event: the state there, in the middle of a transition, too', async () => {
  const { store, rondo, session } = await eventfulSession();
  await using _ = rondo;
  const { events } = await store.journal.read(session.id, { after: 0 });
  for (const { seq } of events) {
    const steps = await Array.fromAsync(
      replay(storedTransitions(store, session.id), { session: session.id, until: seq }),
    );
    expect(steps.at(-1)?.state.seq).toBe(seq);
  }
});

test('[C124] reports the sequence of events that no input can cause', async () => {
  const { store, rondo, session } = await eventfulSession();
  await using _ = rondo;
  const transitions = await Array.fromAsync(storedTransitions(store, session.id));
  const place = transitions.findIndex((events) => events.some(({ event }) => event.type === 'tool-run-intended'));
  const changed = transitions.map((events, index) =>
    index !== place
      ? events
      : events.map((recorded): Recorded =>
          recorded.event.type === 'tool-run-intended'
            ? { ...recorded, event: { ...recorded.event, repeat: 'ask' } }
            : recorded,
        ),
  );
  const steps = await Array.fromAsync(replay(changed, { session: session.id }));
  const different = steps.filter(({ verdict }) => verdict.type === 'differs');
  expect(different.map(({ first, verdict }) => ({ first, verdict }))).toEqual([
    {
      first: transitions[place]?.[0]?.seq,
      verdict: {
        type: 'differs',
        input: 'model-settled',
        instead: transitions[place]?.map(({ event }) => event),
      },
    },
  ]);
});

/**
 * Transitions that later kernels decide differently, by their first event: a count they no longer trust (129), and
 * calls of external agents that they count.
 */
const decidedOtherwise: Readonly<Record<string, readonly number[]>> = {
  'v0.1.jsonl': [121],
  'v0.2.jsonl': [121, 129],
  'v0.3.jsonl': [153],
};

const golden = path.resolve(import.meta.dirname, '../../test/golden');
const releases = readdirSync(golden).filter((file) => /^v[\d.]+\.jsonl$/.test(file));

test.each(releases)(
  '[P11] [C124] folds the golden journal %s to the end and lists decisions that differ today',
  async (file) => {
    const records = readFileSync(path.join(golden, file), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as StoredRecord);
    const session = records[0]?.session ?? ('' as SessionId);
    const transitions = records.map((record) => {
      const decoded = decodeRecord(record);
      return decoded.type === 'decoded' ? decoded.events : [];
    });
    const steps = await Array.fromAsync(replay(transitions, { session }));
    expect(steps.at(-1)?.last).toBe(records.at(-1)?.last);
    expect(steps.filter(({ verdict }) => verdict.type === 'differs').map(({ first }) => first)).toEqual(
      decidedOtherwise[file] ?? [],
    );
  },
);

test('[C124] a bundle becomes a test: same states, same differences, model and tools as they were', async () => {
  const { rondo, session } = await eventfulSession();
  await using _ = rondo;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-replay-'));
  try {
    const file = path.join(folder, 'theirs.rondo');
    const { pieces } = await rondo.sessions.export(session.id);
    await writeFile(file, (await Array.fromAsync(pieces)).join(''));
    const bundled = await sessionFromBundle(file);
    expect(await bundled.differences()).toEqual([]);
    expect(bundled.stateAt(Infinity)).toEqual((await rondo.sessions.load(session.id)).state);

    // A kernel bug, as seen before and after its fix.
    const forgetful: typeof step = (state, input) => {
      const transition = step(state, input);
      return input.type === 'tool-settled' ? { ...transition, events: [] } : transition;
    };
    const [first] = await bundled.differences(forgetful);
    expect(first).toMatch(/^tool-settled at \d+ gave nothing$/);

    // The same conversation against the recorded model and tools.
    const store = createMemoryStore();
    await using again = await createRondo({
      store,
      agents: { testing: { model: 'recorded' } },
      models: { recorded: bundled.model },
      tools: bundled.tools,
    });
    const copy = await again.sessions.create({ agent: 'testing' });
    const reply = await copy.chat(bundled.prompts[0] ?? '');
    expect(reply.text).toBe('I have looked');
    const output = async (of: typeof again, id: SessionId) => {
      const { items } = await (await of.sessions.open(id)).transcript({ limit: 4 });
      return items.flatMap((item) => (item.type === 'call' ? [{ tool: item.tool, state: item.state.type }] : []));
    };
    expect(await output(again, copy.id)).toEqual([
      { tool: 'look', state: 'succeeded' },
      { tool: 'break', state: 'failed' },
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
