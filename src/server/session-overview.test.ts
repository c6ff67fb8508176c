import { expect, test, vi } from 'vitest';

import type { SessionId } from '../kernel/ids.ts';
import type { DirectoryEntry } from '../views/directory.ts';
import { waitsForText } from '../views/waits-for.ts';
import { createMarks, createMemoryFile } from './marks.ts';
import { createSessionOverview } from './session-overview.ts';

const entry = (session: string, changes: Partial<DirectoryEntry> = {}): DirectoryEntry => ({
  session: session as SessionId,
  createdAt: 0,
  updatedAt: 0,
  title: session,
  agent: 'assistant',
  mode: 'interactive',
  cwd: '/place/shop',
  state: 'idle',
  questions: 0,
  queued: 0,
  turns: 1,
  inputTokens: 0,
  outputTokens: 0,
  cost: 0,
  costIsKnown: true,
  ...changes,
});

let ticks = 0;

function overviewOf(
  all: readonly DirectoryEntry[],
  matches: readonly string[] | Promise<readonly string[]> = [],
  stranded: readonly { session: string; machine?: string; labels: readonly string[] }[] = [],
) {
  let tell: (entries: readonly DirectoryEntry[]) => void = () => undefined;
  const list = ({ limit = 100, cursor = '0' }: { limit?: number; cursor?: string } = {}) => {
    const from = Number(cursor);
    const page = all.slice(from, from + limit);
    return Promise.resolve({ entries: page, ...(from + limit < all.length && { cursor: `${from + limit}` }) });
  };
  const sessions = { list, search: async () => (await matches).map((session) => ({ session })) };
  const marks = createMarks(createMemoryFile(), () => 10);
  const overview = createSessionOverview({
    backend: { sessions } as unknown as Parameters<typeof createSessionOverview>[0]['backend'],
    feed: { subscribe: (listener) => ((tell = listener), () => undefined) },
    marks,
    clock: { ticks: () => ticks },
    stranded: async () => stranded as readonly ((typeof stranded)[number] & { session: SessionId })[],
  });
  return { overview, marks, tell: (changed: readonly DirectoryEntry[]) => tell(changed) };
}

const some = [
  entry('ses_read', { updatedAt: 5, ending: 'completed' }),
  entry('ses_done', { updatedAt: 20, ending: 'completed' }),
  entry('ses_broke', { updatedAt: 21, ending: 'failed', cwd: '/place/site' }),
  entry('ses_busy', { updatedAt: 22, state: 'running' }),
  entry('ses_lead', { updatedAt: 23, state: 'running' }),
  entry('ses_hand', { updatedAt: 24, state: 'waiting', questions: 1, parent: 'ses_lead' as SessionId }),
];

test('[C95] a session is listed by what it needs; one whose worker waits for a person needs that person', async () => {
  const { overview } = overviewOf(some);
  const { rows, counts, sections, projects } = await overview.list({});
  expect(rows.map(({ session, group }) => [session, group])).toEqual([
    ['ses_lead', 'needs-you'],
    ['ses_broke', 'failed'],
    ['ses_busy', 'working'],
    ['ses_done', 'unread'],
    ['ses_read', 'earlier'],
  ]);
  expect(counts).toEqual({
    all: 5,
    'needs-you': 1,
    failed: 1,
    'any-failed': 1,
    working: 1,
    unread: 1,
    earlier: 1,
    archived: 0,
  });
  expect(rows[0]?.team).toEqual({ active: 1, waiting: 1 });
  expect(sections.map(({ name, count }) => `${name} ${count}`)).toEqual([
    'needs-you 1',
    'failed 1',
    'working 1',
    'unread 1',
    'earlier 1',
  ]);
  expect(projects).toEqual([
    { name: 'shop', cwd: '/place/shop', group: 'needs-you', sessions: 4, updatedAt: 23 },
    { name: 'site', cwd: '/place/site', group: 'failed', sessions: 1, updatedAt: 21 },
  ]);
});

test('[C95] an imported session that nobody continued is listed, but adds no project and no agent', async () => {
  const { overview } = overviewOf([
    entry('ses_here'),
    entry('ses_there', { agent: '', cwd: '', isForeign: true }),
  ]);
  const { rows, projects, agents } = await overview.list({});
  expect(rows.map(({ session }) => session)).toEqual(['ses_here', 'ses_there']);
  expect(projects).toEqual([{ name: 'shop', cwd: '/place/shop', group: 'earlier', sessions: 1, updatedAt: 0 }]);
  expect(agents).toEqual(['assistant']);
  const { sections } = await overview.list({ by: 'project' });
  expect(sections.map(({ name }) => name)).toEqual(['Imported', 'shop']);
});

