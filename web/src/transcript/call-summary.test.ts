import { expect, test } from 'vitest';

import type { BlobHash } from '../../../src/kernel/ids.ts';
import { callSummary } from './call-summary.ts';

test.for([
  ['shell', '{"command":"npm test\\n"}', { icon: 'terminal', verb: 'Run', text: 'npm test' }],
  ['grep', '{"pattern":"x","path":"src"}', { icon: 'search', verb: 'Search', text: 'x in src' }],
  ['git_log', '{}', { icon: 'branch', verb: 'git log', text: '' }],
  ['their_tool', '{"count":2,"what":"this"}', { icon: 'tool', verb: 'their tool', text: 'this' }],
  ['read', 'not json', { icon: 'file', verb: 'Read', text: '' }],
] as const)('%s is shown in a line', ([tool, args, summary]) => {
  expect(callSummary(tool, args)).toEqual(summary);
});

test('arguments that are cut off still say which file they are about', () => {
  const args = { blob: 'x' as BlobHash, length: 9000, preview: '{"path":"src/a.ts","content":"long' };
  expect(callSummary('write', args)).toEqual({ icon: 'edit', verb: 'Write', text: 'src/a.ts' });
});
