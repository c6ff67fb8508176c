/**
 * Loaded into a served Rondo with `--import`, before everything else:
 *
 * 1. Reports figures of the process, after a garbage collection, over the IPC channel.
 * 2. Sets the wall clock: `RONDO_TEST_CLOCK` names a file with one number, the milliseconds by which the clock is
 *    off in every thread of every process that loaded this, from the next reading on. Monotonic time
 *    (`performance.now`, timers) is unaffected, as on a machine whose clock is set.
 */
import { openSync, readdirSync, readSync } from 'node:fs';

export interface ProcessFigures {
  readonly rss: number;
  readonly heap: number;
  /** Files, pipes, sockets; Node's active handles if the system doesn't report them. */
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
