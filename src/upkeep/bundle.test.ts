import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { createMemoryStore, type MemoryStore } from '../journal/memory-store.ts';
import { createChain, hashLength } from '../journal/bundle/bundle-line.ts';
import { isSessionId, type SessionId } from '../kernel/ids.ts';
import { defaultLimits } from '../kernel/limits.ts';
import { createTestingModel } from '../models/testing-model.ts';
import { createRondo, type Rondo } from '../rondo.ts';
import { loadSession } from '../session/read/load-session.ts';
import { completedReply } from '../testing/completed-reply.ts';
import { testTool } from '../testing/test-tool.ts';

const secret = 'sk-proj-a1B2c3D4e5F6g7H8a1B2c3D4e5F6g7H8a1B2c3D4';

async function openRondo(store: MemoryStore): Promise<Rondo> {
  return createRondo({
    store,
    agents: { testing: { model: 'testing' } },
    models: { testing: createTestingModel() },
    tools: [
      testTool('look', () => `seen ${'a long sight '.repeat(1000)}`),
      testTool('touch', () => 'touched', { access: 'write', repeat: 'never' }),
    ],
  });
}

/** A session with a conversation, a tool call with a long result, an open question and a queued prompt. */
async function busySession(rondo: Rondo): Promise<SessionId> {
  const session = await rondo.sessions.create({ agent: 'testing', title: 'Busy', cwd: '/nowhere' });
  await session.chat('call look {}\nsay I have looked', { key: 'first' });
  await session.chat('call touch {"path":"a"}\nsay it is done');
  await session.send({ type: 'chat', text: 'say more', delivery: 'queue' }, { key: 'second' });
  return session.id;
}

async function bundleOf(rondo: Rondo, session: string, options = {}): Promise<string> {
  const { pieces } = await rondo.sessions.export(session, options);
  return (await Array.fromAsync(pieces)).join('');
}

const readingOf = (text: string) =>
  async function* () {
    yield text;
  };

test('[C120][S1] an imported session has the history of the original: events, keys and blobs', async () => {
  const here = createMemoryStore();
  await using rondo = await openRondo(here);
  const id = await busySession(rondo);
  const there = createMemoryStore();
  await using other = await openRondo(there);
  const report = await other.sessions.import(readingOf(await bundleOf(rondo, id)));
  const original = await loadSession(here.journal, id);
  const head = original?.state.seq ?? 0;
  const { state, ...rest } = report;
  expect(rest).toEqual({
    sessions: [{ session: id, origin: id, role: 'main', seq: state.seq }],
    leftOut: [],
    redacted: 0,
  });
  expect((await loadSession(there.journal, id))?.state).toEqual(state);
  const { events } = await there.journal.read(id, { after: 0 });
  expect(events.slice(0, head)).toEqual((await here.journal.read(id, { after: 0 })).events);
  const range = { after: 0, limit: 1000 };
  const records = await here.upkeep.records(id, range);
  expect((await there.upkeep.records(id, range)).slice(0, records.length)).toEqual(records);
  expect(await there.journal.check(id)).toEqual([]);
  const named = await here.upkeep.blobsOf(id);
  expect(named.length).toBeGreaterThan(0);
  for (const hash of named) expect(await there.blobs.get(hash)).toBe(await here.blobs.get(hash));
});

test('[C120][S1] nothing of an imported session acts: its question is closed, its queue is empty, its turn is over', async () => {
  await using rondo = await openRondo(createMemoryStore());
  const id = await busySession(rondo);
  const there = createMemoryStore();
  await using other = await openRondo(there);
  const head = (await rondo.sessions.load(id)).state.seq;
  const { state } = await other.sessions.import(readingOf(await bundleOf(rondo, id)));
  expect(await other.questions()).toEqual([]);
  const { events } = await there.journal.read(id, { after: head });
  expect(events.map(({ event }) => event.type)).toEqual([
    'queue-changed',
    'question-closed',
    'call-refused',
    'turn-ended',
    'session-imported',
  ]);
  const { agent, cwd, rules, grants, limits, queue, phase, imported } = state;
  expect({ agent, cwd, rules, grants, limits, queue, phase, imported }).toEqual({
    agent: { name: '', runs: 'model' },
    cwd: '',
    rules: [],
    grants: [],
    limits: defaultLimits,
    queue: { paused: false, prompts: [] },
    phase: { type: 'idle' },
    imported: { seq: state.seq, isForeign: true },
  });
  expect(await there.upkeep.shown(id)).toMatchObject({
    entry: { isForeign: true, cwd: '' },
    questions: [],
    due: null,
  });
});

