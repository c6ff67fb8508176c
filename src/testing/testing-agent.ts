import { createTestingModel } from '../models/testing-model.ts';
import type { RondoOptions } from '../rondo.ts';

/** Options for a Rondo whose only agent carries out its prompt line by line; see models/testing-model.ts. */
export function testingAgent(options: Partial<RondoOptions> = {}): RondoOptions {
  return { agents: { testing: { model: 'testing' } }, models: { testing: createTestingModel() }, ...options };
}
