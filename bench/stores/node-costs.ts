/** Processor time of a turn with one node on a store, and with three. */
import type { Table } from '../harness/markdown.ts';
import { cpuMsOf } from '../harness/cpu-meter.ts';
import { isFailure, runChild } from '../harness/run-child.ts';
import { atMost, type Figure } from '../harness/section.ts';
import type { Server } from './engines.ts';

interface MeasuredNodes {
  readonly table: Table;
  readonly figures: readonly Figure[];
  readonly failures: readonly string[];
}

interface Cost {
  readonly nodeMs: number;
  readonly serverMs: number;
}

export async function measureNodes(
  server: Server,
  duration: { readonly warmMs: number; readonly runMs: number },
): Promise<MeasuredNodes> {
  const address = server.newStore();
  const failures: string[] = [];

  /** Nodes at work at the same time. */
  async function run(nodes: number): Promise<Cost> {
    const before = cpuMsOf(server.pid) ?? Number.NaN;
    const done = await Promise.all(
      Array.from({ length: nodes }, () =>
        runChild('single-turns', { runtime: 'rondo-postgres', address, ...duration }),
      ),
    );
    const after = cpuMsOf(server.pid) ?? Number.NaN;
    const measured = done.flatMap((one) => (isFailure(one) ? [] : [one]));
    for (const one of done) if (isFailure(one)) failures.push(one.failure);
    const turns = measured.reduce((sum, { count }) => sum + count, 0);
    const all = measured.reduce((sum, { turns: some }) => sum + some, 0);
    return {
      nodeMs: measured.reduce((sum, { cpuMs, count }) => sum + cpuMs * count, 0) / turns,
      serverMs: (after - before) / all,
    };
  }

  // Creates the tables.
  await run(1);
  const one = await run(1);
  const three = await run(3);
  const sum = ({ nodeMs, serverMs }: Cost) => nodeMs + serverMs;
  const row = (title: string, cost: Cost) => [title, cost.nodeMs, cost.serverMs, sum(cost), sum(cost) / sum(one)];
  return {
    table: {
      title: 'Processor time of a turn on PostgreSQL, ms',
      head: ['', 'node', 'server', 'together', '× one node'],
      rows: [row('one node', one), row('three nodes', three)],
    },
    figures: [
      atMost('PostgreSQL, processor time of a turn, three nodes × one', sum(three) / sum(one), 1.25, {
        of: 'amount',
      }),
    ],
    failures,
  };
}
