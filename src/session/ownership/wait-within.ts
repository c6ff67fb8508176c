/** Resolves with the work, or after this many milliseconds. */
export async function waitWithin(
  work: Promise<unknown>,
  ms: number,
  clock: { now(): number; at(time: number, call: () => void): () => void },
): Promise<void> {
  const late = Promise.withResolvers<void>();
  const disarm = clock.at(clock.now() + ms, late.resolve);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    disarm();
  }
}
