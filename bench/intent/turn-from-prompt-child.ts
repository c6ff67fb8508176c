/** The measured code as one entry: from its sources, or bundled like the published package. */
export { createTurnCompilation } from '../../src/assembly/agents/turn-compilation.ts';
export { shippedSources } from '../../src/intent/turn/intent-sources.ts';
export { understand } from '../../src/intent/meaning/transducer.ts';
