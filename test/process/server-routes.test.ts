// HTTP routes besides sessions and questions: workers, jobs, reports, choices, and the API's self-description.
import { expect, test } from 'vitest';

import type { BudgetLine } from '../../src/views/budget-lines.ts';
import { type Called, codeOf, idOf, start, type TestServer, until } from './server-setup.ts';

async function jobEnded({ call }: TestServer, id: string): Promise<Called> {
  await until(async () => 'ending' in (await call('GET', `/v1/jobs/${id}`)).body);
  return call('GET', `/v1/jobs/${id}`);
}

test('[C95] a job is filed for a worker that is made for it, runs, and tells what came of it', async () => {
  const server = await start();
  const { call } = server;
  const filed = await call('POST', '/v1/jobs', { prompt: 'say Ready', worker: 'anna', priority: 'high' });
  expect([filed.status, filed.body]).toMatchObject([
    201,
    { worker: 'anna', prompt: 'say Ready', priority: 'high' },
  ]);
  const ended = await jobEnded(server, idOf(filed));
  expect(ended.body).toMatchObject({ state: 'completed', ending: { type: 'completed' }, text: 'Ready' });
  const { body: workers } = await call('GET', '/v1/workers');
  expect(workers['workers']).toMatchObject([
    { name: 'anna', kind: 'persistent', state: 'inactive', jobs: { active: 0, all: 1 } },
  ]);
  const { body: jobs } = await call('GET', '/v1/jobs?which=all');
  expect(jobs['jobs']).toMatchObject([{ id: idOf(filed), worker: 'anna', state: 'completed' }]);
  const once = await call('POST', '/v1/jobs', { prompt: 'say Once' });
  await jobEnded(server, idOf(once));
  await until(async () => ((await call('GET', '/v1/workers')).body['workers'] as unknown[]).length === 1);
});

test('the same key gives the same job, before and after it has ended; another job under it is a conflict', async () => {
  const server = await start();
  const { call } = server;
  const headers = { 'idempotency-key': 'job-1' };
  const first = await call('POST', '/v1/jobs', { prompt: 'say A' }, { headers });
  expect(idOf(await call('POST', '/v1/jobs', { prompt: 'say A' }, { headers }))).toBe(idOf(first));
  await jobEnded(server, idOf(first));
  expect(idOf(await call('POST', '/v1/jobs', { prompt: 'say A' }, { headers }))).toBe(idOf(first));
  const others = [
    [{ prompt: 'say B' }, 'prompt'],
    [{ prompt: 'say A', timeoutMs: 5000 }, 'timeoutMs'],
    [{ prompt: 'say A', priority: 'low', worker: 'anna' }, 'worker and priority'],
  ] as const;
  for (const [wanted, differs] of others) {
    expect((await call('POST', '/v1/jobs', wanted, { headers })).body).toMatchObject({
      status: 409,
      code: 'CONFLICT',
      detail: `The key job-1 was used for job ${idOf(first)} with another ${differs}; use a fresh key.`,
    });
  }
  const { body } = await call('GET', '/v1/jobs?which=all');
  expect(body['jobs']).toHaveLength(1);
  await until(async () => ((await call('GET', '/v1/workers')).body['workers'] as unknown[]).length === 0);
});

test('a running job is cancelled; one that is over, unknown or refused reports it', async () => {
  const server = await start();
  const { call, token } = server;
  const filed = await call('POST', '/v1/jobs', { prompt: 'hang', worker: 'bob' });
  const id = idOf(filed);
  await until(async () => (await call('GET', `/v1/jobs/${id}`)).body['state'] === 'running');
  const viewer = await token('viewer');
  expect(codeOf(await call('POST', `/v1/jobs/${id}/cancel`, undefined, { token: viewer }))).toBe('403 FORBIDDEN');
  expect((await call('POST', `/v1/jobs/${id}/cancel`, { reason: 'enough' })).status).toBe(202);
  expect((await jobEnded(server, id)).body).toMatchObject({ state: 'cancelled' });
  const other = idOf(await call('POST', '/v1/jobs', { prompt: 'say over', worker: 'bob' }));
  await jobEnded(server, other);
  expect((await call('POST', `/v1/jobs/${id}/cancel`)).status).toBe(202);
  expect([
    codeOf(await call('POST', `/v1/jobs/${other}/cancel`)),
    codeOf(await call('POST', '/v1/jobs/job_none/cancel')),
    codeOf(await call('GET', '/v1/jobs/job_none')),
    codeOf(await call('POST', '/v1/jobs', { prompt: 'say x', agent: 'nobody' })),
    codeOf(await call('POST', '/v1/jobs', { prompt: 'say x', cwd: '/' }, { token: await token('prompter') })),
    codeOf(await call('POST', '/v1/jobs', { prompt: 'say x' }, { token: viewer })),
  ]).toEqual(['409 CONFLICT', '404 NOT_FOUND', '404 NOT_FOUND', '422 REFUSED', '422 REFUSED', '403 FORBIDDEN']);
});

