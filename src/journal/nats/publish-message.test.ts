// A leader that was just elected may lag behind what its predecessor acknowledged.
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import { describe, expect, test } from 'vitest';

import { arrivalOf } from './publish-message.ts';

interface Servers {
  /** The newest message on each look. */
  readonly looks: readonly number[];
  /** Where a write is confirmed. */
  readonly confirmed: number;
  readonly replicas?: number;
  readonly history?: number;
}

async function arrival({ looks, confirmed, replicas = 3, history = -1 }: Servers) {
  const left = [...looks];
  const written: string[] = [];
  const info = () => ({
    state: { last_seq: (left.length > 1 ? left.shift() : left[0]) ?? 0 },
    config: { num_replicas: replicas, max_msgs_per_subject: history, subjects: ['team.s.3.>'] },
  });
  const manager = {
    streams: {
      info: () => Promise.resolve(info()),
      deleteMessage: (_stream: string, seq: number) => {
        written.push(`deleted ${seq}`);
        return Promise.resolve(true);
      },
    },
  } as unknown as JetStreamManager;
  const js = {
    publish: (subject: string) => {
      written.push(subject);
      return Promise.resolve({ seq: confirmed });
    },
  } as unknown as JetStreamClient;
  return { isThere: await arrivalOf({ manager, js, answerMs: 1000 }, 'team_log_3', 40, 100), written };
}

describe('[P1] [O16] a message that a leader lacks', () => {
  test('arrives', async () => {
    expect(await arrival({ looks: [30, 39, 41], confirmed: 42 })).toEqual({ isThere: true, written: [] });
  });

  test('is not lost because a slow leader took long: it confirms a write first', async () => {
    const written = ['team.s.3.~settled', 'deleted 43'];
    expect(await arrival({ looks: [30], confirmed: 43 })).toEqual({ isThere: true, written });
  });

  test('is lost once a write is confirmed where it should be', async () => {
    const written = ['team.s.3.~settled', 'deleted 31'];
    expect(await arrival({ looks: [30], confirmed: 31 })).toEqual({ isThere: false, written });
  });

  test('is lost on a single server, which has what it will ever have', async () => {
    expect(await arrival({ looks: [30], confirmed: 31, replicas: 1 })).toEqual({ isThere: false, written: [] });
  });

  test('leaves no other message in a stream where all are read', async () => {
    expect(await arrival({ looks: [30], confirmed: 31, history: 1 })).toEqual({ isThere: false, written: [] });
  });
});
