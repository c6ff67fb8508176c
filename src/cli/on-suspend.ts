/**
 * Ctrl+Z (SIGTSTP): this process releases its sessions and jobs and only then stops, so that other processes can
 * continue them. Anything not released within the deadline is left to the lease. After SIGCONT it continues (O5).
 */
interface Suspension {
  /** Resolves when the process isn't stopped or about to stop. */
  running(): Promise<void>;
  stopListening(): void;
}

const deadlineMs = 5000;

export function onSuspend(rondo: { pause(): Promise<() => void> }): Suspension {
  let suspended: PromiseWithResolvers<void> | undefined;

  async function suspend(): Promise<void> {
    const pausing = rondo.pause();
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(() => late.resolve(), deadlineMs);
    await Promise.race([pausing, late.promise]);
    clearTimeout(timer);
    const continued = Promise.withResolvers<void>();
    process.once('SIGCONT', continued.resolve);
    process.kill(process.pid, 'SIGSTOP');
    await continued.promise;
    pausing.then((resume) => resume()).catch(() => undefined);
  }

  const onStop = () => {
    if (suspended !== undefined) return;
    suspended = Promise.withResolvers();
    void suspend().finally(() => {
      suspended?.resolve();
      suspended = undefined;
    });
  };
  process.on('SIGTSTP', onStop);
  return {
    running: async () => suspended?.promise,
    stopListening: () => void process.off('SIGTSTP', onStop),
  };
}
