import { onTestFinished } from 'vitest';

import { createRondo, type Rondo, type RondoOptions } from '../rondo.ts';

/** A Rondo that is closed when the test that opened it is over. */
export async function rondoOfTest(options: RondoOptions): Promise<Rondo> {
  const rondo = await createRondo(options);
  onTestFinished(() => rondo.close({ endWithin: 100 }));
  return rondo;
}
