// A real server with real SQLite, tools that are real processes, and clients over real sockets, while the
// server is killed, its tools are killed, the network is cut and clients go away without a word.
// FIRE_SECONDS lengthens it, FIRE_SEED repeats a run's choices.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { createClient, type Client } from '../../src/client/client.ts';
import type { SessionId } from '../../src/kernel/ids.ts';
import { openProcessTable } from '../../src/processes/process-table.ts';
import { createSeededRandom } from '../../src/testing/simulation-random.ts';
import { createCuttingProxy } from './cutting-proxy.ts';
import { recordProof } from './proof-record.ts';
import { eventsOf } from './served-events.ts';
import { serveRondo, type ServedRondo } from './served-rondo.ts';
import { createWrongClock } from './wrong-clock.ts';

const seed = Number(process.env['FIRE_SEED'] ?? Date.now() % 1_000_000);
const seconds = Number(process.env['FIRE_SECONDS'] ?? 8);

interface Follower {
  readonly session: SessionId;
  readonly seen: string[];
  readonly client: Client;
}

test(
  '[P1] [P2] [P3] [P5] [P6] [C94] under fire a server loses nothing acknowledged, repeats nothing, leaves no process behind, and shows every client the journal',
  { timeout: 180_000 + seconds * 4000 },
  async () => {
    const random = createSeededRandom(seed);
    let port = 0;
    await using network = await createCuttingProxy(() => port);
    using clock = createWrongClock(path.join(mkdtempSync(path.join(os.tmpdir(), 'rondo-clock-')), 'clock'));
    await using server = await serveRondo({
      options: ['--allowed-host', `127.0.0.1:${network.port}`],
      env: clock.env,
    });
    ({ port } = server);
    const url = `http://127.0.0.1:${network.port}`;
    const newClient = () => createClient({ url, token: server.token, firstRetryMs: 20, mostRetryMs: 200 });
    const boss = newClient();
    const world = path.join(server.home, 'world.log');
    const sessions = await Promise.all(
      Array.from({ length: 4 }, async () => (await boss.create({ agent: 'testing' })).session),
    );
    let followers = sessions.flatMap((session) => [follow(newClient(), session), follow(newClient(), session)]);
    const faults = { 'server killed': 0, 'network cut': 0, 'tool killed': 0, 'client gone': 0, 'clock set': 0 };
    const sent: Promise<string | undefined>[] = [];
    const deadline = performance.now() + seconds * 1000;

    while (performance.now() < deadline) {
      switch (random.weighted({ prompt: 10, answer: 6, cut: 3, kill: 1, tool: 1, client: 2, clock: 2 })) {
        case 'prompt': {
          const mark = `mark-${sent.length}-`;
          sent.push(
            boss
              .send(random.pick(sessions), { type: 'chat', text: somePrompt(mark, world, random.whole(3)) })
              .then(
                () => mark,
                () => undefined,
              ),
          );
          break;
        }
        case 'answer':
          await answerOpen(server);
          break;
        case 'cut':
          network.cut();
          faults['network cut'] += 1;
          break;
        case 'kill':
          await server.killAndRestart();
          faults['server killed'] += 1;
          break;
        case 'tool': {
          const [victim] = markedProcesses(sessions);
          if (victim === undefined) break;
          killQuietly(victim);
          faults['tool killed'] += 1;
          break;
        }
        case 'clock':
          clock.set(random.pick([-3_600_000, 0, 3_600_000]) + random.whole(60_000));
          faults['clock set'] += 1;
          break;
        case 'client': {
          const gone = random.pick(followers);
          gone.client.close();
          followers = [...followers.filter((one) => one !== gone), follow(newClient(), gone.session)];
          faults['client gone'] += 1;
          break;
        }
      }
      await sleep(random.whole(60));
    }

    const acknowledged = (await Promise.all(sent)).flatMap((mark) => mark ?? []);
    await comeToRest(server, sessions);
    const journals = new Map(
      await Promise.all(sessions.map(async (id) => [id, await eventsOf(server, id)] as const)),
    );
    const prompts = [...journals.values()]
      .flat()
      .flatMap(({ type, text }) => (type === 'prompt-received' ? [text] : []));
    const lost = acknowledged.filter((mark) => !prompts.some((text) => text.includes(mark)));
    const doubled = acknowledged.filter((mark) => prompts.filter((text) => text.includes(mark)).length > 1);
    const done = existsSync(world) ? readFileSync(world, 'utf8').split('\n').slice(0, -1) : [];
    const repeated = done.filter((line, index) => done.indexOf(line) !== index);
    const differing: string[] = [];
    for (const { session, seen } of followers) {
      const journal = (journals.get(session) ?? []).map(({ seq, type }) => `${seq} ${type}`);
      const isSame = () => seen.join('\n') === journal.join('\n');
      for (let waited = 0; waited < 200 && !isSame(); waited += 1) await sleep(50);
      if (!isSame()) differing.push(`${session}: saw ${seen.length} of ${journal.length} events`);
    }
    boss.close();
    for (const { client } of followers) client.close();
    expect(await server.terminate()).toBe(0);
    const leaked = markedProcesses(sessions);

    recordProof({
      name: 'server under fire',
      runs: 1,
      faults,
      acknowledged: acknowledged.length,
      lost: lost.length,
      repeated: repeated.length + doubled.length,
      compared: followers.length,
      differing: differing.length,
      leaked: leaked.length,
    });
    expect({ seed, lost, doubled, repeated, differing, leaked }).toEqual({
      seed,
      lost: [],
      doubled: [],
      repeated: [],
      differing: [],
      leaked: [],
    });
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(done.length).toBeGreaterThan(0);
  },
);

