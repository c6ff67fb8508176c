/**
 * Appends to JetStream by hand: one message for each append, refused unless it follows the newest one of its session's
 * subject, over as many streams as the store uses, with the same record, checksum and id; then, if asked for, the
 * session's entry in a stream that keeps the newest of each subject. N writers each await their append before the next.
 */
import { hash, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';

import { jetstream, jetstreamManager, type JetStreamClient } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';

import { entryOf } from '../appends/bench-entry.ts';
import { eventsBefore, sessionCount, sessionName, writersRun, type Appends } from '../appends/append-load.ts';
import { startCpuMeter } from '../harness/cpu-meter.ts';

const event = `{"type":"custom","name":"bench","data":"${'x'.repeat(224)}"}`;
const streams = 64;

export interface NatsFloor extends AsyncDisposable {
  append(
    head: NatsHead,
    append: { readonly events: number; readonly body: string; readonly entry?: object },
  ): Promise<void>;
}

export interface NatsHead {
  readonly session: string;
  seq: number;
  /** The newest message of its log, and of its entry. */
  last: number;
  listed: number;
}

export function newNatsHead(session: string): NatsHead {
  return { session, seq: 0, last: 0, listed: 0 };
}

export async function openNatsFloor(address: string): Promise<NatsFloor> {
  const connection = await connect({ servers: address.replace('nats://', '') });
  const manager = await jetstreamManager(connection);
  const name = `floor_${process.pid}`;
  const add = (stream: string, subjects: string, most: number) =>
    manager.streams.add({
      name: stream,
      subjects: [subjects],
      storage: 'file',
      discard: 'new',
      max_msgs_per_subject: most,
      allow_direct: false,
      duplicate_window: 0,
    });
  for (let index = 0; index < streams; index += 1) await add(`${name}_log_${index}`, `${name}.s.${index}.>`, -1);
  await add(`${name}_directory`, `${name}.d.>`, 1);
  const js = jetstream(connection);
  return {
    async append(head, { events, body, entry }) {
      const { session, seq } = head;
      const first = seq + 1;
      const last = seq + events;
      const index = hash('sha256', session, 'buffer').readUInt32BE() % streams;
      const checksum = crc32(body, crc32(`${session} ${first} `));
      const record = JSON.stringify({ after: head.last, records: [[first, last, checksum, body]] });
      head.last = await publish(js, `${name}.s.${index}.${session}`, record, head.last);
      head.seq = last;
      if (entry === undefined) return;
      const listed = JSON.stringify({ session, at: head.last, entry });
      head.listed = await publish(js, `${name}.d.${session}`, listed, head.listed);
    },
    async [Symbol.asyncDispose]() {
      for (let index = 0; index < streams; index += 1) await manager.streams.delete(`${name}_log_${index}`);
      await manager.streams.delete(`${name}_directory`);
      await connection.close();
    },
  };
}

async function publish(js: JetStreamClient, subject: string, body: string, follows: number): Promise<number> {
  const given = headers();
  given.set('Id', randomUUID());
  return (await js.publish(subject, body, { headers: given, expect: { lastSubjectSequence: follows } })).seq;
}

export async function measureNatsFloor(given: {
  readonly address: string;
  readonly inGroup: number;
  readonly runMs: number;
  readonly withEntry: boolean;
  readonly serverPid: number;
}): Promise<Appends> {
  await using floor = await openNatsFloor(given.address);
  const heads = Array.from({ length: sessionCount }, (_, index) => newNatsHead(sessionName(index)));
  const append = (head: NatsHead) => {
    const at = Date.now();
    return floor.append(head, {
      events: 1,
      body: `{"v":1,"at":${at},"e":[${event}]}`,
      ...(given.withEntry && { entry: entryOf(head.session, at) }),
    });
  };
  for (let event = 0; event < eventsBefore; event += 1) await Promise.all(heads.map(append));
  const meter = startCpuMeter(given.serverPid);
  const until = performance.now() + given.runMs;
  return meter.per(await writersRun(heads, given.inGroup, () => performance.now() >= until, append));
}
