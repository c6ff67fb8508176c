import { roundsOf, type Plan } from '../harness/plan.ts';
import { runRounds } from '../harness/rounds.ts';
import { runChild } from '../harness/run-child.ts';
import { atLeast, atMost, type Figure, type Section } from '../harness/section.ts';
import { medianOf } from '../harness/statistics.ts';
import type { StreamLoad } from './stream-load.ts';
import type { Crowd } from './streaming-server.ts';
import { streamSides, type StreamSide } from './streaming-servers.ts';

/** D. Tokens to clients that follow over WebSocket. */
export async function measureStreamingToClients(plan: Plan): Promise<Section> {
  const crowds: readonly Crowd[] = [
    { sessions: 1, followers: 1 },
    { sessions: 1, followers: 100 },
    { sessions: 1, followers: 1000 },
    { sessions: 1000, followers: 1 },
  ];
  const deliveries = plan.isQuick ? 50_000 : 300_000;
  const sides = plan.withPeers
    ? (Object.keys(streamSides) as readonly StreamSide[])
    : (['floor', 'rondo'] as const);
  const key = (side: StreamSide, crowd: Crowd) => `${side} ${labelOf(crowd)}` as const;
  const results = await runRounds(
    roundsOf(plan, 3),
    new Map(
      crowds.flatMap((crowd) =>
        sides.map((side) => [
          key(side, crowd),
          () => runChild('stream-load', { side, crowd, deliveries: deliveriesFor(crowd, deliveries) }),
        ]),
      ),
    ),
  );
  const median = (side: StreamSide, crowd: Crowd, of: keyof StreamLoad) =>
    medianOf(results.of(key(side, crowd)).map((one) => one[of]));
  const ratio = (crowd: Crowd, of: keyof StreamLoad) => median('rondo', crowd, of) / median('floor', crowd, of);
  const figures = (crowd: Crowd): readonly Figure[] => [
    atLeast(`tokens to ${labelOf(crowd)}, × floor`, ratio(crowd, 'tokensPerSecond'), 0.5, { of: 'time' }),
    atLeast(`tokens to ${labelOf(crowd)} in bursts of 10, × floor`, ratio(crowd, 'burstTokensPerSecond'), 0.5, {
      of: 'time',
    }),
    atMost(`p99 latency to ${labelOf(crowd)}, × floor`, ratio(crowd, 'latencyP99Ms'), 2, { of: 'time' }),
  ];
  return {
    title: 'D. Streaming to clients',
    work:
      'A model sends tokens of 20 bytes to WebSocket clients in another process, which count them: at full speed, one ' +
      'by one and in bursts of ten, then 50 per second to measure the latency from sending a token to reading it. ' +
      'Checked: every token reached every client.',
    tables: crowds.map((crowd) => ({
      title: labelOf(crowd),
      head: ['', 'tokens/s', '× floor', 'in bursts of 10', '× floor', 'latency p50 ms', 'p99 ms', 'RSS MB'],
      rows: sides.map((side) => [
        streamSides[side],
        median(side, crowd, 'tokensPerSecond'),
        median(side, crowd, 'tokensPerSecond') / median('floor', crowd, 'tokensPerSecond'),
        median(side, crowd, 'burstTokensPerSecond'),
        median(side, crowd, 'burstTokensPerSecond') / median('floor', crowd, 'burstTokensPerSecond'),
        median(side, crowd, 'latencyP50Ms'),
        median(side, crowd, 'latencyP99Ms'),
        median(side, crowd, 'rssMb'),
      ]),
    })),
    figures: crowds.flatMap(figures),
    waitedShare: results.waitedShare,
    remarks: results.failures,
  };
}

/** Length of a model's reply: with fewer tokens, a turn's start and end would dominate. */
const leastOfReply = 200;

/** The event loop limits the speed to one client, so fewer tokens are enough. */
function deliveriesFor({ sessions, followers }: Crowd, deliveries: number): number {
  return sessions * followers === 1
    ? deliveries / 5
    : Math.max(deliveries, sessions > 1 ? sessions * leastOfReply : 0);
}

function labelOf({ sessions, followers }: Crowd): string {
  const count = (number: number) => number.toLocaleString('en-US');
  if (sessions > 1) return `${count(sessions)} sessions with one client each`;
  return followers === 1 ? 'one client' : `${count(followers)} clients of one session`;
}