test('[C120][S1] an imported session takes no prompt until a person continues it with their own choices', async () => {
  await using rondo = await openRondo(createMemoryStore());
  const id = await busySession(rondo);
  const asked: string[] = [];
  await using other = await createRondo({
    store: createMemoryStore(),
    models: () => ({
      name: 'quoting',
      async call({ messages }) {
        asked.push(JSON.stringify(messages));
        return completedReply('seen');
      },
    }),
  });
  await other.sessions.import(readingOf(await bundleOf(rondo, id)));
  const session = await other.sessions.open(id);
  const refused = {
    type: 'refused',
    refusal: {
      code: 'conflict',
      message: `session ${id} was imported and isn't continued yet; choose its folder and agent: rondo run --session ${id}`,
    },
  };
  expect(await session.send({ type: 'chat', text: 'go on' })).toEqual(refused);
  expect(
    await session.send({ type: 'policy', rules: [{ verdict: 'allow', tool: '*', origin: 'session' }] }),
  ).toEqual(refused);
  await expect(session.fork()).rejects.toThrow("isn't continued yet");
  await other.sessions.continue(id, { cwd: '/', limits: { steps: 7 } });
  const { cwd, agent, isForeign } = await session.status();
  expect({ cwd, agent, isForeign }).toEqual({ cwd: '/', agent: 'assistant', isForeign: undefined });
  expect((await session.chat('what was said?')).text).toBe('seen');
  expect(await session.rewind({ to: 2 })).toMatchObject({ type: 'refused', refusal: { code: 'invalid' } });
  await expect(session.fork({ at: 2 })).rejects.toThrow("can't go back to event 2");
  const messages = JSON.parse(asked[0] ?? '[]') as readonly { readonly role: string; readonly text: string }[];
  expect(messages.map(({ role }) => role)).toEqual([
    ...messages.slice(0, -2).map(() => 'quoted'),
    'notice',
    'user',
  ]);
  expect(messages.length).toBeGreaterThan(4);
  expect(messages.at(-1)?.text).toBe('what was said?');
});

test('[C120] an id that exists is replaced wherever it occurs, and the origin is recorded', async () => {
  const store = createMemoryStore();
  await using rondo = await openRondo(store);
  const id = await busySession(rondo);
  const report = await rondo.sessions.import(readingOf(await bundleOf(rondo, id)));
  const [{ session: copy } = { session: id }] = report.sessions;
  expect(copy).not.toBe(id);
  const original = (await loadSession(store.journal, id))?.state;
  const { events } = await store.journal.read(copy, { after: 0 });
  expect(events.at(-1)?.event).toEqual({
    type: 'session-imported',
    session: id,
    head: original?.seq,
    rondo: expect.any(String) as string,
    role: 'main',
  });
  expect(JSON.stringify(events.slice(0, -1))).not.toContain(id.slice(4));
  expect((await (await rondo.sessions.open(copy)).status()).questions).toEqual([]);
  expect((await loadSession(store.journal, id))?.state).toEqual(original);
});

