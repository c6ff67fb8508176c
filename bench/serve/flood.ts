/** Measures work one by one and from many clients at once. */
import { medianOf } from '../harness/statistics.ts';

const lanes = 32;

/** From 32 clients at once, each of which waits for its answer before the next request. */
export async function flood(
  times: number,
  work: (lane: number) => Promise<unknown>,
): Promise<{ readonly perSecond: number; readonly cpuMs: number }> {
  const each = Math.ceil(times / lanes);
  const started = performance.now();
  const spent = process.cpuUsage();
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let one = 0; one < each; one += 1) await work(lane);
    }),
  );
  const all = each * lanes;
  return { perSecond: all / ((performance.now() - started) / 1000), cpuMs: cpuSince(spent) / all };
}

export async function timed(
  times: number,
  work: () => Promise<unknown>,
): Promise<{ readonly ms: number; readonly cpuMs: number }> {
  const taken: number[] = [];
  const spent = process.cpuUsage();
  for (let one = 0; one < times; one += 1) {
    const from = performance.now();
    await work();
    taken.push(performance.now() - from);
  }
  return { ms: medianOf(taken), cpuMs: cpuSince(spent) / times };
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
