import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from 'vitest';

import { leasedTools } from '../../src/assembly/tools/leased-tools.ts';
import { fixedTools } from '../../src/assembly/tools/session-tools.ts';
import { createCleaner } from '../../src/host/cleaner.ts';
import type { HostedSession } from '../../src/host/hosted-session.ts';
import { isDead, ownIdentity } from '../../src/journal/process-identity.ts';
import type { SessionId } from '../../src/kernel/ids.ts';
import { createRondo } from '../../src/rondo.ts';
import { createFakeClock } from '../../src/testing/fake-clock.ts';
import { defineTool } from '../../src/tools/program-tool.ts';
import { createWorktrees } from '../../src/worktrees/worktrees.ts';
import { startTestServer } from './server-setup.ts';
import { createPlace, type Place, createRepositoryPlace } from './worktrees-place.ts';

const self = ownIdentity();
const patience = { timeout: 30_000 };

function worktreesOf(place: Place) {
  return createWorktrees({
    holders: { self, isDead: (other) => isDead(other, self) },
    settings: () => ({ folder: place.at('trees'), branchPrefix: 'rondo/', copy: [], setUp: [] }),
  });
}

/** Writes `made.txt` in the session's folder without asking. */
const make = defineTool({
  name: 'make',
  description: 'Makes a file.',
  schema: { type: 'object', properties: { text: { type: 'string' } } },
  facts: () => ({ access: 'read', repeat: 'safe' }),
  run: async ({ text }, context) => {
    await writeFile(path.join(context.cwd, 'made.txt'), String(text));
    return 'made';
  },
});

async function startServed(place: Place) {
  const worktrees = worktreesOf(place);
  const tools = leasedTools([fixedTools([make])], worktrees, { now: () => 1 });
  const served = await startTestServer({
    rondo: {
      tools,
      worktrees,
      onEvent(session, { event }, state) {
        if (event.type === 'session-closed') void tools.ended(session, state.cwd);
      },
    },
    server: { cwd: place.at('project'), catalog: { worktrees } },
  });
  return { served, worktrees };
}

test('a worktree that cannot be made is refused with the reason, not answered as a fault of the server', async () => {
  const place = createPlace();
  mkdirSync(place.at('project'));
  place.git('project', 'init', '-q');
  const { served } = await startServed(place);
  await using server = served;
  const { status, body } = await server.call('POST', '/v1/sessions', { agent: 'testing', worktree: 'fix' });
  expect({ status, body }).toEqual({
    status: 422,
    body: {
      type: 'about:blank',
      title: 'worktree error',
      status: 422,
      code: 'WORKTREE_ERROR',
      detail: `Can't create worktree fix: the repository at ${place.at('project')} has no commit yet. Create a first one.`,
    },
  });
});

test('[P12] a session over HTTP works in its worktree, is diffed, committed and merged, and two never share one', async () => {
  const place = createRepositoryPlace();
  const { served, worktrees } = await startServed(place);
  await using server = served;
  const { call, rondo } = server;
  const created = await call('POST', '/v1/sessions', { agent: 'testing', worktree: 'fix' });
  expect([created.status, created.body['cwd']]).toEqual([201, place.at('trees/fix')]);
  const id = String(created.body['id']);
  const second = await call('POST', '/v1/sessions', { agent: 'testing', worktree: 'fix' });
  expect([second.status, second.body['code']]).toEqual([409, 'CONFLICT']);

  const session = await rondo.sessions.open(id);
  await session.chat('call make {"text":"one\\n"}');
  expect(place.files('project')).toEqual({ 'a.txt': 'one\n' });
  expect((await call('GET', `/v1/sessions/${id}/diff`)).body).toMatchObject({
    changes: [{ path: 'made.txt', status: 'added', added: 1, removed: 0 }],
  });
  expect((await call('GET', `/v1/sessions/${id}/diff?patch=true&path=made.txt`)).body).toMatchObject({
    changes: [{ patch: expect.stringContaining('+one') as string }],
  });
  expect((await call('GET', '/v1/worktrees')).body).toMatchObject({
    worktrees: [{ name: 'fix', branch: 'rondo/fix', uncommitted: 1, lease: { session: id } }],
  });
  const viewer = await server.token('viewer');
  expect((await call('POST', '/v1/worktrees/fix/commit', { message: 'm' }, { token: viewer })).status).toBe(403);
  expect((await call('POST', '/v1/worktrees/fix/merge')).body).toMatchObject({ code: 'CONFLICT' });
  expect((await call('POST', '/v1/worktrees/fix/commit', { message: 'made' })).body).toMatchObject({
    type: 'committed',
    files: ['made.txt'],
  });
  expect((await call('POST', '/v1/worktrees/no-such/merge')).status).toBe(404);
  expect((await call('POST', '/v1/worktrees/fix/merge', {})).body).toMatchObject({ how: 'fast-forward' });
  expect(place.files('project')).toEqual({ 'a.txt': 'one\n', 'made.txt': 'one\n' });

  // Ending the session frees the worktree and keeps its content.
  expect((await call('DELETE', `/v1/sessions/${id}`)).status).toBe(202);
  await expect
    .poll(async () => await worktrees.list(place.at('project')), patience)
    .toMatchObject([{ name: 'fix' }]);
  await expect
    .poll(async () => (await call('POST', '/v1/sessions', { agent: 'testing', worktree: 'fix' })).status, patience)
    .toBe(201);
});

