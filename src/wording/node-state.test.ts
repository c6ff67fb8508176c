import { expect, test } from 'vitest';

import { nodeState } from './node-state.ts';

test.each([
  [{ isAlive: true, isDraining: false, silentMs: 3000 }, { text: 'ready' }],
  [
    { isAlive: true, isDraining: true, silentMs: 3000 },
    { text: 'draining', tone: 'warning' },
  ],
  // Stopped, or its machine is gone: nobody watched it for a whole lease yet.
  [
    { isAlive: true, isDraining: false, silentMs: 40_000 },
    { text: 'silent', tone: 'warning' },
  ],
  [
    { isAlive: false, isDraining: true, silentMs: 3000 },
    { text: 'gone', tone: 'bad' },
  ],
] as const)('[C153] a node %o is shown as %o', (node, shown) => {
  expect(nodeState(node)).toEqual(shown);
});
