/** Settled, or cut because its process is dead. */
export async function untilOver(work: Promise<unknown>, isCut: () => boolean): Promise<void> {
  let isSettled = false;
  void work.then(
    () => (isSettled = true),
    () => (isSettled = true),
  );
  while (!isSettled && !isCut()) await new Promise((resolve) => setImmediate(resolve));
}