test('[P12] a session whose worktree another one took in the meantime is refused at its first call', async () => {
  const place = createRepositoryPlace();
  const { served, worktrees } = await startServed(place);
  await using server = served;
  const session = await server.rondo.sessions.create({
    agent: 'testing',
    cwd: place.at('project'),
    worktree: 'fix',
  });
  await worktrees.leave(place.at('trees/fix'), session.id);
  await worktrees.open({ cwd: place.at('project'), session: 'ses_other', name: 'fix', at: 1 });
  await session.chat('call make {"text":"mine"}');
  expect(place.files('trees/fix')).toEqual({ 'a.txt': 'one\n' });
  const { items } = await session.transcript();
  expect(JSON.stringify(items)).toContain('Worktree fix is in use by session ses_other');
});

test('[P12] an external agent is not even prompted in a worktree that another session has', async () => {
  const place = createRepositoryPlace();
  const worktrees = worktreesOf(place);
  const tools = leasedTools([fixedTools([])], worktrees, { now: () => 1 });
  const prompted: string[] = [];
  await using rondo = await createRondo({
    agents: { other: { runs: 'external' } },
    tools,
    worktrees: { open: worktrees.open, hold: tools.hold },
    externalAgents: {
      answer: () => undefined,
      async prompt({ host }) {
        prompted.push(host.state.cwd);
        return { type: 'completed' };
      },
    },
  });
  const session = await rondo.sessions.create({ cwd: place.at('project'), worktree: 'fix' });
  expect((await session.chat('work')).outcome).toBe('completed');
  const late = await rondo.sessions.create({ cwd: place.at('trees/fix') });
  const reply = await late.chat('work too');
  expect([reply.outcome, reply.reason]).toEqual([
    'unavailable',
    expect.stringContaining(`Worktree fix is in use by session ${session.id}`),
  ]);
  expect(prompted).toEqual([place.at('trees/fix')]);
});

test('without a repository a worktree is refused and no session is made', async () => {
  const place = createPlace();
  place.write('project/a.txt', 'a');
  const { served } = await startServed(place);
  await using server = served;
  const created = await server.call('POST', '/v1/sessions', { agent: 'testing', worktree: true });
  expect([created.status, created.body['code']]).toEqual([422, 'REFUSED']);
  expect((await server.call('GET', '/v1/sessions')).body).toMatchObject({ entries: [] });
  expect((await server.call('GET', '/v1/worktrees')).body).toEqual({ worktrees: [] });
});

test('[C91] the cleaner gives the worktree up and touches nothing in it', async () => {
  const place = createRepositoryPlace();
  const worktrees = worktreesOf(place);
  await worktrees.open({ cwd: place.at('project'), session: 'ses_1', name: 'fix', at: 1 });
  place.write('trees/fix/work.txt', 'uncommitted work');
  const nothing = () => undefined;
  const cleaner = createCleaner<string>({
    clock: createFakeClock({ now: 0 }),
    onProblem: (message) => {
      throw new Error(message);
    },
    steps: {
      stopIntake: nothing,
      agentsOf: () => [],
      endAgent: async () => undefined,
      killAgent: async () => undefined,
      closePipes: nothing,
      closeSockets: nothing,
      releaseWorktree: async ({ id }) => void (await worktrees.leave(place.at('trees/fix'), id)),
      closeStore: nothing,
    },
  });
  const session: HostedSession = {
    id: 'ses_1' as SessionId,
    agent: 'coder',
    runs: 'external',
    role: 'main',
    state: 'terminating',
    createdAt: 0,
    lastActiveAt: 0,
    messages: 0,
  };
  await cleaner.clean(session, undefined);
  await cleaner.clean(session, undefined);
  expect(place.files('trees/fix')).toEqual({ 'a.txt': 'one\n', 'work.txt': 'uncommitted work' });
  expect(await worktrees.open({ cwd: place.at('project'), session: 'ses_2', name: 'fix', at: 2 })).toMatchObject({
    reused: 'worktree',
  });
});