test('[C95] marks move sessions: read, pinned, archived', async () => {
  const { overview, marks } = overviewOf(some);
  await marks.set('ses_done', { seenAt: 30 });
  await marks.set('ses_read', { isPinned: true });
  await marks.set('ses_busy', { isArchived: true });
  const { rows, counts } = await overview.list({});
  expect(rows.map(({ session, group }) => [session, group])).toEqual([
    ['ses_read', 'earlier'],
    ['ses_lead', 'needs-you'],
    ['ses_broke', 'failed'],
    ['ses_done', 'earlier'],
  ]);
  expect(counts.archived).toBe(1);
  expect((await overview.list({ archived: true })).rows.map(({ session }) => session)).toEqual(['ses_busy']);
  await marks.readAll();
  expect((await overview.list({ group: 'failed' })).total).toBe(1);
});

test('[C95] failed sessions are found whether they were read or not, and counted as they are shown', async () => {
  const { overview, marks } = overviewOf([
    ...some,
    entry('ses_late', { updatedAt: 3, ending: 'timed-out' }),
    entry('ses_anew', { updatedAt: 25, state: 'running', ending: 'failed' }),
  ]);
  await marks.set('ses_broke', { seenAt: 30 });
  const { rows, counts, sections } = await overview.list({ group: 'any-failed' });
  expect(rows.map(({ session, group }) => [session, group])).toEqual([
    ['ses_broke', 'earlier'],
    ['ses_late', 'earlier'],
  ]);
  expect([counts['any-failed'], counts.failed, counts.earlier]).toEqual([2, 0, 3]);
  expect(sections).toEqual([{ name: 'earlier', count: 2 }]);
});

test('[C95] rows found by title come at once while messages are still searched', async () => {
  const { overview } = overviewOf(some, new Promise(() => undefined));
  const { rows, isSearching } = await overview.list({ q: 'done' });
  expect([rows.map(({ session }) => session), isSearching]).toEqual([['ses_done'], true]);
});

test('[C95] search, filters, counts and pages cover all of 10,000 sessions, and changes arrive', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) =>
    entry(`ses_${String(index).padStart(5, '0')}`, {
      updatedAt: index,
      title: index === 7 ? 'The needle' : `Session ${index}`,
      agent: index % 2 === 0 ? 'even' : 'odd',
    }),
  );
  const { overview, tell } = overviewOf(many, ['ses_00042']);
  expect((await overview.list({ q: 'needle' })).rows.map(({ session }) => session)).toEqual(
    ['ses_00007', 'ses_00042'].toReversed(),
  );
  expect((await overview.list({ agent: 'odd', limit: 1 })).total).toBe(5000);
  expect((await overview.list({ offset: 9999, limit: 10, since: 0 })).rows.map(({ title }) => title)).toEqual([
    'Session 0',
  ]);
  tell([entry('ses_00003', { updatedAt: 20_000, state: 'running' })]);
  expect((await overview.list({ group: 'working' })).rows.map(({ session }) => session)).toEqual(['ses_00003']);
});

test('[C95] only the first request waits until all sessions are read; a deletion elsewhere shows after the next', async () => {
  const all = [...some];
  const { overview } = overviewOf(all);
  const before = (await overview.list({})).total;
  all.splice(0, 1);
  ticks += 61_000;
  expect((await overview.list({})).total).toBe(before);
  await vi.waitFor(async () => expect((await overview.list({})).total).toBe(before - 1));
});

test('[C153] work that no running node can do needs a person, and its row says what it waits for', async () => {
  const idle = entry('ses_gpu', { updatedAt: 20, ending: 'completed' });
  const stranded = [
    { session: 'ses_gpu', labels: ['gpu'] },
    { session: 'ses_busy', machine: 'mia', labels: [] },
  ];
  const { overview } = overviewOf([idle, entry('ses_busy', { state: 'running' })], [], stranded);
  const { rows } = await overview.list({ group: 'needs-you' });
  expect(rows.map(({ session, ...row }) => [session, waitsForText(row)])).toEqual([
    ['ses_gpu', 'waits for label gpu'],
    ['ses_busy', 'waits for mia'],
  ]);
});
