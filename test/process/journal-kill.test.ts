import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { openSqliteStore } from '../../src/journal/sqlite/sqlite-store.ts';
import type { SessionId } from '../../src/kernel/ids.ts';
import { recordProof } from '../proof/proof-record.ts';

const kills = Number(process.env['RONDO_KILLS'] ?? 60);
const sessions = 20;
const child = path.join(import.meta.dirname, 'journal-child.ts');

it(
  `has every acknowledged append after each of ${kills} kills in the middle of group commits [P1] [P4]`,
  { timeout: kills * 5000 },
  async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-kill-'));
    const file = path.join(folder, 'store.db');
    const store = await openSqliteStore({ path: file });
    let acknowledged = 0;
    for (let round = 1; round <= kills; round += 1) {
      const acks = await writeAndKill(file, path.join(folder, `acks-${round}`));
      const found = await Promise.all(
        [...acks.keys()].map(async (id) => {
          const { events, last, damage } = await store.journal.read(id, { after: 0 });
          return { id, last, count: events.length, damage, names: namesOf(events) };
        }),
      );
      for (const [id, seq] of acks) {
        const session = found.find((one) => one.id === id);
        expect(session?.damage).toBeUndefined();
        expect(session?.last).toBeGreaterThanOrEqual(seq);
        expect(session?.names).toEqual(
          Array.from({ length: session?.last ?? 0 }, (_, index) => `${id} ${index + 1}`),
        );
        acknowledged += 1;
      }
    }
    const total = await Promise.all(
      Array.from({ length: sessions }, (_, index) => store.journal.head(`ses_${index}` as SessionId)),
    );
    const events = total.reduce((sum, head) => sum + (head?.seq ?? 0), 0);
    process.stdout.write(`${kills} kills, ${events} events, ${acknowledged} last acknowledgements checked\n`);
    recordProof({
      name: 'process killed in group commits',
      runs: 1,
      faults: { 'process killed': kills },
      acknowledged,
    });
    expect(events).toBeGreaterThan(kills);
    await store[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  },
);

/** Newest acknowledged sequence of each session. */
async function writeAndKill(file: string, acks: string): Promise<ReadonlyMap<SessionId, number>> {
  const writer = spawn(process.execPath, [child, file, 'write', String(sessions), acks], { stdio: 'inherit' });
  const exited = once(writer, 'exit') as Promise<[number | null, string | null]>;
  while (writer.exitCode === null && linesOf(acks).length === 0) await setTimeout(2);
  await setTimeout(Math.random() * 25);
  writer.kill('SIGKILL');
  const [, signal] = await exited;
  expect(signal).toBe('SIGKILL');
  return new Map(linesOf(acks).map((line) => [line.split(' ')[0] as SessionId, Number(line.split(' ')[1])]));
}

/** Complete lines only: the last one may be truncated. */
function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

function namesOf(events: readonly { readonly event: { readonly type: string } }[]): readonly string[] {
  return events.map(({ event }) => ('name' in event ? String(event.name).split(' ').slice(0, 2).join(' ') : ''));
}