test('[S1] an invalid id, such as a path or a command, is replaced', async () => {
  const here = createMemoryStore();
  await using rondo = await openRondo(here);
  const { id } = await rondo.sessions.create({ agent: 'testing', title: 'Plain' });
  await (await rondo.sessions.open(id)).persist();
  const lines = (await bundleOf(rondo, id)).split('\n').filter((line) => line !== '');
  for (const hostile of ['../../evil', "ses_x'; rm -rf ~; '", 'latest', '-rf', '__proto__']) {
    const link = createChain();
    const bundle = lines
      .map((line) => line.slice(hashLength + 1).replaceAll(id, hostile))
      .map((json) => `${link(json)} ${json}\n`)
      .join('');
    const there = createMemoryStore();
    await using other = await openRondo(there);
    const { sessions } = await other.sessions.import(readingOf(bundle));
    expect(sessions.map(({ origin }) => origin)).toEqual([hostile]);
    const { entries } = await other.sessions.list();
    expect(entries.map(({ session }) => isSessionId(session))).toEqual([true]);
    const [entry] = entries;
    expect((await loadSession(there.journal, entry?.session ?? id))?.damage).toBeUndefined();
  }
});

test('sub-agents are included, and with new ids they still belong to their parent', async () => {
  const store = createMemoryStore();
  await using rondo = await openRondo(store);
  const parent = await rondo.sessions.create({ agent: 'testing' });
  await parent.chat('say parent');
  const child = await rondo.sessions.create({ agent: 'testing', parent: parent.id });
  await child.chat('say child');
  const bundle = await bundleOf(rondo, parent.id);
  const { sessions } = await rondo.sessions.import(readingOf(bundle));
  expect(sessions.map(({ origin, role }) => ({ origin, role }))).toEqual([
    { origin: parent.id, role: 'main' },
    { origin: child.id, role: 'child' },
  ]);
  const [copy, childCopy] = sessions;
  const { entries } = await rondo.sessions.list({ parent: copy?.session ?? parent.id });
  expect(entries.map(({ session }) => session)).toEqual([childCopy?.session]);
  const alone = await rondo.sessions.export(parent.id, { children: 'none' });
  expect(alone.leftOut).toEqual([child.id]);
});

test('a fork takes what it continues from along: readable there, not listed, and kept as long as the fork is', async () => {
  const here = createMemoryStore();
  await using rondo = await openRondo(here);
  const origin = await rondo.sessions.create({ agent: 'testing' });
  await origin.chat('say it began here');
  const fork = await rondo.sessions.fork(origin.id);
  await fork.chat('say and went on');
  const there = createMemoryStore();
  await using other = await openRondo(there);
  const { sessions } = await other.sessions.import(readingOf(await bundleOf(rondo, fork.id)));
  expect(sessions.map(({ session, role }) => ({ session, role }))).toEqual([
    { session: fork.id, role: 'main' },
    { session: origin.id, role: 'shared' },
  ]);
  expect((await other.sessions.list()).entries.map(({ session }) => session)).toEqual([fork.id]);
  const shared = (await there.journal.read(origin.id, { after: 0 })).events.slice(0, -1);
  expect(shared).toEqual((await here.journal.read(origin.id, { after: 0 })).events);
  const moved = await other.sessions.continue(fork.id, { agent: 'testing' });
  expect((await moved.chat('say still here')).text).toBe('still here');
  await expect(rondo.sessions.delete(origin.id)).rejects.toThrow(`because ${fork.id} was forked from it`);

  const { sessions: again } = await rondo.sessions.import(readingOf(await bundleOf(rondo, fork.id)));
  const [copy, sharedCopy] = again;
  const [first] = (await here.journal.read(copy?.session ?? fork.id, { after: 0, limit: 1 })).events;
  expect(first?.event).toMatchObject({ type: 'session-forked', origin: { session: sharedCopy?.session } });
});

test('secrets are hidden in events, in blobs and in keys, and stay on request', async () => {
  const store = createMemoryStore();
  await using rondo = await openRondo(store);
  const session = await rondo.sessions.create({ agent: 'testing' });
  await session.chat(`say the key is ${secret}`, { key: 'one' });
  await session.chat(`say ${'long '.repeat(2000)} ${secret}`);
  expect(await bundleOf(rondo, session.id, { withSecrets: true })).toContain(secret);
  for (const format of ['bundle', 'markdown', 'json']) {
    expect(await bundleOf(rondo, session.id, { format })).not.toContain(secret);
  }
  const there = createMemoryStore();
  await using other = await openRondo(there);
  const report = await other.sessions.import(readingOf(await bundleOf(rondo, session.id)));
  expect(report.redacted).toBeGreaterThan(2);
  const loaded = await other.sessions.load('latest');
  expect(loaded.state.usage.turns).toBe(2);
  const markdown = await bundleOf(other, session.id, { format: 'markdown' });
  expect(markdown).toContain('the key is [redacted]');
  expect(markdown).toContain('long long');
});

