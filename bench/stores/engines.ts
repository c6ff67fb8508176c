/** The servers of the benchmark, and new stores on them. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';

import { noNats, startNatsServer } from '../../test/fixtures/nats/server.ts';
import { startServer } from '../../test/fixtures/postgres/server.ts';
import { createScratchFolder } from '../harness/scratch-folder.ts';

export const engineNames = { sqlite: 'SQLite', postgres: 'PostgreSQL', nats: 'NATS' } as const;
export type Engine = keyof typeof engineNames;

export interface Server {
  /** Where floors and peers keep their own tables or streams. */
  readonly address: string;
  readonly pid: number;
  /** The address of an empty store. */
  newStore(): string;
}

export interface Engines extends AsyncDisposable {
  readonly all: readonly Engine[];
  readonly postgres: Server;
  readonly nats: Server | undefined;
  readonly remarks: readonly string[];
  newFolder(): string;
}

export async function startEngines(): Promise<Engines> {
  await using stack = new AsyncDisposableStack();
  // Durable, unlike in tests: every commit is synced.
  const settings = { fsync: 'on', full_page_writes: 'on', shared_buffers: '128MB' };
  const postgres = stack.use(await startServer({ settings }));
  const missing = noNats();
  const nats = missing === undefined ? stack.use(await startNatsServer()) : undefined;
  const folder = stack.use(createScratchFolder());
  let made = 0;
  const next = () => (made += 1);
  const kept = stack.move();
  return {
    all: nats === undefined ? ['sqlite', 'postgres'] : ['sqlite', 'postgres', 'nats'],
    postgres: {
      address: postgres.address,
      pid: postgres.pid,
      newStore: () => `${postgres.address}?schema=bench_${next()}`,
    },
    nats: nats && { address: nats.address, pid: nats.pid, newStore: () => `${nats.address}/bench_${next()}` },
    remarks: missing === undefined ? [] : [missing],
    newFolder() {
      const place = path.join(folder.path, `store-${next()}`);
      mkdirSync(place);
      return place;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