async function talked({ call, rondo }: TestServer, agent: string, text: string): Promise<string> {
  const id = idOf(await call('POST', '/v1/sessions', { agent }));
  await (await rondo.sessions.open(id)).chat(text);
  return id;
}

test('usage is reported by session, agent, model and day, and of one session turn by turn', async () => {
  const server = await start();
  const { call } = server;
  const a = await talked(server, 'testing', 'say One two three');
  const b = await talked(server, 'other', 'say Four');
  const rows = async (by: string) => {
    const { body } = await call('GET', `/v1/usage?by=${by}`);
    const found = body['rows'] as readonly { name: string; totals: { turns: number; outputTokens: number } }[];
    return found.map(({ name, totals }) => ({ name, turns: totals.turns, some: totals.outputTokens > 0 }));
  };
  expect(await rows('agent')).toEqual(
    expect.arrayContaining([
      { name: 'testing', turns: 1, some: true },
      { name: 'other', turns: 1, some: true },
    ]),
  );
  expect((await rows('session')).map(({ name }) => name).toSorted()).toEqual([a, b].toSorted());
  expect(await rows('model')).toEqual([{ name: 'testing', turns: expect.any(Number), some: true }]);
  expect(await rows('day')).toEqual([{ name: new Date().toISOString().slice(0, 10), turns: 2, some: true }]);
  await (await server.rondo.sessions.open(a)).chat('say Five');
  expect(await rows('day')).toEqual([{ name: new Date().toISOString().slice(0, 10), turns: 3, some: true }]);
  const { body: one } = await call('GET', `/v1/usage?session=${a}`);
  expect(one).toMatchObject({
    session: a,
    totals: { turns: 2 },
    turns: [{ agent: 'testing' }, { agent: 'testing' }],
  });
  expect((await call('GET', `/v1/usage?by=agent&since=${Date.now() + 60_000}`)).body).toMatchObject({
    totals: { sessions: 0 },
    rows: [],
  });
  const elsewhere = await server.rondo.sessions.create({ agent: 'other', cwd: '/srv/bakery' });
  await elsewhere.chat('say Six');
  const bakery = await Promise.all(
    ['agent', 'session', 'day', 'model'].map(async (by) => {
      const { body } = await call('GET', `/v1/usage?by=${by}&project=bakery`);
      return { by: body['by'], totals: body['totals'], rows: body['rows'] };
    }),
  );
  const totals = expect.objectContaining({ turns: 1 }) as unknown;
  const only = (by: string, name: string) => ({
    by,
    totals: expect.objectContaining({ sessions: 1, turns: 1 }) as unknown,
    rows: [expect.objectContaining({ name, totals }) as unknown],
  });
  expect(bakery).toEqual([
    only('agent', 'other'),
    only('session', elsewhere.id),
    only('day', new Date().toISOString().slice(0, 10)),
    { ...only('model', 'testing'), rows: [expect.objectContaining({ name: 'testing' })] },
  ]);
  const decided = (await call('GET', '/v1/audit?project=bakery')).body['entries'] as readonly {
    session: string;
  }[];
  expect([...new Set(decided.map(({ session }) => session))]).toEqual([elsewhere.id]);
  expect((await call('GET', '/v1/usage?project=none')).body).toMatchObject({ totals: { sessions: 0 }, rows: [] });
  expect(codeOf(await call('GET', '/v1/usage?by=color'))).toBe('400 INVALID_MESSAGE');
});

