// Repeatedly kills a real process that works on sessions in a real SQLite file, and checks after each death.
// KILL_SEED repeats a run's choices, KILL_COUNT lengthens it.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { afterEach, expect, test } from 'vitest';

import { openSqliteStore } from '../../src/journal/sqlite/sqlite-store.ts';
import type { Store } from '../../src/ports/store.ts';
import type { Recorded } from '../../src/kernel/event.ts';
import type { SessionId } from '../../src/kernel/ids.ts';
import { createTestingModel } from '../../src/models/testing-model.ts';
import { createRondo } from '../../src/rondo.ts';
import type { Session } from '../../src/session/handle/session.ts';
import { journalProblems, readWholeJournal } from '../../src/testing/journal-checks.ts';
import { projectionProblems, restProblems } from '../../src/testing/simulation-checks.ts';
import { createSeededRandom } from '../../src/testing/simulation-random.ts';
import { testTool } from '../../src/testing/test-tool.ts';
import { recordProof } from '../proof/proof-record.ts';

const program = path.resolve(import.meta.dirname, '../fixtures/kill-sessions/main.ts');
const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000);
const kills = Number(process.env['KILL_COUNT'] ?? 42);
/** Number of stores used in parallel, because a child spends most of its life starting. */
const lanes = 3;

type Fact =
  | { readonly type: 'starting' }
  | { readonly type: 'prompt'; readonly session: SessionId; readonly text: string; readonly seq: number }
  | { readonly type: 'answer'; readonly session: SessionId; readonly question: string; readonly seq: number };

