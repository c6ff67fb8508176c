/** A list that is read in the background: a caller gets what was read last and never waits. */
const freshMs = 2000;

export function latelyListed<Row>(
  read: () => Promise<readonly Row[]>,
  now: () => number = () => performance.now(),
): () => readonly Row[] {
  let rows: readonly Row[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  let isReading = false;
  async function renew(): Promise<void> {
    isReading = true;
    // If it fails, the rows of the last time stay.
    rows = await read().catch(() => rows);
    readAt = now();
    isReading = false;
  }
  return () => {
    if (!isReading && now() - readAt > freshMs) void renew();
    return rows;
  };
}
