// A real server with real SQLite, tools and hosted agents as real processes, and clients over real sockets and in
// separate processes. The server, its tools, its agents and its clients are killed, the network is cut, clients
// disappear, the clock is set by hours and days, the server is stopped and continued, jobs are queued, and another
// process prunes sessions that the server holds, so that it hands them over. Every kind of fault happens at least
// once, however short the run is. FIRE_SECONDS lengthens it, FIRE_SEED repeats a run's choices.
import { mkdtempDisposableSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { createClient } from '../../src/client/client.ts';
import type { SessionId } from '../../src/kernel/ids.ts';
import { createSeededRandom } from '../../src/testing/simulation-random.ts';
import { clientKinds, startClient, type ClientKind, type ClientProcess } from './client-process.ts';
import { createCuttingProxy } from './cutting-proxy.ts';
import { createFaultPlan } from './fault-plan.ts';
import { follow } from './follower.ts';
import { processesAt, processesWith } from './processes-with.ts';
import { recordProof } from './proof-record.ts';
import { allSessions, eventsOf } from './served-events.ts';
import { answerOpen } from './served-questions.ts';
import { serveRondo, type ServedRondo } from './served-rondo.ts';
import { effectsIn, overlapsIn, somePrompt } from './stamped-work.ts';
import { createWrongClock } from './wrong-clock.ts';

const seed = Number(process.env['FIRE_SEED'] ?? Date.now() % 1_000_000);
const seconds = Number(process.env['FIRE_SECONDS'] ?? 8);
const acpAgent = path.resolve(import.meta.dirname, '../fixtures/acp-agent/main.ts');
const hour = 3_600_000;
const jumps = [-72 * hour, -hour, 0, hour, 72 * hour];
/** Timeout for things that will happen, on a busy machine. */
const patienceMs = 20_000;

interface KilledClient {
  readonly kind: ClientKind;
  readonly session: SessionId;
  readonly mark: string;
  readonly client: ClientProcess;
}

test(
  '[P1] [P2] [P3] [P5] [P6] [O7] [O12] [C94] under fire a server loses nothing acknowledged, repeats nothing, leaves no process behind, and shows every client the journal',
  { timeout: 240_000 + seconds * 4000 },
  async () => {
    const random = createSeededRandom(seed);
    let port = 0;
    await using network = await createCuttingProxy(() => port);
    using folder = mkdtempDisposableSync(path.join(os.tmpdir(), 'rondo-fire-'));
    using clock = createWrongClock(path.join(folder.path, 'clock'));
    const remembering = ['--load', '--state', path.join(folder.path, 'agents')];
    const relayedCommand = { command: process.execPath, args: [acpAgent, ...remembering] };
    await using server = await serveRondo({
      options: ['--allowed-host', `127.0.0.1:${network.port}`],
      config: { acpAgents: { relayed: relayedCommand } },
      env: clock.env,
    });
    ({ port } = server);
    const url = `http://127.0.0.1:${network.port}`;
    const newClient = () => createClient({ url, token: server.token, firstRetryMs: 20, mostRetryMs: 200 });
    const boss = newClient();
    const world = path.join(server.home, 'world.log');
    const create = async (agent: string) => (await boss.create({ agent })).session;
    const own = await Promise.all(Array.from({ length: 4 }, () => create('testing')));
    const relayed = await Promise.all(Array.from({ length: 2 }, () => create('relayed')));
    let followers = [...own, ...relayed].flatMap((session) => [
      follow(newClient(), session),
      follow(newClient(), session),
    ]);
    const plan = createFaultPlan(random, {
      'server killed': 1,
      'server stopped and continued': 1,
      'job filed': 2,
      'session handed over and pruned': 1,
      'network cut': 3,
      'tool killed': 2,
      'agent killed': 2,
      'client run killed': 1,
      'client attach killed': 1,
      'client chat killed': 1,
      'client standalone run killed': 1,
      'client gone': 2,
      'clock set': 2,
    });
    const sent: Promise<string | undefined>[] = [];
    const marks: string[] = [];
    const clients: KilledClient[] = [];
    const killing: Promise<void>[] = [];
    const wrongTimes: string[] = [];
    const jobMarks: string[] = [];
    const newMark = () => {
      const mark = `mark-${marks.length}-`;
      marks.push(mark);
      return mark;
    };
    const prompt = (session: SessionId, textFor: (mark: string) => string) => {
      const mark = newMark();
      sent.push(
        boss.send(session, { type: 'chat', text: textFor(mark) }).then(
          () => mark,
          () => undefined,
        ),
      );
    };

    async function killClient(kind: ClientKind): Promise<void> {
      const mark = newMark();
      const session = random.pick(own);
      const client = startClient(server, { kind, session, mark });
      clients.push({ kind, session, mark, client });
      const instant = random.chance(0.3)
        ? ({ since: 'start', ms: random.whole(600) } as const)
        : ({ since: 'first word', ms: random.whole(40) } as const);
      if (await client.kill(instant)) plan.happened(`client ${kind} killed`);
    }

    /** A session created after a jump has the jumped date, which shows that the server's clock was set. */
    async function setClock(): Promise<void> {
      const by = random.pick(jumps) + random.whole(60_000);
      clock.set(by);
      const from = Date.now() + by;
      const { createdAt } = await server.post<{ readonly createdAt: number }>('/sessions', { agent: 'testing' });
      const to = Date.now() + by;
      if (createdAt < from || createdAt > to) wrongTimes.push(`${createdAt} is not within ${from} and ${to}`);
      plan.happened('clock set');
    }

    /** The session is closed but still live in the server, so the other process requests it. */
    async function pruneElsewhere(): Promise<void> {
      const session = await create('testing');
      await boss.send(session, { type: 'chat', text: 'say soon gone' });
      await server.delete(`/sessions/${session}`);
      await server.command('prune', '--state', 'closed', '--delete');
      const { sessions } = await server
        .get<{ readonly session: string }>(`/sessions/${session}`)
        .then(({ session: left }) => ({ sessions: [left] }))
        .catch(() => ({ sessions: [] }));
      if (sessions.length === 0) plan.happened('session handed over and pruned');
    }

    async function fileJob(): Promise<void> {
      const mark = newMark();
      const worker = `worker-${random.whole(2)}`;
      await server.post('/jobs', { worker, agent: 'testing', prompt: somePrompt(mark, world, 2) });
      jobMarks.push(mark);
      plan.happened('job filed');
    }

    async function injectFault(): Promise<void> {
      const kind = plan.next();
      switch (kind) {
        case 'network cut':
          if (network.cut() > 0) plan.happened(kind);
          return;
        case 'server killed':
          await server.killAndRestart();
          return plan.happened(kind);
        case 'server stopped and continued':
          await server.suspend(random.whole(1500));
          return plan.happened(kind);
        case 'job filed':
          return fileJob();
        case 'session handed over and pruned':
          return pruneElsewhere();
        case 'tool killed':
          prompt(random.pick(own), (mark) => somePrompt(mark, world, 2));
          if (await killOneOf(own, () => answerOpen(server))) plan.happened(kind);
          return;
        case 'agent killed':
          prompt(random.pick(relayed), (mark) => `wait 100\nsay ${mark}\nwait 100`);
          await sleep(random.whole(300));
          if (await killOneOf(relayed, () => answerOpen(server))) plan.happened(kind);
          return;
        case 'client run killed':
        case 'client attach killed':
        case 'client chat killed':
        case 'client standalone run killed':
          killing.push(killClient(clientKinds.find((one) => kind === `client ${one} killed`) ?? 'run'));
          // Short enough to check soon whether that kind is still wanted.
          await Promise.race([killing.at(-1), sleep(500)]);
          return;
        case 'clock set':
          return setClock();
        case 'client gone': {
          const gone = random.pick(followers);
          gone.client.close();
          followers = [...followers.filter((one) => one !== gone), follow(newClient(), gone.session)];
          return plan.happened(kind);
        }
      }
    }

    const deadline = performance.now() + seconds * 1000;
    while (performance.now() < deadline || !plan.isComplete) {
      switch (random.weighted({ prompt: 10, relayed: 2, answer: 6, fault: 9 })) {
        case 'prompt':
          prompt(random.pick(own), (mark) => somePrompt(mark, world, random.whole(3)));
          break;
        case 'relayed':
          prompt(random.pick(relayed), (mark) => `say ${mark}\nwait ${random.whole(80)}`);
          break;
        case 'answer':
          await answerOpen(server);
          break;
        case 'fault':
          await injectFault();
          break;
      }
      await sleep(random.whole(60));
    }

    await Promise.all(killing);
    // The next server adopts sessions of killed clients when it starts.
    await server.killAndRestart();
    plan.happened('server killed');
    const acknowledged = [
      ...(await Promise.all(sent)).flatMap((mark) => mark ?? []),
      ...clients.flatMap(({ mark, client }) => (client.hasHeard() ? [mark] : [])),
      ...jobMarks,
    ];
    await comeToRest(server);
    const sessions = await allSessions(server);
    const { jobs } = await server.get<{ readonly jobs: readonly FiledJob[] }>('/jobs?which=all');
    const unended = jobs.filter(({ state }) => !endStates.has(state));
    const journals = new Map(
      await Promise.all(sessions.map(async (id) => [id, await eventsOf(server, id)] as const)),
    );
    // Text typed in a chat while a question is open answers the question.
    const prompts = [...journals.values()]
      .flat()
      .flatMap(({ type, text }) => (type === 'prompt-received' || type === 'question-answered' ? [text] : []));
    const saidBy = (mark: string) => clients.find((one) => one.mark === mark)?.kind ?? 'the library';
    const lost = acknowledged.flatMap((mark) =>
      prompts.some((text) => text.includes(mark)) ? [] : [`${mark} said by ${saidBy(mark)}`],
    );
    const doubled = marks.filter((mark) => prompts.filter((text) => text.includes(mark)).length > 1);
    const done = effectsIn(world);
    const overlapping = overlapsIn(world);
    const repeated = done.filter((line, index) => done.indexOf(line) !== index);
    const differing: string[] = [];
    const placesOf = (session: SessionId) =>
      (journals.get(session) ?? []).map(({ seq, type }) => `${seq} ${type}`);
    for (const { session, seen } of followers) {
      const journal = placesOf(session);
      const isSame = () => seen.join('\n') === journal.join('\n');
      for (let waited = 0; waited < 200 && !isSame(); waited += 1) await sleep(50);
      if (!isSame()) differing.push(`${session}: saw ${seen.length} of ${journal.length} events`);
    }
    for (const { session, mark, client } of clients) {
      const seen = client.events();
      // A client with its own session never reported which one.
      const homes = sessions.filter((id) => (journals.get(id) ?? []).some(({ text }) => text.includes(mark)));
      const shows = (id: SessionId) => isRunOf(placesOf(id), seen);
      if (seen.length > 0 && !shows(session) && !homes.some(shows))
        differing.push(`a client process of ${session} showed ${seen.join(', ')}`);
    }
    boss.close();
    for (const { client } of followers) client.close();
    expect(await server.terminate()).toBe(0);
    const leaked = await processesAt(server.home);

    recordProof({
      name: 'server under fire',
      runs: 1,
      faults: plan.counts,
      acknowledged: acknowledged.length,
      lost: lost.length,
      repeated: repeated.length + doubled.length,
      overlapping: overlapping.length,
      compared: followers.length + clients.filter(({ client }) => client.events().length > 0).length,
      differing: differing.length,
      leaked: leaked.length,
    });
    process.stdout.write(`under fire: FIRE_SEED=${seed}, ${JSON.stringify(plan.counts)}\n`);
    expect({ seed, lost, doubled, repeated, differing, leaked, wrongTimes, unended, overlapping }).toEqual({
      seed,
      unended: [],
      overlapping: [],
      lost: [],
      doubled: [],
      repeated: [],
      differing: [],
      leaked: [],
      wrongTimes: [],
    });
    const never = Object.entries(plan.counts).filter(([, count]) => count === 0);
    expect({ seed, never }).toEqual({ seed, never: [] });
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(done.length).toBeGreaterThan(0);
  },
);

interface FiledJob {
  readonly id: string;
  readonly state: string;
}

const endStates: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'timed-out']);

