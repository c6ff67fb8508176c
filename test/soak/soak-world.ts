/**
 * One served Rondo under load. Sessions are created, prompted, followed, cut off, read slowly, and after a while
 * ended and removed, so that held resources have no reason to grow. When a session ends, its clients' events are
 * compared with its journal.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { createClient } from '../../src/client/client.ts';
import type { SessionId } from '../../src/kernel/ids.ts';
import { createSeededRandom } from '../../src/testing/simulation-random.ts';
import { eventsOf } from '../proof/served-events.ts';
import { answerOpen } from '../proof/served-questions.ts';
import { serveRondo, type ServedRondo } from '../proof/served-rondo.ts';
import { followSlowly, followWithClient, type SoakReader } from './soak-reader.ts';

export interface SoakCounts {
  prompts: number;
  sessions: number;
  kills: number;
  disturbances: number;
  compared: number;
}

export interface SoakWorld extends AsyncDisposable {
  readonly server: ServedRondo;
  readonly counts: Readonly<SoakCounts>;
  /** Failed checks, as text; the first thousand characters of each are kept. */
  readonly problems: readonly string[];
  /** Loads the server until time is up, then waits until every session is idle and compares it. */
  run(seconds: number): Promise<void>;
}

interface Guest {
  readonly session: SessionId;
  readonly agent: string;
  readonly readers: SoakReader[];
  readonly sent: Promise<string | undefined>[];
}

const acpAgent = path.resolve(import.meta.dirname, '../fixtures/acp-agent/main.ts');
/** One with its own agent process; always the same number of each, so that the number of processes is constant. */
const agents = ['relayed', 'testing', 'testing', 'testing', 'testing'] as const;
/** Longer than anything a session here does, on a busy machine. */
const patienceMs = 180_000;

