// Three real `rondo serve` on one store, each with its own home. Nodes are killed, stopped, drained and restarted
// one after the other while clients send prompts and follow through other nodes. FLEET_FAULTS lengthens it,
// FLEET_SEED repeats a run's choices.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { createClient, type Client, type SessionId } from '../../src/client/client.ts';
import { createSeededRandom } from '../../src/testing/simulation-random.ts';
import { rondoBinary } from '../fixtures/rondo-binary.ts';
import { createFaultPlan } from './fault-plan.ts';
import { recordProof } from './proof-record.ts';

const seed = Number(process.env['FLEET_SEED'] ?? Date.now() % 1_000_000);
const faults = Number(process.env['FLEET_FAULTS'] ?? 4);
const token = `rondo_${'fleet-of-this-test-'.repeat(2)}`;

test(
  '[C153][P1][P2][P5][O4][O7] nodes that are killed, stopped and drained lose no turn, repeat none and overlap no tools',
  { timeout: 180_000 + faults * 30_000 },
  async () => {
    const random = createSeededRandom(seed);
    using folder = mkdtempDisposableSync(path.join(os.tmpdir(), 'rondo-fleet-'));
    const project = path.join(folder.path, 'project');
    mkdirSync(project);
    const stamps = path.join(project, 'stamps');
    writeFileSync(path.join(project, 'stamp.sh'), stampScript);
    await using fleet = await startFleet(folder.path, project);
    const newClient = (first: number) =>
      createClient({ url: fleet.urlsFrom(first), token, firstRetryMs: 50, mostRetryMs: 500 });
    const clients: Client[] = [];
    const follow = (session: SessionId, from: number): Follower => {
      const client = newClient(from);
      clients.push(client);
      const seen: string[] = [];
      client.follow(
        session,
        {
          update(update) {
            if (update.type === 'event') seen.push(`${update.seq} ${update.event.type}`);
            else if (update.type === 'gap') seen.push(`gap ${update.from}-${update.to}`);
          },
        },
        { after: 0 },
      );
      return { session, seen };
    };
    const boss = newClient(0);
    clients.push(boss);
    const sessions = await Promise.all(
      Array.from({ length: 3 }, async () => (await boss.create({ agent: 'testing', cwd: project })).session),
    );
    const followers = sessions.flatMap((session, index) => [follow(session, index), follow(session, index + 1)]);
    const acknowledged: { readonly session: SessionId; readonly mark: string }[] = [];
    let turn = 0;
    const prompt = async (session: SessionId) => {
      turn += 1;
      const mark = `turn-${turn}`;
      const command = `sh stamp.sh ${session} ${mark}`;
      const text = `call shell ${JSON.stringify({ command })}\nsay ${mark} done`;
      await boss.send(session, { type: 'chat', text }, { key: mark });
      acknowledged.push({ session, mark });
    };
    const plan = createFaultPlan(random, { kill: 3, drain: 3, 'stop past the lease': 1, restart: 2 });
    for (let done = 0; done < faults || !plan.isComplete; done += 1) {
      await Promise.all(sessions.map(prompt));
      await sleep(random.pick([50, 150, 400]));
      const fault = plan.next();
      await fleet[fault](random.pick([0, 1, 2]));
      plan.happened(fault);
    }
    await Promise.all(sessions.map(prompt));

    const events = await finished(fleet, sessions, acknowledged);
    const promptsOf = (mark: string) => events.flat().filter(({ text }) => text.includes(`say ${mark} done`)).length;
    const lost = acknowledged.filter(({ mark }) => promptsOf(mark) === 0);
    const repeated = acknowledged.filter(({ mark }) => promptsOf(mark) > 1);
    const overlapping = overlapsIn(existsSync(stamps) ? readFileSync(stamps, 'utf8') : '');
    const whole = new Map(sessions.map((session, index) => [session, (events[index] ?? []).map(shown)]));
    await eventually(() => followers.every(({ session, seen }) => seen.length >= (whole.get(session)?.length ?? 0)));
    const differing = followers.filter(({ session, seen }) => seen.join() !== whole.get(session)?.join());
    for (const client of clients) client.close();
    recordProof({
      name: 'nodes on one store',
      runs: 1,
      faults: plan.counts,
      acknowledged: acknowledged.length,
      lost: lost.length,
      repeated: repeated.length,
      compared: followers.length,
      differing: differing.length,
      harmed: overlapping.length,
    });
    expect({ seed, lost, repeated, overlapping, differing }).toEqual({
      seed,
      lost: [],
      repeated: [],
      overlapping: [],
      differing: [],
    });
  },
);

interface Follower {
  readonly session: SessionId;
  readonly seen: string[];
}

interface SeenEvent {
  readonly seq: number;
  readonly type: string;
  readonly text: string;
}

const shown = ({ seq, type }: SeenEvent) => `${seq} ${type}`;

/** Writes when it starts and when it stops. A tool that another node's tool overlaps shows here. */
const stampScript = `
echo "start $1 $2 $RONDO_EPOCH" >> stamps
sleep 0.3
echo "stop $1 $2 $RONDO_EPOCH" >> stamps
`;