async function comeToRest(server: ServedRondo): Promise<void> {
  for (;;) {
    const open = await answerOpen(server);
    const sessions = await allSessions(server);
    const { jobs } = await server.get<{ readonly jobs: readonly FiledJob[] }>('/jobs?which=active');
    const phases = await Promise.all(
      sessions.map(async (id) => (await server.get<{ readonly phase: string }>(`/sessions/${id}`)).phase),
    );
    const isAtRest = phases.every((phase) => phase === 'idle' || phase === 'closed');
    if (open === 0 && jobs.length === 0 && isAtRest) return;
    await sleep(50);
  }
}

/** True if these are in the journal unchanged and in sequence. */
function isRunOf(journal: readonly string[], seen: readonly string[]): boolean {
  const from = journal.indexOf(seen[0] ?? '');
  return from >= 0 && seen.every((place, index) => journal[from + index] === place);
}

/** Kills a process of one of these sessions, once there is one. */
async function killOneOf(sessions: readonly SessionId[], meanwhile: () => Promise<unknown>): Promise<boolean> {
  for (const end = performance.now() + patienceMs; performance.now() < end; await sleep(10)) {
    const [victim] = await markedProcesses(sessions);
    if (victim !== undefined && isKilled(victim)) return true;
    await meanwhile();
  }
  return false;
}

/** Processes started for these sessions: tools, hosted agents. */
function markedProcesses(sessions: readonly SessionId[]): Promise<readonly number[]> {
  const marks: ReadonlySet<string | undefined> = new Set(sessions);
  return processesWith('RONDO_SESSION', (value) => marks.has(value));
}

/** False if it ended by itself. */
function isKilled(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}