test('[C128] where the time went is reported by session and agent as well, when it is asked for', async () => {
  const server = await start();
  const { call } = server;
  const a = await talked(server, 'testing', 'say One');
  const times = async (query: string) => {
    const { body } = await call('GET', `/v1/usage?${query}`);
    const { rows, totals } = body as unknown as Report;
    return {
      rows: rows.map(({ name, totals: used }) => [name, namesOfTimes(used)]),
      totals: namesOfTimes(totals),
    };
  };
  const all = ['modelMs', 'pausingMs', 'toolMs', 'waitingMs'];
  expect(await times('by=session&time=true')).toEqual({ rows: [[a, all]], totals: all });
  expect(await times('by=agent&time=true')).toEqual({ rows: [['testing', all]], totals: all });
  expect(await times('by=agent')).toEqual({ rows: [['testing', []]], totals: [] });
  const { body: one } = await call('GET', `/v1/usage?session=${a}`);
  const { body: rows } = await call('GET', '/v1/usage?by=session&time=true');
  expect((rows as unknown as Report).rows[0]?.totals['modelMs']).toBe(
    (one as unknown as Pick<Report, 'totals'>).totals['modelMs'],
  );
});

interface Report {
  readonly rows: readonly { readonly name: string; readonly totals: Readonly<Record<string, number>> }[];
  readonly totals: Readonly<Record<string, number>>;
}

function namesOfTimes(totals: Readonly<Record<string, number>>): readonly string[] {
  return Object.keys(totals)
    .filter((name) => name.endsWith('Ms'))
    .toSorted();
}

test('[C128] a worker is listed with its budget and what it is at, and so is the session it works for', async () => {
  const server = await start();
  const { call } = server;
  const lead = idOf(
    await call('POST', '/v1/sessions', { limits: { tokens: 9000, totalToolCalls: 8, wallTimeMs: 3_600_000 } }),
  );
  await call('POST', '/v1/jobs', { prompt: 'hang', worker: 'anna', parent: lead, timeoutMs: 600_000 });
  const list = async () =>
    (await call('GET', '/v1/workers')).body as unknown as {
      readonly workers: readonly { readonly doing: readonly string[]; readonly budget: readonly BudgetLine[] }[];
      readonly parents: readonly { readonly session: string; readonly budget: readonly BudgetLine[] }[];
    };
  await until(async () => (await list()).workers[0]?.doing.length === 1);
  const { workers, parents } = await list();
  expect(workers.map(({ doing }) => doing)).toEqual([['calling testing']]);
  const limits = (lines: readonly BudgetLine[] = []) =>
    lines.map(({ name, setAside, limit }) => [name, setAside, limit]);
  expect(limits(workers[0]?.budget)).toEqual([
    ['tokens', 0, 4500],
    ['cost', 0, undefined],
    ['tool-calls', 0, 4],
    ['wall-time', 0, expect.any(Number)],
    ['places', 0, 10],
  ]);
  expect(parents.map(({ session, budget }) => [session, limits(budget)])).toEqual([
    [
      lead,
      [
        ['tokens', 4500, 9000],
        ['cost', 0, undefined],
        ['tool-calls', 4, 8],
        ['places', 0, 10],
      ],
    ],
  ]);
});

test('[C26] the audit is filtered by session, by whom, by kind and by time, newest first', async () => {
  const server = await start();
  const { call, token } = server;
  const a = idOf(await call('POST', '/v1/sessions'));
  const prompter = await token('prompter', 'pia');
  const b = idOf(await call('POST', '/v1/sessions', {}, { token: prompter }));
  await call('POST', `/v1/sessions/${a}/inputs`, { type: 'mode', mode: 'batch' });
  const told = async (query: string) => {
    const { body } = await call('GET', `/v1/audit?${query}`);
    const entries = body['entries'] as readonly { session: string; decided: { type: string } }[];
    return entries.map(({ session, decided }) => `${session} ${decided.type}`);
  };
  expect(await told('')).toEqual([`${a} mode-changed`, `${b} session-created`, `${a} session-created`]);
  expect(await told('by=pia')).toEqual([`${b} session-created`]);
  expect(await told(`session=${a}&type=mode-changed`)).toEqual([`${a} mode-changed`]);
  expect(await told('limit=1')).toEqual([`${a} mode-changed`]);
  expect(await told(`until=${new Date(1000).toISOString()}`)).toEqual([]);
  expect(await told(`since=${Date.now() + 60_000}`)).toEqual([]);
});

