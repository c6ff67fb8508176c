/** What is measured, as one entry: from its sources, or bundled as the published package is. */
export { createTurnCompilation } from '../../src/assembly/turn-compilation.ts';
export { shippedSources } from '../../src/intent/intent-sources.ts';
export { understand } from '../../src/intent/transducer.ts';
