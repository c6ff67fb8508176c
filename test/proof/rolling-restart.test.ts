// Every node is drained and restarted in turn, as an upgrade does, while clients keep every session busy.
import { mkdtempDisposableSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { createClient } from '../../src/client/client.ts';
import { postgresFleet } from './fleet-postgres.ts';
import { startFleet } from './fleet.ts';
import { follow } from './follower.ts';
import { eventsOf } from './served-events.ts';
import { answerOpen } from './served-questions.ts';
import { effectsIn, overlapsIn, somePrompt } from './stamped-work.ts';

const { missing } = postgresFleet;

test.skipIf(missing !== undefined)(
  `[C153] [O7] a rolling restart loses no turn, clients move by themselves, and no tools of two owners overlap ${missing ?? ''}`,
  { timeout: 300_000 },
  async () => {
    using folder = mkdtempDisposableSync(path.join(os.tmpdir(), 'rondo-rolling-'));
    const world = path.join(folder.path, 'world.log');
    await using fleet = await startFleet(postgresFleet, folder.path, { names: ['a', 'b'], drain: 60 });
    const { urls, token, nodes } = fleet;
    const clientAt = (first: number) =>
      createClient({ url: [...urls.slice(first), ...urls.slice(0, first)], token, firstRetryMs: 20 });
    const clients = [clientAt(0), clientAt(1)];
    const sessions = await Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        const client = clients[index % 2] ?? clientAt(0);
        const { session } = await client.create({ agent: 'testing' });
        // Follows through the other node first.
        return { client, session, follower: follow(clientAt((index + 1) % 2), session) };
      }),
    );

    const over = new AbortController();
    const marks: string[] = [];
    const working = sessions.map(async ({ client, session, follower }) => {
      for (let turn = 1; !over.signal.aborted; turn += 1) {
        const mark = `mark-${marks.length}-`;
        marks.push(mark);
        await client.send(session, { type: 'chat', text: somePrompt(mark, world, 2) });
        while (follower.seen.filter((place) => place.endsWith(' turn-ended')).length < turn) await sleep(20);
      }
    });
    const answering = (async () => {
      while (!over.signal.aborted) {
        await answerOpen(fleet).catch(() => 0);
        await sleep(50);
      }
      // The last turns.
      while ((await Promise.race([Promise.all(working), sleep(50, 'working')])) === 'working')
        await answerOpen(fleet).catch(() => 0);
    })();
    await expect.poll(() => effectsIn(world).length, { timeout: 60_000 }).toBeGreaterThan(3);
    const codes: (number | null)[] = [];
    for (const node of nodes) {
      codes.push(await node.served.terminate());
      await node.served.restart();
      const before = effectsIn(world).length;
      await expect.poll(() => effectsIn(world).length, { timeout: 60_000 }).toBeGreaterThan(before + 2);
    }
    over.abort();
    await answering;

    const events = await Promise.all(sessions.map(({ session }) => eventsOf(fleet, session)));
    const ended = events.flat().filter(({ type }) => type === 'turn-ended');
    const seen = sessions.map(({ follower }) => follower.seen);
    for (const { client, follower } of sessions) {
      client.close();
      follower.client.close();
    }
    expect({
      codes,
      endings: [...new Set(ended.map(({ text }) => /"ending":\{"type":"([^"]+)"/.exec(text)?.[1]))],
      turns: ended.length,
      effects: effectsIn(world).toSorted(),
      overlapping: overlapsIn(world),
      seen,
    }).toEqual({
      codes: [0, 0],
      endings: ['completed'],
      turns: marks.length,
      effects: marks.toSorted(),
      overlapping: [],
      seen: events.map((all) => all.map(({ seq, type }) => `${seq} ${type}`)),
    });
  },
);