test('choices come from the folder that is served, or from the session’s; files never without a right', async () => {
  const asked: string[] = [];
  const list = (name: string) => async (cwd: string) => {
    asked.push(`${name} ${cwd}`);
    return [{ name }];
  };
  const server = await start({
    server: {
      cwd: '/tmp',
      catalog: {
        agents: list('agents'),
        models: list('models'),
        tools: list('tools'),
        files: async ({ cwd, q, limit }) => [`${cwd} ${q} ${limit}`],
      },
    },
  });
  const { call, token } = server;
  const id = idOf(await call('POST', '/v1/sessions', { cwd: '/' }));
  expect((await call('GET', '/v1/agents')).body).toEqual({ agents: [{ name: 'agents' }] });
  await call('GET', `/v1/models?session=${id}`);
  await call('GET', `/v1/tools?session=${id}`);
  expect(asked).toEqual(['agents /tmp', 'models /', 'tools /']);
  expect((await call('GET', `/v1/files?q=ab&session=${id}&limit=3`)).body).toEqual({ files: ['/ ab 3'] });
  const viewer = await token('viewer');
  expect([
    codeOf(await call('GET', '/v1/files?q=a', undefined, { token: viewer })),
    codeOf(await call('GET', '/v1/files?q=a&session=ses_none')),
    codeOf(await call('GET', '/v1/rules')),
  ]).toEqual(['403 FORBIDDEN', '404 SESSION_NOT_FOUND', '501 NOT_IMPLEMENTED']);
});

test('the queue is held back and let continue', async () => {
  const { call } = await start();
  const id = idOf(await call('POST', '/v1/sessions'));
  const isPaused = async () => (await call('GET', `/v1/sessions/${id}/queue`)).body['paused'];
  expect((await call('PUT', `/v1/sessions/${id}/queue`, { isPaused: true })).status).toBe(202);
  expect(await isPaused()).toBe(true);
  await call('PUT', `/v1/sessions/${id}/queue`, { isPaused: false });
  expect(await isPaused()).toBe(false);
});

test('every call that the interface promises is described', async () => {
  const { call } = await start();
  const { body } = await call('GET', '/api/v1/openapi.json', undefined, { token: null });
  const paths = body['paths'] as Record<string, Record<string, unknown>>;
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described).toEqual(expect.arrayContaining(promised));
});

const promised = [
  'POST /sessions',
  'GET /sessions',
  'GET /sessions/{id}',
  'DELETE /sessions/{id}',
  'GET /sessions/{id}/transcript',
  'POST /sessions/{id}/inputs',
  'GET /sessions/{id}/events',
  'GET /questions',
  'GET /sessions/{id}/questions',
  'POST /questions/{id}/answer',
  'GET /sessions/{id}/queue',
  'PUT /sessions/{id}/queue/{prompt}',
  'DELETE /sessions/{id}/queue/{prompt}',
  'DELETE /sessions/{id}/queue',
  'POST /sessions/{id}/fork',
  'POST /sessions/{id}/rewind',
  'POST /sessions/{id}/export',
  'POST /sessions/import',
  'GET /agents',
  'GET /models',
  'GET /tools',
  'GET /workers',
  'GET /jobs',
  'POST /jobs',
  'POST /jobs/{id}/cancel',
  'GET /worktrees',
  'GET /sessions/{id}/diff',
  'GET /sessions/{id}/file',
  'POST /sessions/{id}/commit',
  'POST /sessions/{id}/discard',
  'GET /sessions/{id}/push',
  'POST /sessions/{id}/push',
  'POST /worktrees/{id}/commit',
  'POST /worktrees/{id}/merge',
  'GET /usage',
  'GET /audit',
  'GET /rules',
  'DELETE /rules/{id}',
  'GET /tokens',
  'POST /tokens',
  'DELETE /tokens/{id}',
  'GET /files',
];
