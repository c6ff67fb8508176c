/**
 * Loaded into a served Rondo with `--import`, in front of everything else of it:
 *
 * 1. Figures of the process, after a collection, for whoever asks over the IPC channel.
 * 2. A wall clock that can be set: `RONDO_TEST_CLOCK` names a file of one number, the milliseconds by which
 *    every thread of every process that loaded this sees it wrong, from the next look on. Time that only
 *    passes (`performance.now`, timers) is left alone, as a machine leaves it when its clock is set.
 */
import { openSync, readdirSync, readSync } from 'node:fs';

export interface ProcessFigures {
  readonly rss: number;
  readonly heap: number;
  /** Files, pipes, sockets; what Node waits for where the system does not tell. */
  readonly handles: number;
}

const clockFile = process.env['RONDO_TEST_CLOCK'];
if (clockFile !== undefined) setWrong(clockFile);

if (process.send !== undefined) {
  process.on('message', () => {
    globalThis.gc?.();
    const { rss, heapUsed: heap } = process.memoryUsage();
    const figures: ProcessFigures = { rss, heap, handles: handleCount() };
    process.send?.(figures);
  });
  process.channel?.unref();
}

function handleCount(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return process.getActiveResourcesInfo().length;
  }
}

function setWrong(file: string): void {
  const RightDate = Date;
  const rightNow = Date.now;
  const descriptor = openSync(file, 'r');
  const bytes = Buffer.alloc(24);
  const now = () => rightNow() + Number(bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, 24, 0)));
  globalThis.Date = new Proxy(RightDate, {
    construct: (target, given: readonly unknown[], made) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, made) as Date,
    apply: () => new RightDate(now()).toString(),
  });
  RightDate.now = now;
}
