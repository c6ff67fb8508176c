/** Settled, or cut off because the process that did it is dead. */
export async function untilOver(work: Promise<unknown>, isCut: () => boolean): Promise<void> {
  let isSettled = false;
  void work.then(
    () => (isSettled = true),
    () => (isSettled = true),
  );
  while (!isSettled && !isCut()) await new Promise((resolve) => setImmediate(resolve));
}
