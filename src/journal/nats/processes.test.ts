import { setImmediate as turn } from 'node:timers/promises';

import { expect, test } from 'vitest';

import type { NatsMessage } from './nats-message.ts';
import { createProcesses, type ProcessParts } from './processes.ts';
import { layoutOf } from './store-layout.ts';

const layout = layoutOf('test', 1);

/** One stream: the newest message of each subject, compared when it is written. */
function stream(): ProcessParts['client'] & { losesNext: boolean } {
  const newest = new Map<string, NatsMessage>();
  let seq = 0;
  const made = {
    /** The next write happens, and its answer doesn't arrive. */
    losesNext: false,
    async publish(_doing: string, subject: string, body: string, { expected }: { expected?: number } = {}) {
      await turn();
      if (expected !== undefined && (newest.get(subject)?.seq ?? 0) !== expected) return undefined;
      seq += 1;
      newest.set(subject, { seq, subject, id: String(seq), body: Buffer.from(body), isInPieces: false });
      if (made.losesNext) {
        made.losesNext = false;
        throw new Error('no answer');
      }
      return seq;
    },
    async last(_doing: string, _stream: string, subject: string) {
      await turn();
      return newest.get(subject);
    },
    async drop(_doing: string, _stream: string, at: number) {
      await turn();
      return [...newest].some(([subject, one]) => one.seq === at && newest.delete(subject));
    },
  };
  return made as unknown as ReturnType<typeof stream>;
}

function processOf(client: ProcessParts['client'], id: string) {
  const self = { id, pid: 1, startedAt: '1', bootId: 'boot', host: 'host' };
  return createProcesses({ client, layout, self: () => self, now: () => 0 });
}

test('[O5] a process that registers twice at once keeps its lease', async () => {
  const process = processOf(stream(), 'a');
  expect(await Promise.all([process.register(), process.register()])).toEqual([true, true]);
  expect(await process.renew()).toEqual(expect.any(Number));
});

test('[O5] a process that registers while it renews keeps its lease', async () => {
  const process = processOf(stream(), 'a');
  await process.register();
  const answers = await Promise.all([process.renew(), process.register(), process.renew()]);
  expect(answers).toEqual([expect.any(Number), true, expect.any(Number)]);
  expect((await process.find('a'))?.taken).toBe(0);
});

test('[O5] a process that lost its lease loses it once and starts another', async () => {
  const client = stream();
  const [process, observer] = [processOf(client, 'a'), processOf(client, 'b')];
  await process.register();
  const row = await observer.find('a');
  expect(await observer.take(['a', row?.beat ?? 0, false])).toBe(true);
  expect(await Promise.all([process.register(), process.renew()])).toEqual([false, 'lost']);
  await process.leave();
  expect(await Promise.all([process.register(), process.register(), process.renew()])).toEqual([
    true,
    true,
    expect.any(Number),
  ]);
});

test('[O5] a renewal that is on its way when the process leaves does not bring it back', async () => {
  const process = processOf(stream(), 'a');
  await process.register();
  await Promise.all([process.renew(), process.leave()]);
  expect([await process.find('a'), await process.renew()]).toEqual([undefined, 'lost']);
});

test('[O5] [O16] a process keeps its lease when the answer to a registration or renewal got lost', async () => {
  const client = stream();
  const process = processOf(client, 'a');
  client.losesNext = true;
  await expect(process.register()).rejects.toThrow('no answer');
  expect(await process.register()).toBe(true);
  client.losesNext = true;
  await expect(process.renew()).rejects.toThrow('no answer');
  expect(await process.renew()).toEqual(expect.any(Number));
});
