import { onTestFinished } from 'vitest';

import { createRondo, type Rondo, type RondoOptions } from '../rondo.ts';
import { checkedStep } from './checked-step.ts';

/** A Rondo that closes when its test ends, and whose live states are checked against their JSON. */
export async function rondoOfTest(options: RondoOptions): Promise<Rondo> {
  const rondo = await createRondo({ step: checkedStep, ...options });
  onTestFinished(() => rondo.close({ endWithin: 100 }));
  return rondo;
}
