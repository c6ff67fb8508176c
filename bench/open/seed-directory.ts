/** A store of many sessions, written by direct appends: one turn each, titled by number. */
import path from 'node:path';

import { openSqliteStore } from '../../src/journal/sqlite/sqlite-store.ts';
import type { SessionId } from '../../src/kernel/ids.ts';
import { directoryEntryOf } from '../../src/views/directory.ts';
import { createKernelTurns } from '../workload/kernel-turns.ts';

const together = 500;

export async function seedDirectory(folder: string, count: number): Promise<void> {
  await using store = await openSqliteStore({ path: path.join(folder, 'rondo.db') });
  const started = Date.now() - count;
  for (let first = 0; first < count; first += together)
    await Promise.all(
      Array.from({ length: Math.min(together, count - first) }, async (_, index) => {
        const number = first + index;
        const id = `ses_${String(number).padStart(24, '0')}` as SessionId;
        const turns = createKernelTurns(id, started + number);
        const records = turns.turn(`Prompt ${number}`).map(({ input, transition }) => ({
          at: input.at,
          by: input.by,
          events: transition.events.map(({ event }) => JSON.stringify(event)),
        }));
        const entry = {
          ...directoryEntryOf(turns.state),
          title: `Session ${number}`,
          cwd: `/place/p${number % 7}`,
        };
        const { position } = store.leases.create(id);
        const answer = await store.journal.append({
          session: id,
          position,
          expected: 0,
          records,
          projection: { entry },
        });
        if (answer.type !== 'appended') throw new Error(`Seeding was refused: ${JSON.stringify(answer)}`);
      }),
    );
}
