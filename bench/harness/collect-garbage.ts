/** Runs a full garbage collection; needs `--expose-gc`. */
export function collectGarbage(): void {
  if (globalThis.gc === undefined) throw new Error('This measurement needs node --expose-gc.');
  globalThis.gc();
}
