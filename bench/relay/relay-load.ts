import { createScratchFolder } from '../harness/scratch-folder.ts';
import { medianOf } from '../harness/statistics.ts';
import { startRelay, type RelaySide } from './relays.ts';

export interface RelayLoad {
  /** From the prompt to the last update at its reader, with one update per write of the agent and with a hundred. */
  readonly updatesPerSecond: number;
  readonly burstUpdatesPerSecond: number;
  /** CPU time of the process that reads the agent, in bursts. */
  readonly cpuMicros: number;
  /** From sending an update to reading it, at a slow pace. */
  readonly latencyP50Ms: number;
  readonly latencyP99Ms: number;
}

/** Agent, relay and client are separate processes; if the agent is read directly, there is no client. */
export async function measureRelayLoad(given: {
  readonly side: RelaySide;
  readonly updates: number;
  readonly floods: number;
  readonly paced: number;
}): Promise<RelayLoad> {
  const { side, updates, floods, paced } = given;
  using folder = createScratchFolder();
  await using relay = await startRelay(side, folder.path);

  async function flood(burst: number) {
    await relay.reset({ isTimed: false, most: updates });
    const cpuBefore = process.cpuUsage();
    const started = performance.now();
    await relay.prompt(`marks ${updates} ${burst}`);
    const { count, agoMs } = await relay.report(updates);
    const ms = performance.now() - agoMs - started;
    const { user, system } = process.cpuUsage(cpuBefore);
    if (count !== updates) throw new Error(`${count} of ${updates} updates came.`);
    return { rate: (count / ms) * 1000, cpuMicros: (user + system) / count };
  }
  async function floodOften(burst: number) {
    const each = [];
    for (let one = 0; one < floods; one += 1) each.push(await flood(burst));
    return {
      rate: medianOf(each.map(({ rate }) => rate)),
      cpuMicros: medianOf(each.map(({ cpuMicros }) => cpuMicros)),
    };
  }

  await flood(100);
  const single = await floodOften(1);
  const bursts = await floodOften(100);
  await relay.reset({ isTimed: true, most: paced });
  await relay.prompt(`marks ${paced} 1 10`);
  const { latency } = await relay.report(paced);
  return {
    updatesPerSecond: single.rate,
    burstUpdatesPerSecond: bursts.rate,
    cpuMicros: bursts.cpuMicros,
    latencyP50Ms: latency?.p50 ?? Number.NaN,
    latencyP99Ms: latency?.p99 ?? Number.NaN,
  };
}
