// A consumer of a cluster may live on a server that is behind.
import { describe, expect, test } from 'vitest';

import type { NatsMessage } from './nats-message.ts';
import { walkStream, type WalkParts } from './walk-stream.ts';

const all = Array.from({ length: 40 }, (_, index): NatsMessage => ({
  seq: index + 1,
  subject: 's',
  id: `id-${index + 1}`,
  body: Buffer.from(String(index + 1)),
  isInPieces: false,
}));

interface Servers {
  /** What the leader knows. */
  leader: number;
  /** What the server with the consumer knows. */
  readonly other: number;
  /** The server with the consumer restarts after it gave what it knows. */
  readonly isRestarted?: boolean;
  /** What the leader knows each time it was waited for. */
  readonly later?: number[];
}

function partsOf(servers: Servers): WalkParts {
  const fetch = (from: number) => {
    const known = all.slice(from - 1, servers.other);
    return (async function* () {
      await Promise.resolve();
      for (const [index, { seq, subject, body }] of known.entries()) {
        const pending = known.length - index - (servers.isRestarted === true ? 0 : 1);
        yield { seq, subject, data: body, info: { pending } };
      }
      if (servers.isRestarted === true) throw new Error('consumer not found');
    })();
  };
  const js = {
    consumers: {
      get: (_stream: string, { opt_start_seq: from }: { opt_start_seq: number }) =>
        Promise.resolve({
          fetch: () => Promise.resolve(Object.assign(fetch(from), { close: () => Promise.resolve() })),
          delete: () => Promise.resolve(true),
        }),
    },
  };
  return {
    js: js as unknown as WalkParts['js'],
    answerMs: 1000,
    patiently: (_doing, work) => work(),
    next: (_doing, _stream, _subject, from) =>
      Promise.resolve(all.slice(0, servers.leader).find(({ seq }) => seq >= from)),
    arrive: () => {
      servers.leader = servers.later?.shift() ?? servers.leader;
      return Promise.resolve(true);
    },
  };
}

async function walked(servers: Servers, until = 0): Promise<readonly number[]> {
  const walk = walkStream(partsOf(servers), { doing: 'Testing', stream: 'st', subject: 's', from: 1, until });
  const found = await Array.fromAsync(walk);
  return found.map(({ seq }) => seq);
}

const upTo = (last: number) => all.slice(0, last).map(({ seq }) => seq);

describe('[P1] a walk', () => {
  test.each([
    ['the consumer knows everything', { leader: 40, other: 40 }],
    ['the consumer lacks the newest message', { leader: 40, other: 39 }],
    ['the consumer lacks most', { leader: 40, other: 3 }],
    ['the consumer goes with its server', { leader: 40, other: 20, isRestarted: true }],
  ])('ends where the leader ends when %s', async (_name, servers) => {
    expect(await walked(servers)).toEqual(upTo(40));
  });

  test('waits for a leader that lacks a message that was seen before', async () => {
    expect(await walked({ leader: 30, other: 30, later: [40] }, 40)).toEqual(upTo(40));
  });

  test('waits again for the next leader that lacks one', async () => {
    expect(await walked({ leader: 30, other: 30, later: [35, 40] }, 40)).toEqual(upTo(40));
  });

  test('that must be sure asks the leader alone', async () => {
    // This consumer's server lacks a message in the middle.
    const parts = partsOf({ leader: 40, other: 40 });
    const lacking = { ...parts, js: {} as WalkParts['js'] };
    const walk = { doing: 'Testing', stream: 'st', subject: 's', from: 1, until: 40, isSure: true };
    const found = await Array.fromAsync(walkStream(lacking, walk));
    expect(found.map(({ seq }) => seq)).toEqual(upTo(40));
  });

  test('ends without a message that was lost', async () => {
    expect(await walked({ leader: 30, other: 30 }, 40)).toEqual(upTo(30));
  });
});