export async function createSoakWorld(setting: {
  readonly seed: number;
  readonly isKilled: boolean;
}): Promise<SoakWorld> {
  const random = createSeededRandom(setting.seed);
  const command = { command: process.execPath, args: [acpAgent] };
  const server = await serveRondo({ config: { acpAgents: { relayed: command } } });
  const { token } = server;
  const url = `http://127.0.0.1:${server.port}`;
  const boss = createClient({ url, token, firstRetryMs: 20, mostRetryMs: 200 });
  const done = path.join(server.home, 'done.log');
  const counts: SoakCounts = { prompts: 0, sessions: 0, kills: 0, disturbances: 0, compared: 0 };
  const problems: string[] = [];
  const guests: Guest[] = [];

  const follow = (session: SessionId): SoakReader =>
    (random.chance(0.3) ? followSlowly : followWithClient)({ url, token, session });

  async function welcome(agent: string): Promise<Guest> {
    const { session } = await boss.create({ agent });
    counts.sessions += 1;
    return { session, agent, readers: Array.from({ length: 3 }, () => follow(session)), sent: [] };
  }

  function prompt({ session, agent, sent }: Guest): void {
    counts.prompts += 1;
    const mark = `mark-${counts.prompts}-`;
    const text = agent === 'relayed' ? `say ${mark} heard` : promptText(mark, done, random.whole(6));
    sent.push(
      boss.send(session, { type: 'chat', text }).then(
        () => (text.includes(mark) ? mark : undefined),
        () => undefined,
      ),
    );
  }

  /** Number of open ones; 0 if the server is down. */
  const answered = (session?: SessionId) => answerOpen(server, session).catch(() => 0);

  async function untilTrue(what: string, isTrue: () => Promise<boolean> | boolean): Promise<void> {
    for (const end = performance.now() + patienceMs; !(await isTrue()); await sleep(40)) {
      if (performance.now() > end)
        throw new Error(`seed ${setting.seed}: ${what} took more than ${patienceMs / 1000} s`);
    }
  }

  /** Waits until idle, compares, ends. */
  async function seeOff({ session, readers, sent }: Guest): Promise<void> {
    const accepted = (await Promise.all(sent)).flatMap((mark) => mark ?? []);
    const status = (): Promise<{ readonly phase?: string; readonly hosted?: string }> =>
      server.get<object>(`/sessions/${session}`).catch(() => ({}));
    await untilTrue(`session ${session} coming to rest`, async () => {
      const open = await answered(session);
      return open === 0 && (await status()).phase === 'idle';
    });
    const journal = await eventsOf(server, session);
    const prompts = journal.flatMap(({ type, text }) => (type === 'prompt-received' ? [text] : []));
    for (const mark of accepted) {
      const times = prompts.filter((text) => text.includes(mark)).length;
      if (times !== 1)
        problems.push(`session ${session}: the acknowledged ${mark} is ${times} times in the journal`);
    }
    const last = journal.at(-1)?.seq ?? 0;
    for (const reader of readers) {
      await untilTrue(`a reader of session ${session} reaching event ${last}`, () => reader.hasReached(last));
      const differences = reader.differencesFrom(journal);
      if (differences.length > 0) problems.push(`session ${session}: ${differences.join('; ')}`.slice(0, 1000));
      counts.compared += 1;
      reader.stop();
    }
    await server.delete(`/sessions/${session}`);
    await untilTrue(`session ${session} being taken down`, async () => (await status()).hosted === 'cleaned');
  }

  const weights = { prompt: 12, answer: 5, disturb: 5, replace: 1, retire: 1, kill: setting.isKilled ? 0.25 : 0 };
  async function disturbOnce(guest: Guest): Promise<void> {
    switch (random.weighted(weights)) {
      case 'prompt':
        return prompt(guest);
      case 'answer':
        return void (await answered());
      case 'disturb':
        counts.disturbances += 1;
        return random.pick(guest.readers).disturb();
      case 'replace':
        guest.readers.shift()?.stop();
        guest.readers.push(follow(guest.session));
        return;
      case 'retire':
        guests.splice(guests.indexOf(guest), 1);
        await seeOff(guest);
        guests.push(await welcome(guest.agent));
        return;
      case 'kill':
        return killOnce();
    }
  }

  function killOnce(): Promise<void> {
    counts.kills += 1;
    return server.killAndRestart();
  }

  async function pruneUntil(end: number): Promise<void> {
    while (performance.now() < end) {
      await server
        .command('prune', '--state', 'closed', '--delete')
        .catch((error: unknown) => problems.push(`pruning failed: ${String(error)}`.slice(0, 1000)));
      await sleep(Math.min(10_000, Math.max(0, end - performance.now())));
    }
  }

  return {
    server,
    counts,
    problems,
    async run(seconds) {
      for (const agent of agents) guests.push(await welcome(agent));
      const end = performance.now() + seconds * 1000;
      const pruned = pruneUntil(end);
      const half = performance.now() + seconds * 500;
      while (performance.now() < end) {
        await disturbOnce(random.pick(guests));
        // Even a short run includes one death.
        if (setting.isKilled && counts.kills === 0 && performance.now() > half) await killOnce();
        await sleep(random.whole(80));
      }
      await pruned;
      for (const guest of guests.splice(0)) await seeOff(guest);
      const lines = existsSync(done) ? readFileSync(done, 'utf8').split('\n').slice(0, -1) : [];
      const repeated = lines.filter((line, index) => lines.indexOf(line) !== index);
      if (repeated.length > 0) problems.push(`done more than once: ${repeated.join(', ')}`.slice(0, 1000));
    },
    async [Symbol.asyncDispose]() {
      boss.close();
      for (const { readers } of guests) for (const reader of readers) reader.stop();
      await server[Symbol.asyncDispose]();
    },
  };
}

function promptText(mark: string, done: string, kind: number): string {
  if (kind === 0) {
    const command = `sleep 0.1; echo ${mark} >> ${done}`;
    return `call shell ${JSON.stringify({ command })}\nsay ${mark} done`;
  }
  // Always the same text: long texts are stored once, and for an hour after the last session that had them is gone.
  if (kind === 1) return `say ${'at length '.repeat(3000)}`;
  return `say ${mark} ${'in a few words '.repeat(20)}`;
}