test('[P10] a bundle that was changed anywhere is refused and nothing is written', async () => {
  await using rondo = await openRondo(createMemoryStore());
  const id = await busySession(rondo);
  const bundle = await bundleOf(rondo, id);
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: bundle.length - 1 }), async (place) => {
      const letter = bundle[place] === 'x' ? 'y' : 'x';
      const tampered = bundle.slice(0, place) + letter + bundle.slice(place + 1);
      const store = createMemoryStore();
      await using other = await openRondo(store);
      await expect(other.sessions.import(readingOf(tampered))).rejects.toMatchObject({ name: 'Fault' });
      expect([await store.upkeep.sessions(), await Array.fromAsync(store.blobs.list())]).toEqual([[], []]);
    }),
    { numRuns: 150 },
  );
});

/** Edits the bundle line by line and recomputes its hashes. */
async function resealed(bundle: string, change: (json: string) => string): Promise<string> {
  const { createChain, hashLength } = await import('../journal/bundle/bundle-line.ts');
  const link = createChain();
  return bundle
    .split('\n')
    .slice(0, -1)
    .map((line) => change(line.slice(hashLength + 1)))
    .map((json) => `${link(json)} ${json}\n`)
    .join('');
}

test.each([
  [
    'a field that an event must have',
    '"request\\":{',
    '"requested\\":{',
    'cannot be taken: its event 2 (prompt-received) is not as Rondo writes it: its field request is missing',
  ],
  [
    'a number in place of a text',
    '"type\\":\\"chat\\",\\"text\\":\\"',
    '"type\\":\\"chat\\",\\"text\\":7,\\"was\\":\\"',
    'cannot be taken: its event 2 (prompt-received) is not as Rondo writes it: its field request.text must be a text, or a blob with its length and preview',
  ],
  [
    'a kind that is not known',
    '"delivery\\":\\"queue\\"',
    '"delivery\\":\\"quest\\"',
    'cannot be taken: its event 2 (prompt-received) is not as Rondo writes it: its field delivery is none of steer, queue',
  ],
  [
    'a time that is none',
    /"at\\":\d+,/,
    '"at\\":1e99,',
    'cannot be taken: its event 1 (session-created) is not as Rondo writes it: its field at is more than 8640000000000000',
  ],
  [
    'an order in which no session records',
    '"type\\":\\"turn-started\\",\\"prompt\\":2',
    '"type\\":\\"turn-started\\",\\"prompt\\":1',
    'cannot be followed: ',
  ],
])(
  '[P10] a bundle that was sealed again with %s is refused, and nothing is written',
  async (_, from, to, words) => {
    await using rondo = await openRondo(createMemoryStore());
    const id = await busySession(rondo);
    const changed = await resealed(await bundleOf(rondo, id), (json) => json.replace(from, to));
    const store = createMemoryStore();
    await using other = await openRondo(store);
    const error: unknown = await other.sessions.import(readingOf(changed)).catch((problem: unknown) => problem);
    expect(error).toMatchObject({ name: 'Fault', code: 'damaged' });
    const { message } = error as Error;
    expect(message).toMatch(/^Can't import a bundle: the record at \d+.* of session ses_\w+ cannot be /);
    expect(message).toContain(words);
    // A session damaged at its first record has no sound part.
    const advice = message.includes('the record at 1 ')
      ? '; get the bundle again from its source.'
      : '. Get the bundle again, or import its intact part with --up-to-damage.';
    expect(message.endsWith(`Nothing was written${advice}`)).toBe(true);
    expect([await store.upkeep.sessions(), await Array.fromAsync(store.blobs.list())]).toEqual([[], []]);
  },
);

test('names a dropped, doubled or moved record', async () => {
  await using rondo = await openRondo(createMemoryStore());
  const id = await busySession(rondo);
  const lines = (await bundleOf(rondo, id)).split('\n');
  const [a, b] = [lines[3] ?? '', lines[4] ?? ''];
  const named = /"first":(\d+)/.exec(b)?.[1];
  const store = createMemoryStore();
  await using other = await openRondo(store);
  const refused = async (...changed: readonly string[]) => {
    const text = [...lines.slice(0, 3), ...changed, ...lines.slice(5)].join('\n');
    return other.sessions.import(readingOf(text)).then(
      () => 'imported',
      (error: Error) => error.message,
    );
  };
  const bad = new RegExp(`^Can't import a bundle: the record at ${named} .*of session ${id} does not match`);
  expect(await refused(b)).toMatch(bad);
  expect(await refused(b, a)).toMatch(bad);
  expect(await refused(a, a, b)).toMatch(/^Can't import a bundle: the record at \d+ .*does not match/);
  expect(await refused(a, b)).toBe('imported');
});

test('[P10] a bundle that is cut off anywhere resumes up to the cut, and the result is sound', async () => {
  const here = createMemoryStore();
  await using rondo = await openRondo(here);
  const id = await busySession(rondo);
  const bundle = await bundleOf(rondo, id);
  const { events } = await here.journal.read(id, { after: 0 });
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: bundle.length - 1 }), async (cut) => {
      const store = createMemoryStore();
      await using other = await openRondo(store);
      const text = bundle.slice(0, cut);
      const report = await other.sessions
        .import(readingOf(text), { upToDamage: true })
        .catch((error: Error) => error);
      // Only whole lines count.
      const whole = text.slice(0, text.lastIndexOf('\n') + 1);
      const kept = Array.from(whole.matchAll(/"last":(\d+),"body"/g), ([, last]) => Number(last)).at(-1) ?? 0;
      const read = await store.journal.read(id, { after: 0 });
      const isRefused = report instanceof Error;
      const last = read.events.at(-1)?.event.type;
      expect({ isRefused, kept: read.events.slice(0, kept), last }).toEqual({
        isRefused: kept === 0,
        kept: events.slice(0, kept),
        last: kept === 0 ? undefined : 'session-imported',
      });
      const isBundle = text.includes('"type":"bundle"');
      expect(isRefused ? report.message : report.damage).toContain(isBundle ? 'cut off' : "isn't a Rondo bundle");
      expect(await store.journal.check(id)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test('[P11] a bundle of a newer format, and one with events of an unknown kind, are refused by name', async () => {
  await using rondo = await openRondo(createMemoryStore());
  const { createChain } = await import('../journal/bundle/bundle-line.ts');
  const bundle = (...values: readonly object[]) => {
    const link = createChain();
    return values
      .map((value) => JSON.stringify(value))
      .map((json) => `${link(json)} ${json}\n`)
      .join('');
  };
  const head = { type: 'bundle', format: 1, rondo: '9.1.0', session: 'ses_1', head: 1, at: 1 };
  await expect(rondo.sessions.import(readingOf(bundle({ ...head, format: 2 })))).rejects.toThrow(
    'its format 2 was written by Rondo 9.1.0',
  );
  const body = JSON.stringify({ v: 1, at: 1, e: [{ type: 'telepathy' }] });
  const lines = [
    head,
    { type: 'session', session: 'ses_1', head: 1, role: 'main' },
    { type: 'record', session: 'ses_1', first: 1, last: 1, body },
  ];
  await expect(rondo.sessions.import(readingOf(bundle(...lines)), { upToDamage: true })).rejects.toThrow(
    /event 1 is of the kind "telepathy".*written by Rondo 9\.1\.0/,
  );
  await expect(rondo.sessions.import(readingOf('hello\n'))).rejects.toThrow("it isn't a Rondo bundle");
});