/** A tool that was killed never stops, so only a stop after a later start of the same session is an overlap. */
function overlapsIn(text: string): readonly string[] {
  const started = new Map<string, string>();
  return text
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => {
      const [word, session = '', ...run] = line.split(' ');
      if (word === 'start') started.set(session, run.join(' '));
      return word === 'stop' && started.get(session) !== run.join(' ') ? [line] : [];
    });
}

/** All events of all sessions, once every acknowledged prompt's turn has ended. */
async function finished(
  fleet: Fleet,
  sessions: readonly SessionId[],
  acknowledged: readonly { readonly session: SessionId }[],
): Promise<readonly (readonly SeenEvent[])[]> {
  const isIdle = async (session: SessionId) => {
    const { state } = await fleet.get<{ readonly state: string }>(`/sessions/${session}`);
    return state === 'idle';
  };
  await eventually(async () => {
    const idle = await Promise.all(sessions.map((session) => isIdle(session).catch(() => false)));
    return idle.every(Boolean);
  });
  expect(acknowledged.length).toBeGreaterThan(0);
  return Promise.all(
    sessions.map(async (session) => {
      const { events } = await fleet.get<{ readonly events: readonly (SeenEvent & object)[] }>(
        `/sessions/${session}/events?limit=5000`,
      );
      return events.map((event) => ({ seq: event.seq, type: event.type, text: JSON.stringify(event) }));
    }),
  );
}

async function eventually(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const until = Date.now() + 90_000;
  while (!(await isTrue())) {
    if (Date.now() > until) return;
    await sleep(100);
  }
}

interface Fleet extends AsyncDisposable {
  /** All addresses, beginning with this node's. */
  urlsFrom(index: number): readonly string[];
  kill(index: number): Promise<void>;
  drain(index: number): Promise<void>;
  'stop past the lease'(index: number): Promise<void>;
  /** A rolling restart of all nodes. */
  restart(index: number): Promise<void>;
  get<Body>(place: string): Promise<Body>;
}

async function startFleet(folder: string, project: string): Promise<Fleet> {
  const names = ['a', 'b', 'c'];
  const ports = await Promise.all(names.map(freePort));
  const children: (ChildProcess | undefined)[] = [];
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const store = `sqlite:${path.join(folder, 'store.db')}`;

  async function start(index: number): Promise<void> {
    const name = names[index] ?? '';
    const home = path.join(folder, name);
    mkdirSync(home, { recursive: true, mode: 0o700 });
    writeFileSync(path.join(home, 'token'), `${token}\n`, { mode: 0o600 });
    const policies = { default: { allow: ['shell(sh stamp.sh *)'] } };
    writeFileSync(path.join(home, 'config.json'), JSON.stringify({ policies, tools: { sandbox: 'none' } }));
    const words = ['serve', '--port', `${ports[index]}`, '--store', store, '--node', name];
    const child = spawn(process.execPath, [rondoBinary, ...words, '--advertise', urls[index] ?? ''], {
      cwd: project,
      env: { PATH: process.env['PATH'] ?? '', HOME: home, RONDO_HOME: home, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children[index] = child;
    child.stderr?.on('data', (chunk: Buffer) => appendFileSync(path.join(folder, `${name}.log`), chunk));
    await new Promise<void>((resolve, reject) => {
      child.stdout?.on('data', (chunk: Buffer) => chunk.includes('#token=') && resolve());
      child.once('close', (code) => reject(new Error(`Node ${name} ended with ${code}.`)));
    });
  }
  async function end(index: number, signal: NodeJS.Signals): Promise<number | null> {
    const child = children[index];
    children[index] = undefined;
    if (child === undefined || child.exitCode !== null) return null;
    const closed = once(child, 'close') as Promise<[number | null]>;
    child.kill(signal);
    return (await closed)[0];
  }

  await start(0);
  await Promise.all([start(1), start(2)]);
  const fleet: Fleet = {
    urlsFrom: (index) => [...urls.slice(index % 3), ...urls.slice(0, index % 3)],
    async kill(index) {
      await end(index, 'SIGKILL');
      await start(index);
    },
    async drain(index) {
      expect(await end(index, 'SIGTERM')).toBe(0);
      await start(index);
    },
    async 'stop past the lease'(index) {
      children[index]?.kill('SIGSTOP');
      await sleep(17_000);
      children[index]?.kill('SIGCONT');
    },
    async restart() {
      for (const index of names.keys()) await fleet.drain(index);
    },
    async get(place) {
      for (const url of urls) {
        const answer = await fetch(`${url}/api/v1${place}`, {
          headers: { authorization: `Bearer ${token}` },
        }).catch(() => undefined);
        if (answer?.ok === true) return (await answer.json()) as never;
      }
      throw new Error(`No node answers ${place}.`);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(names.keys().map((index) => end(index, 'SIGKILL')));
    },
  };
  return fleet;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
