// The lifecycle of hosted sessions through the real `rondo serve` with real agent processes. Whether the session is
// ended or its server killed, at any instant of an agent's start, no process and no worktree lease is left.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { processesWith } from '../running-processes.ts';
import { serveRondo, type ServedRondo } from '../proof/served-rondo.ts';

const fixture = path.resolve(import.meta.dirname, '../fixtures/acp-agent/main.ts');
const agent = (...args: readonly string[]) => ({ command: process.execPath, args: [fixture, ...args] });
const acpAgents = {
  plain: agent(),
  'silent-init': agent('--silent-init'),
  'silent-new': agent('--silent-new'),
  stubborn: agent('--ignore-term', '--ignore-eof'),
};

interface Shown {
  readonly hosted: string;
  readonly phase: string;
  readonly messages?: number;
  readonly endedBecause?: string;
}

async function startServed() {
  const server = await serveRondo({ config: { acpAgents } });
  const project = path.join(server.home, 'project');
  mkdirSync(project);
  writeFileSync(path.join(project, 'a.txt'), 'one\n');
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: project, stdio: 'pipe' });
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'one');
  const open = async (name: string): Promise<string> => {
    const wanted = { agent: name, cwd: project, worktree: 'shared' };
    return (await server.post<{ readonly id: string }>('/sessions', wanted)).id;
  };
  const openAt = async ({ agent: name, reach }: Instant): Promise<string> => {
    const id = await open(name);
    await reach(server, id);
    return id;
  };
  return { server, open, openAt };
}

const show = (server: ServedRondo, id: string) => server.get<Shown>(`/sessions/${id}`);

async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isTrue())) await sleep(20);
}

const processesOf = (session: string) => processesWith('RONDO_SESSION', session);

const prompt = (server: ServedRondo, id: string, text: string) =>
  server.post(`/sessions/${id}/inputs`, { type: 'chat', text });

interface Instant {
  readonly name: string;
  readonly agent: keyof typeof acpAgents;
  /** Waits for the instant. */
  reach(server: ServedRondo, id: string): Promise<void>;
  /** Possible states at that instant. */
  readonly states: readonly string[];
}

const hangs = async (server: ServedRondo, id: string, state: string) => {
  await prompt(server, id, 'say up\nwait 600000');
  await until(async () => (await show(server, id)).hosted === state && (await processesOf(id)).length > 0);
};

const instants: readonly Instant[] = [
  { name: 'before anything was spawned', agent: 'plain', reach: async () => undefined, states: ['created'] },
  {
    name: 'as it is spawned',
    agent: 'plain',
    reach: async (server, id) => void (await prompt(server, id, 'wait 600000')),
    states: ['created', 'spawning', 'active'],
  },
  {
    name: 'while it initializes',
    agent: 'silent-init',
    reach: (server, id) => hangs(server, id, 'spawning'),
    states: ['spawning'],
  },
  {
    name: 'while it opens its session',
    agent: 'silent-new',
    reach: (server, id) => hangs(server, id, 'spawning'),
    states: ['spawning'],
  },
  { name: 'in its turn', agent: 'plain', reach: (server, id) => hangs(server, id, 'active'), states: ['active'] },
  {
    name: 'in its turn, though it ignores every request to end',
    agent: 'stubborn',
    reach: (server, id) => hangs(server, id, 'active'),
    states: ['active'],
  },
];

describe('[C91] [C92] [P12] a hosted agent', () => {
  let served: Awaited<ReturnType<typeof startServed>>;
  beforeAll(async () => {
    served = await startServed();
  }, 120_000);
  afterAll(() => served.server[Symbol.asyncDispose]());

  test.for(instants)('stopped $name leaves no process and no lease', { timeout: 120_000 }, async (instant) => {
    const { server, open, openAt } = served;
    const id = await openAt(instant);
    expect(instant.states).toContain((await show(server, id)).hosted);
    await server.delete(`/sessions/${id}`);
    await until(async () => (await show(server, id)).hosted === 'cleaned');
    expect(await processesOf(id)).toEqual([]);
    expect(await show(server, id)).toMatchObject({ phase: 'closed', endedBecause: 'terminated over HTTP' });
    // No session holds the worktree any more.
    const next = await open('plain');
    expect(await metric(server, 'created')).toBe(1);
    await server.delete(`/sessions/${next}`);
    await until(
      async () => (await metric(server, 'created')) === 0 && (await metric(server, 'terminating')) === 0,
    );
  });

  test.for(instants)(
    'whose server is killed $name has nothing left running when the next one is up, and can be ended there',
    { timeout: 120_000 },
    async (instant) => {
      const { server, open, openAt } = await startServed();
      await using _ = server;
      const id = await openAt(instant);
      const before = await processesOf(id);
      await server.killAndRestart();
      await until(async () => {
        const running = await processesOf(id);
        return !before.some((pid) => running.includes(pid));
      });
      await server.delete(`/sessions/${id}`);
      await until(async () => (await show(server, id)).hosted === 'cleaned');
      expect(await processesOf(id)).toEqual([]);
      expect((await show(server, await open('plain'))).hosted).toBe('created');
    },
  );

  test.for(instants.filter(({ states }) => !states.includes('created')))(
    '[O6] whose server is killed $name ends with it, though no other server starts',
    { timeout: 120_000 },
    async (instant) => {
      const { server, openAt } = await startServed();
      await using _ = server;
      const id = await openAt(instant);
      await server.kill();
      await expect.poll(() => processesOf(id), { timeout: 10_000 }).toEqual([]);
    },
  );

  test(
    '[O6] of a session that another process has taken over survives the start of a server',
    { timeout: 120_000 },
    async () => {
      const { server, open } = await startServed();
      await using _ = server;
      const id = await open('plain');
      await prompt(server, id, 'say one');
      await until(
        async () => (await show(server, id)).phase === 'idle' && (await show(server, id)).messages === 2,
      );
      await server.kill();
      await until(async () => (await processesOf(id)).length === 0);
      server.start('run', '--session', id, 'wait 600000');
      await until(async () => (await processesOf(id)).length === 1);
      const agents = await processesOf(id);
      await server.restart();
      expect(await processesOf(id)).toEqual(agents);
    },
  );

  test('is counted, and comes up again in a session that slept', { timeout: 120_000 }, async () => {
    const { server, open } = await startServed();
    await using _ = server;
    const id = await open('plain');
    await prompt(server, id, 'say one');
    await until(async () => (await show(server, id)).phase === 'idle' && (await show(server, id)).messages === 2);
    const [first = 0] = await processesOf(id);
    process.kill(first, 'SIGKILL');
    // A turn on the dying agent may fail with it.
    await until(async () => {
      await prompt(server, id, 'say two');
      await until(async () => (await show(server, id)).phase === 'idle');
      return (await processesOf(id)).some((pid) => pid !== first);
    });
    expect([(await show(server, id)).hosted, (await processesOf(id)).length]).toEqual(['active', 1]);
  });
});

async function metric({ port, token }: ServedRondo, state: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
  return Number(new RegExp(`^rondo_hosted_sessions\\{state="${state}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
}
