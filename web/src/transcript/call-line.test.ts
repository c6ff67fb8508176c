import { expect, test } from 'vitest';

import type { BlobHash } from '../../../src/kernel/ids.ts';
import type { CallState } from '../../../src/views/transcript-item.ts';
import { callLine } from './call-line.ts';

const done = (output = '', data?: unknown): CallState => ({ type: 'succeeded', output, data, at: 1 });

test.for([
  ['shell', '{"command":"npm test"}', { verb: 'Ran', object: 'npm test' }],
  ['grep', '{"pattern":"x","path":"src"}', { verb: 'Searched', object: 'x in src' }],
  ['git_log', '{}', { verb: 'Ran', object: 'git log' }],
  ['their_tool', '{"count":2,"what":"this"}', { verb: 'Called', object: 'their_tool this' }],
  ['read', 'not json', { verb: 'Read', object: '' }],
] as const)('%s is shown in a line', ([tool, args, words]) => {
  expect(callLine({ tool, args, state: done() })).toEqual({ ...words, result: '', tone: '' });
});

test('arguments that are cut off still name their file', () => {
  const args = { blob: 'x' as BlobHash, length: 9000, preview: '{"path":"src/a.ts","content":"long' };
  expect(callLine({ tool: 'write', args, state: done() })).toMatchObject({ verb: 'Edited', object: 'src/a.ts' });
});

test('[C95] a command shows what its tests counted, and a failed one its exit code', () => {
  const run = (output: string, exitCode: number) =>
    callLine({ tool: 'shell', args: '{"command":"npm test"}', state: done(output, { exitCode }) });
  expect([run('Tests  45 passed (45)', 0), run('Tests  3 failed | 42 passed', 1)]).toEqual([
    { verb: 'Ran', object: 'npm test', result: '45 passed', tone: 'good' },
    { verb: 'Ran', object: 'npm test', result: 'exit 1, 3 failed', tone: 'bad' },
  ]);
});

test.for([
  [{ type: 'planned' }, { verb: 'Editing', result: 'Planned', tone: '' }],
  [
    { type: 'asking', question: 'q_1' },
    { verb: 'Editing', result: 'Needs you', tone: 'wait' },
  ],
  [{ type: 'running' }, { verb: 'Editing', result: 'Running', tone: 'work' }],
  [
    { type: 'failed', code: 'denied', message: '', at: 1 },
    { verb: "Couldn't edit", result: 'Failed', tone: 'bad' },
  ],
  [
    { type: 'refused', code: 'limit', reason: '', at: 1 },
    { verb: 'Left out', result: 'Refused', tone: 'bad' },
  ],
  [
    { type: 'cancelled', at: 1 },
    { verb: 'Edited', result: 'Stopped', tone: '' },
  ],
] as const)('a call in the state %j', ([state, line]) => {
  expect(callLine({ tool: 'edit', args: '{"path":"a.ts"}', state: state as CallState })).toEqual({
    object: 'a.ts',
    ...line,
  });
});
