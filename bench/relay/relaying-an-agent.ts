import { roundsOf, type Plan } from '../harness/plan.ts';
import { runRounds } from '../harness/rounds.ts';
import { runChild } from '../harness/run-child.ts';
import { atLeast, atMost, type Section } from '../harness/section.ts';
import { medianOf } from '../harness/statistics.ts';
import type { RelayLoad } from './relay-load.ts';
import type { RelaySide } from './relays.ts';

const titles: Readonly<Record<RelaySide, string>> = {
  direct: 'the agent read directly: lines parsed, no client',
  floor: 'floor: parsed, wrapped and written once a chunk',
  rondo: 'Rondo, SQLite',
};
const sides = Object.keys(titles) as readonly RelaySide[];

/** R. Updates of an external agent, through Rondo to a client. */
export async function measureRelayingAnAgent(plan: Plan): Promise<Section> {
  // Below a million characters: a longer text is recorded in parts, which would arrive in the middle of the stream.
  const updates = plan.isQuick ? 20_000 : 50_000;
  const floods = plan.isQuick ? 3 : 5;
  const paced = plan.isQuick ? 200 : 1000;
  const results = await runRounds(
    roundsOf(plan, 3),
    new Map(sides.map((side) => [side, () => runChild('relay-load', { side, updates, floods, paced })])),
  );
  const median = (side: RelaySide, of: keyof RelayLoad) => medianOf(results.of(side).map((one) => one[of]));
  const ratio = (side: RelaySide, of: keyof RelayLoad) => median(side, of) / median('floor', of);
  const added = (side: RelaySide, of: 'latencyP50Ms' | 'latencyP99Ms') => median(side, of) - median('direct', of);
  return {
    title: 'R. Relaying an agent',
    work:
      `An agent over stdio sends ${updates} updates of 20 bytes of text, one per write and a hundred per write; then ` +
      `${paced} updates, one every 10 ms, to measure the latency from sending an update to reading it. Agent, relay ` +
      'and WebSocket client each run in their own process. Added latency is the difference from reading the agent ' +
      'directly. Checked: the client received every update.',
    tables: [
      {
        title: 'One agent, one client',
        head: [
          '',
          'updates/s',
          '× floor',
          '100 per write',
          '× floor',
          'relay’s CPU µs per update',
          'p50 ms',
          'p99 ms',
          'added p50 ms',
          'added p99 ms',
        ],
        rows: sides.map((side) => [
          titles[side],
          median(side, 'updatesPerSecond'),
          ratio(side, 'updatesPerSecond'),
          median(side, 'burstUpdatesPerSecond'),
          ratio(side, 'burstUpdatesPerSecond'),
          median(side, 'cpuMicros'),
          median(side, 'latencyP50Ms'),
          median(side, 'latencyP99Ms'),
          added(side, 'latencyP50Ms'),
          added(side, 'latencyP99Ms'),
        ]),
      },
    ],
    figures: [
      atLeast('updates of an agent relayed, × floor', ratio('rondo', 'updatesPerSecond'), 0.5, { of: 'time' }),
      atLeast(
        'updates of an agent relayed, 100 per write, × floor',
        ratio('rondo', 'burstUpdatesPerSecond'),
        0.5,
        { of: 'time' },
      ),
      atMost('p99 latency of a relayed update, × floor', ratio('rondo', 'latencyP99Ms'), 2, { of: 'time' }),
    ],
    waitedShare: results.waitedShare,
    remarks: results.failures,
  };
}