const children: ChildProcess[] = [];
const folders: string[] = [];
afterEach(async () => {
  const running = children
    .splice(0)
    .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  await Promise.all(running.map((child) => (child.kill('SIGKILL'), once(child, 'close'))));
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

test(
  `[P1] [P2] [C122] a process killed at any instant loses nothing it acknowledged and repeats nothing unrepeatable`,
  { timeout: 120_000 + kills * 2000 },
  async () => {
    const started = performance.now();
    const runs = await Promise.all(Array.from({ length: lanes }, (_, lane) => killOverAndOver(seed + lane)));
    const count = (of: (run: Run) => number) => runs.reduce((sum, run) => sum + of(run), 0);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    process.stdout.write(
      `kill test: KILL_SEED=${seed}, ${count((run) => run.kills)} kills in ${seconds} s, ` +
        `${count((run) => run.told)} acknowledgements, ${count((run) => run.effects)} effects, ` +
        `${count((run) => run.recoveries)} recoveries, ${count((run) => run.events)} events\n`,
    );
    recordProof({
      name: 'process with sessions killed',
      runs: lanes,
      faults: { 'process killed': count((run) => run.kills) },
      acknowledged: count((run) => run.told),
    });
    // Lives end by progress and not by time, so these hold on any machine.
    expect(count((run) => run.told)).toBeGreaterThan(kills);
    expect(count((run) => run.effects)).toBeGreaterThanOrEqual(count((run) => run.effectsAwaited));
    expect(count((run) => run.effectsAwaited)).toBeGreaterThanOrEqual(kills);
    expect(count((run) => run.recoveries)).toBeGreaterThan(0);
  },
);

interface Run {
  readonly kills: number;
  readonly told: number;
  readonly effects: number;
  /** New effects that were seen before a kill. */
  readonly effectsAwaited: number;
  readonly recoveries: number;
  readonly events: number;
}

async function killOverAndOver(laneSeed: number): Promise<Run> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-kill-sessions-'));
  folders.push(folder);
  const file = path.join(folder, 'rondo.db');
  const world = path.join(folder, 'world.log');
  const random = createSeededRandom(laneSeed);
  const told: Fact[] = [];
  const killsHere = Math.ceil(kills / lanes);
  let effectsAwaited = 0;
  for (let kill = 1; kill <= killsHere; kill += 1) {
    const life: Life = {
      until: lives[kill % lives.length] ?? 'effects',
      count: 2 + random.whole(6),
      thenMs: random.whole(12),
    };
    if (life.until === 'effects') effectsAwaited += life.count;
    await runUntilKilled({ file, world, seed: laneSeed + kill }, told, life);
    const problems = await problemsIn(file, world, told);
    expect({ seed, kill, problems }).toEqual({ seed, kill, problems: [] });
  }
  const rest = await bringToRest(file);
  const problems = [...rest.problems, ...(await problemsIn(file, world, told))];
  expect({ seed, problems }).toEqual({ seed, problems: [] });
  const events = [...rest.journals.values()].flat();
  return {
    kills: killsHere,
    told: told.length,
    effects: linesOf(world).length,
    effectsAwaited,
    recoveries: events.filter(({ event }) => event.type === 'session-recovered').length,
    events: events.length,
  };
}

/** Every second life gets as far as two effects. Others end while it starts and recovers, or at a receipt. */
const lives: readonly Life['until'][] = ['starting', 'effects', 'acknowledged', 'effects'];

interface Life {
  /** Its first line, receipts, or effects on the world. */
  readonly until: 'starting' | 'acknowledged' | 'effects';
  readonly count: number;
  /** So that it dies between those points as well. */
  readonly thenMs: number;
}

interface Place {
  readonly file: string;
  readonly world: string;
  readonly seed: number;
}

async function runUntilKilled({ file, world, seed: choices }: Place, told: Fact[], life: Life): Promise<void> {
  const effectsBefore = linesOf(world).length;
  const toldBefore = told.length;
  const child = spawn(process.execPath, [program, file, world, String(choices)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const ended = new Promise<string | number | null>((resolve) => {
    child.on('close', (code, signal) => resolve(signal ?? code));
  });
  const { promise: hasComeFar, resolve: comeFar } = Promise.withResolvers<void>();
  const look = () => {
    if (life.until === 'acknowledged' && told.length - toldBefore >= life.count) comeFar();
    if (life.until === 'effects' && linesOf(world).length - effectsBefore >= life.count) comeFar();
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    const fact = JSON.parse(line) as Fact;
    if (fact.type !== 'starting') told.push(fact);
    else if (life.until === 'starting') comeFar();
    look();
  });
  const looking = setInterval(look, 2);
  await Promise.race([hasComeFar, ended]);
  clearInterval(looking);
  await new Promise((resolve) => setTimeout(resolve, life.until === 'starting' ? life.thenMs * 25 : life.thenMs));
  child.kill('SIGKILL');
  expect({ ended: await ended, complaint }).toEqual({ ended: 'SIGKILL', complaint: '' });
}

async function problemsIn(file: string, world: string, told: readonly Fact[]): Promise<readonly string[]> {
  await using store = await openSqliteStore({ path: file });
  const journals = await journalsIn(store);
  const problems = [...journals].flatMap(([id, events]) =>
    journalProblems(id, events).map((problem) => `${id}: ${problem}`),
  );
  for (const fact of told) {
    if (fact.type === 'starting' || isRecorded(fact, journals.get(fact.session) ?? [])) continue;
    problems.push(`[P1] acknowledged and lost: ${JSON.stringify(fact)}`);
  }
  problems.push(...effectProblems(linesOf(world), journals));
  problems.push(...(await projectionProblems(store.journal, [...journals.keys()])));
  return problems;
}

async function journalsIn(store: Store): Promise<ReadonlyMap<SessionId, readonly Recorded[]>> {
  const { entries } = await store.journal.list({ limit: 100 });
  const read = entries.map(
    async ({ session }) => [session, await readWholeJournal(store.journal, session)] as const,
  );
  return new Map(await Promise.all(read));
}

function isRecorded(fact: Exclude<Fact, { type: 'starting' }>, events: readonly Recorded[]): boolean {
  const event = events[fact.seq - 1]?.event;
  if (fact.type === 'answer') return event?.type === 'question-answered' && event.question === fact.question;
  return event?.type === 'prompt-received' && event.request.type === 'chat' && event.request.text === fact.text;
}

/** [P2] Every effect that happened was intended before, under its id; non-repeatable ones happened once. */
function effectProblems(
  lines: readonly string[],
  journals: ReadonlyMap<SessionId, readonly Recorded[]>,
): readonly string[] {
  const problems: string[] = [];
  const once = new Set<string>();
  for (const line of lines) {
    const [tool, effect = ''] = line.split(' ');
    const at = effect.lastIndexOf('.');
    const intent = journals.get(effect.slice(0, at) as SessionId)?.[Number(effect.slice(at + 1)) - 1];
    if (intent?.event.type !== 'tool-run-intended')
      problems.push(`[P2] took place and was never intended: ${line}`);
    if (tool === 'once' && once.has(effect)) problems.push(`[P2] took place twice: ${line}`);
    once.add(effect);
  }
  return problems;
}

/** The last process answers open questions and runs until everything is idle. */
async function bringToRest(file: string): Promise<{
  readonly problems: readonly string[];
  readonly journals: ReadonlyMap<SessionId, readonly Recorded[]>;
}> {
  {
    await using rondo = await createRondo({
      store: `sqlite:${file}`,
      agents: { worker: { model: 'testing' } },
      models: { testing: createTestingModel() },
      tools: [
        testTool('again', () => 'done', { access: 'write' }),
        testTool('once', () => 'done', { access: 'write', repeat: 'never' }),
      ],
    });
    await rondo.adopt();
    const { entries } = await rondo.sessions.list({ limit: 100 });
    await Promise.all(entries.map(async ({ session }) => settle(await rondo.sessions.open(session))));
  }
  await using store = await openSqliteStore({ path: file });
  const journals = await journalsIn(store);
  const problems = await Promise.all([...journals].map(([id, events]) => restProblems(store, id, events)));
  return { problems: problems.flat(), journals };
}

async function settle(session: Session): Promise<void> {
  for (;;) {
    const { lifecycle, questions, queue } = await session.status();
    for (const { id } of questions) await session.answer(id, { type: 'allow-once' });
    if (lifecycle !== 'idle') await session.wait();
    // A turn abandoned after too many deaths leaves the queue to a person.
    else if (queue.prompts.length > 0) await session.send({ type: 'queue', change: { type: 'resumed' } });
    else return;
  }
}

function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}