function somePrompt(mark: string, world: string, kind: number): string {
  if (kind === 0) return `say ${mark}`;
  const command = kind === 1 ? `echo ${mark} >> ${world}` : `sleep 0.2; echo ${mark} >> ${world}; sleep 0.2`;
  return `call shell ${JSON.stringify({ command })}\nsay ${mark} done`;
}

function follow(client: Client, session: SessionId): Follower {
  const seen: string[] = [];
  client.follow(
    session,
    {
      update(update) {
        if (update.type === 'event') seen.push(`${update.seq} ${update.event.type}`);
        if (update.type === 'gap' || update.type === 'snapshot') seen.push(update.type);
      },
    },
    { after: 0 },
  );
  return { session, seen, client };
}

interface AskedQuestion {
  readonly id: string;
  readonly about?: { readonly type: string };
}

/** Calls may run; what may have happened already must not happen again. */
async function answerOpen(server: ServedRondo): Promise<number> {
  const { questions } = await server.get<{ readonly questions: readonly AskedQuestion[] }>('/questions');
  for (const { id, about } of questions) {
    const choice = about?.type === 'repeat' ? 'reject' : 'allow-once';
    // Somebody may have been faster, or its turn is over.
    await server.post(`/questions/${id}/answer`, { choice }).catch(() => undefined);
  }
  return questions.length;
}

async function comeToRest(server: ServedRondo, sessions: readonly SessionId[]): Promise<void> {
  for (;;) {
    const open = await answerOpen(server);
    const phases = await Promise.all(
      sessions.map(async (id) => (await server.get<{ readonly phase: string }>(`/sessions/${id}`)).phase),
    );
    if (open === 0 && phases.every((phase) => phase === 'idle')) return;
    await sleep(50);
  }
}

/** Processes that tools of these sessions started. */
function markedProcesses(sessions: readonly SessionId[]): readonly number[] {
  const table = openProcessTable();
  return table
    .list()
    .flatMap(({ pid }) => (sessions.some((id) => table.hasVariable(pid, 'RONDO_SESSION', id)) ? [pid] : []));
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}
