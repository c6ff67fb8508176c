/** Ends a proof that hangs, and names what it was waiting for. */
export interface Watchdog {
  /** Rejects with this name, and what `missing` reports, if the work isn't done in time. */
  within<Value>(ms: number, name: string, work: Promise<Value>, missing?: () => string): Promise<Value>;
}

export function createWatchdog(report: () => string): Watchdog {
  return {
    async within(ms, name, work, missing = () => '') {
      const { promise, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => {
        reject(new Error(`After ${Math.round(ms / 1000)} s still waiting for ${name}. ${missing()}\n${report()}`));
      }, ms);
      try {
        return await Promise.race([work, promise]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
