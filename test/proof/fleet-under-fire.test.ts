// Three real servers on one store, real tools, and clients that know the addresses of all nodes. Nodes are killed,
// stopped, drained and cut off, the store's servers are killed, cut off and lose answers, clocks are set.
// FLEET_SECONDS and FLEET_FAULTS lengthen it, FLEET_LEAST says how often each kind must happen, FLEET_STORE names one
// engine, and FLEET_SEED repeats a run's choices.
import { mkdtempDisposableSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { createClient } from '../../src/client/client.ts';
import type { SessionId } from '../../src/kernel/ids.ts';
import { createSeededRandom } from '../../src/testing/simulation-random.ts';
import { storedTransitions } from '../../src/upkeep/journal-transitions.ts';
import { replay } from '../../src/upkeep/replay.ts';
import { createFaultPlan } from './fault-plan.ts';
import { startFleet, type Fleet, type FleetNode } from './fleet.ts';
import { inject, targetOf, weightsFor } from './fleet-faults.ts';
import { natsFleet } from './fleet-nats.ts';
import { postgresFleet } from './fleet-postgres.ts';
import { follow } from './follower.ts';
import { processesAt } from './processes-with.ts';
import { recordProof } from './proof-record.ts';
import { allSessions, eventsOf } from './served-events.ts';
import { answerOpen } from './served-questions.ts';
import { effectsIn, overlapsIn, somePrompt } from './stamped-work.ts';
import { createWatchdog } from './watchdog.ts';

const seed = Number(process.env['FLEET_SEED'] ?? Date.now() % 1_000_000);
const seconds = Number(process.env['FLEET_SECONDS'] ?? 4);
const wantedFaults = Number(process.env['FLEET_FAULTS'] ?? 12);
const least = Number(process.env['FLEET_LEAST'] ?? 1);
const isLong = seconds > 60;
const only = process.env['FLEET_STORE'];
const engines = [postgresFleet, natsFleet].filter(({ name }) => only === undefined || name.toLowerCase() === only);
/** For things that will happen, on a busy machine. */
const patienceMs = 120_000;

describe.each(engines)('three servers on $name', (engine) => {
  const { missing = '' } = engine;
  test.skipIf(missing !== '')(
    `[P1] [P2] [P4] [P5] [O4] [O5] [O7] [O16] [C151] [C152] [C153] under fire three servers lose nothing acknowledged, repeat nothing and never run tools of two owners at once ${missing}`,
    { timeout: 600_000 + seconds * 3000 },
    async () => {
      const random = createSeededRandom(seed);
      const plan = createFaultPlan(random, weightsFor(engine, { isLong }), (kind) =>
        Math.ceil(least * (engine.shares[kind] ?? 1)),
      );
      using folder = mkdtempDisposableSync(path.join(os.tmpdir(), 'rondo-fleet-'));
      // In the sessions' folder, where a sandbox lets them write.
      const world = path.join(folder.path, 'work', 'world.log');
      await using fleet = await startFleet(engine, folder.path);
      const { nodes, urls, token } = fleet;
      const watchdog = createWatchdog(
        () => `FLEET_SEED=${seed}, ${JSON.stringify(plan.counts)}\n${logsOf(nodes)}`,
      );
      const newClient = (from: number) =>
        createClient({
          url: [...urls.slice(from), ...urls.slice(0, from)],
          token,
          firstRetryMs: 20,
          mostRetryMs: 500,
          quietMs: 2000,
          patienceMs: 3000,
        });
      const boss = newClient(0);
      const sessions = await Promise.all(
        Array.from({ length: 6 }, async () => (await boss.create({ agent: 'testing' })).session),
      );
      const followers = sessions.flatMap((session, index) => [
        follow(newClient(index % urls.length), session),
        follow(newClient((index + 1) % urls.length), session),
      ]);

      const marks: string[] = [];
      const sent: Promise<string | undefined>[] = [];
      const unanswered = new Map<string, SessionId>();
      const sentTo = new Map<SessionId, number>();
      /** Few prompts wait in a session, so that it comes to rest soon. */
      const isBusy = (session: SessionId) => {
        const seen = followers.find((one) => one.session === session)?.seen ?? [];
        const ended = seen.filter((place) => place.endsWith(' turn-ended')).length;
        return (sentTo.get(session) ?? 0) - ended >= 3;
      };
      function prompt(session: SessionId): void {
        const mark = `mark-${marks.length}-`;
        marks.push(mark);
        unanswered.set(mark, session);
        sentTo.set(session, (sentTo.get(session) ?? 0) + 1);
        const text = somePrompt(mark, world, random.whole(3));
        sent.push(
          boss
            .send(session, { type: 'chat', text })
            .then(
              () => mark,
              () => {
                sentTo.set(session, (sentTo.get(session) ?? 1) - 1);
                return undefined;
              },
            )
            .finally(() => unanswered.delete(mark)),
        );
      }

      const occupied = new Set<FleetNode | 'store'>();
      const faults = new Set<Promise<void>>();
      const problems: string[] = [];
      const total = () => Object.values(plan.counts).reduce((sum, count) => sum + count, 0);
      function startFault(): void {
        const kind = plan.next();
        const target = targetOf(kind);
        const free = nodes.filter((one) => !occupied.has(one));
        // One node at least works.
        if (target === 'node' ? free.length < 2 : target === 'store' && occupied.has('store')) return;
        const node = random.pick(target === 'node' ? free : nodes);
        const held = target === 'node' ? node : target;
        if (held !== 'nothing') occupied.add(held);
        const fault = inject(kind, { fleet, node, random })
          .then((isDone) => {
            if (isDone) plan.happened(kind);
          })
          .catch((error: unknown) => void problems.push(`${kind}: ${String(error)}`))
          .finally(() => {
            if (held !== 'nothing') occupied.delete(held);
            faults.delete(fault);
          });
        faults.add(fault);
      }

      const answering = new AbortController();
      const answers = (async () => {
        while (!answering.signal.aborted) {
          await answerOpen(fleet).catch(() => 0);
          await sleep(100);
        }
      })();

      const started = performance.now();
      const mostMs = seconds * 2000 + patienceMs;
      const isEnough = () =>
        plan.isComplete &&
        total() >= wantedFaults &&
        // On a busy machine faults are quicker than work.
        unanswered.size < marks.length &&
        effectsIn(world).length > 0;
      while (performance.now() < started + seconds * 1000 || !isEnough()) {
        if (performance.now() > started + mostMs) {
          problems.push(`Only ${total()} faults after ${mostMs / 1000} s: ${JSON.stringify(plan.counts)}`);
          break;
        }
        const session = random.pick(sessions);
        if (random.chance(0.5)) startFault();
        else if (!isBusy(session)) prompt(session);
        await sleep(random.whole(isLong ? 80 : 150));
      }

      await watchdog.within(patienceMs, 'the last faults to end', Promise.all(faults), () =>
        [...occupied].map((one) => (one === 'store' ? one : one.name)).join(', '),
      );
      const acknowledged = (
        await watchdog.within(patienceMs, 'answers to prompts', Promise.all(sent), () =>
          [...unanswered].map((one) => one.join(' in ')).join(', '),
        )
      ).flatMap((mark) => mark ?? []);
      let moving: readonly string[] = [];
      await watchdog.within(
        patienceMs,
        'sessions to come to rest',
        comeToRest(fleet, sessions, (now) => (moving = now)),
        () => moving.join('; '),
      );
      answering.abort();
      await watchdog.within(patienceMs, 'the last answers', answers);

      const known = await allSessions(fleet);
      const journals = new Map(
        await Promise.all(sessions.map(async (id) => [id, await eventsOf(fleet, id)] as const)),
      );
      const prompts = [...journals.values()]
        .flat()
        .flatMap(({ type, text }) => (type === 'prompt-received' ? [text] : []));
      const lost = acknowledged.filter((mark) => !prompts.some((text) => text.includes(mark)));
      const doubled = marks.filter((mark) => prompts.filter((text) => text.includes(mark)).length > 1);
      const done = effectsIn(world);
      const repeated = done.filter((line, index) => done.indexOf(line) !== index);
      const overlapping = overlapsIn(world);
      const differing: string[] = [];
      for (const { session, seen } of followers) {
        const journal = (journals.get(session) ?? []).map(({ seq, type }) => `${seq} ${type}`).join('\n');
        const isSame = () => seen.join('\n') === journal;
        for (const end = performance.now() + 20_000; performance.now() < end && !isSame();) await sleep(50);
        if (!isSame()) differing.push(`${session}: saw ${seen.length} events, not ${journal.split('\n').length}`);
      }
      const replayed = (await Promise.all(sessions.map((session) => replayProblems(fleet, session)))).flat();
      boss.close();
      for (const { client } of followers) client.close();
      const codes = await watchdog.within(
        patienceMs,
        'nodes to stop',
        Promise.all(nodes.map(({ served }) => served.terminate())),
      );
      for (const [index, code] of codes.entries()) {
        if (code !== 0) problems.push(`${nodes[index]?.name} ended with ${code}: ${nodes[index]?.served.log()}`);
      }
      const leaked = (await Promise.all(nodes.map(({ served }) => processesAt(served.home)))).flat();

      recordProof({
        name: `three servers on ${engine.name}`,
        runs: 1,
        faults: plan.counts,
        acknowledged: acknowledged.length,
        lost: lost.length,
        repeated: repeated.length + doubled.length,
        overlapping: overlapping.length,
        compared: followers.length,
        differing: differing.length + replayed.length,
        leaked: leaked.length,
      });
      process.stdout.write(
        `fleet under fire: FLEET_SEED=${seed}, ${total()} faults, ${acknowledged.length} acknowledged, ${done.length} effects, ${JSON.stringify(plan.counts)}\n`,
      );
      expect({ seed, problems, lost, doubled, repeated, overlapping, differing, replayed, leaked, codes }).toEqual(
        {
          seed,
          problems: [],
          lost: [],
          doubled: [],
          repeated: [],
          overlapping: [],
          differing: [],
          replayed: [],
          leaked: [],
          codes: nodes.map(() => 0),
        },
      );
      expect(known.toSorted()).toEqual(sessions.toSorted());
      expect(acknowledged.length).toBeGreaterThan(0);
      expect(done.length).toBeGreaterThan(0);
    },
  );
});

const eventsShown = 6;

/** Reports what still moves on every look. */
async function comeToRest(
  fleet: Fleet,
  sessions: readonly SessionId[],
  onMoving: (moving: readonly string[]) => void,
): Promise<void> {
  for (;;) {
    const states = await Promise.all(
      sessions.map(async (id) => {
        const { phase, node } = await fleet.get<{ readonly phase: string; readonly node?: string }>(
          `/sessions/${id}`,
        );
        return { id, phase, node };
      }),
    );
    const moving = states.filter(({ phase }) => phase !== 'idle');
    if (moving.length === 0) return;
    const ends = await Promise.all(moving.map(async ({ id }) => (await eventsOf(fleet, id)).slice(-eventsShown)));
    onMoving(
      moving.map(
        ({ id, phase, node = 'no node' }, index) =>
          `${id} is ${phase} on ${node} after ${ends[index]?.map(({ text }) => text.slice(0, 300)).join('\n')}\n`,
      ),
    );
    await sleep(500);
  }
}

async function replayProblems({ store: servers }: Fleet, session: SessionId): Promise<readonly string[]> {
  await using store = await servers.open();
  const problems: string[] = [];
  for await (const { first, verdict, broken } of replay(storedTransitions(store, session), { session })) {
    const isSound = (verdict.type === 'equal' || verdict.type === 'folded') && broken.length === 0;
    if (!isSound) problems.push(`${session} at ${first}: ${JSON.stringify(verdict)} ${broken.join(', ')}`);
  }
  return problems;
}

function logsOf(nodes: readonly FleetNode[]): string {
  return nodes.map(({ name, served }) => `node ${name}:\n${served.log().slice(-4000)}`).join('\n');
}
