// Nodes that are stopped in the middle of a tool for longer than their lease, alone or with what they started, on real
// processes. Another node takes their sessions over, and they continue later.
import { existsSync, mkdtempDisposableSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { expect, test } from 'vitest';

import type { SessionId } from '../../src/kernel/ids.ts';
import { openProcessTable, type ProcessTable } from '../../src/processes/process-table.ts';
import { noServer } from '../fixtures/postgres/server.ts';
import { freshSchema, hasServer } from '../fixtures/postgres/shared-server.ts';
import { eventsOf } from '../proof/served-events.ts';
import { answerOpen } from '../proof/served-questions.ts';
import { serveRondo } from '../proof/served-rondo.ts';

const stopped = ['the node alone', 'the node and its keeper', 'the node and all that it started'] as const;

test.skipIf(!hasServer())(
  `[O4] [O5] [O6] [C153] nothing that a stopped node started runs after another took its session over: ${stopped.join(', ')} ${hasServer() ? '' : noServer}`,
  { timeout: 120_000 },
  async () => {
    using folder = mkdtempDisposableSync(path.join(os.tmpdir(), 'rondo-stopped-'));
    await using all = new AsyncDisposableStack();
    const store = `${await freshSchema()}&lease=8`;
    const serve = async (name: string) =>
      all.use(await serveRondo({ options: ['--store', store, '--node', name], cwd: folder.path }));
    const nodes = await Promise.all(stopped.map((_, index) => serve(`stopped-${index}`)));
    const scenes = await Promise.all(
      nodes.map(async (node, index) => {
        const stamps = path.join(folder.path, `stamps-${index}`);
        const command = `while true; do echo "$RONDO_EPOCH $(date +%s%3N)" >> ${stamps}; sleep 0.05; done`;
        const { id } = await node.post<{ id: SessionId }>('/sessions', { agent: 'testing' });
        const text = `call shell ${JSON.stringify({ command })}\nsay over`;
        await node.post(`/sessions/${id}/inputs`, { type: 'chat', text });
        const ran = () => (existsSync(stamps) ? readFileSync(stamps, 'utf8').split('\n').slice(0, -1) : []);
        await expect
          .poll(() => answerOpen(node, id).then(() => ran().length), { timeout: 30_000 })
          .toBeGreaterThan(3);
        return { node, id, ran };
      }),
    );
    const other = await serve('other');

    const table = await openProcessTable();
    const pids = await Promise.all(
      scenes.map(async ({ node }, index) => {
        const own = (await node.figures())?.pid ?? 0;
        const started = descendantsIn(table, own);
        const keeper = started.filter(
          (pid) => table.find(pid)?.parent === own && table.variable(pid, 'RONDO_SESSION') === undefined,
        );
        return [own, ...([[], keeper, started][index] ?? [])];
      }),
    );
    // The last one also has the tool, and perhaps what the tool runs at this moment.
    expect(pids.map(({ length }) => Math.min(length, 3))).toEqual([1, 2, 3]);
    const signal = (name: NodeJS.Signals) => {
      for (const pid of pids.flat()) {
        try {
          process.kill(pid, name);
        } catch {
          // It was ended.
        }
      }
    };
    signal('SIGSTOP');
    try {
      for (const { id } of scenes) {
        const over = async () => (await eventsOf(other, id)).filter(({ type }) => type === 'turn-ended').length;
        await expect.poll(over, { timeout: 60_000 }).toBe(1);
      }
    } finally {
      signal('SIGCONT');
    }
    // They learn what happened, and continue as nodes.
    await expect
      .poll(async () => (await Promise.all(nodes.map((node) => node.get<object>('/nodes')))).length)
      .toBe(stopped.length);

    const found = await Promise.all(
      scenes.map(async ({ node, id, ran }) => {
        const events = (await eventsOf(node, id)).map(
          ({ text }) => JSON.parse(text) as { type: string; at: number },
        );
        const recoveredAt = events.find(({ type }) => type === 'session-recovered')?.at ?? 0;
        const late = ran().filter((line) => Number(line.split(' ')[1]) > recoveredAt);
        const last = events.findLast(({ type }) => type === 'turn-ended');
        return { late, types: events.map(({ type }) => type).slice(-5), last };
      }),
    );
    const ending = { type: 'turn-ended', ending: { type: 'completed' } };
    const types = ['session-recovered', 'tool-settled', 'model-call-intended', 'model-settled', 'turn-ended'];
    expect(found).toMatchObject(stopped.map(() => ({ late: [], types, last: ending })));
  },
);

function descendantsIn(table: ProcessTable, pid: number): readonly number[] {
  const children = table.list().filter(({ parent }) => parent === pid);
  return children.flatMap((child) => [child.pid, ...descendantsIn(table, child.pid)]);
}
