import { expect, test } from 'vitest';

import type { CallState } from '../../../src/views/transcript-item.ts';
import { groupChanges } from './group-summary.ts';

const done = (data?: unknown): CallState => ({ type: 'succeeded', output: '', data, at: 1 });
const edit = {
  tool: 'edit',
  args: '{"path":"a.ts","edits":[{"old_text":"one","new_text":"two\\nthree"}]}',
  state: done(),
};
const write = (created: boolean) => ({
  tool: 'write',
  args: '{"path":"b.ts","content":"x\\ny\\n"}',
  state: done({ created }),
});

test('[C95] lines of edits and of new files are counted, and none where a file was replaced whole', () => {
  expect([groupChanges([edit]), groupChanges([edit, write(true)]), groupChanges([edit, write(false)])]).toEqual([
    { added: 2, removed: 1 },
    { added: 4, removed: 1 },
    { added: 0, removed: 0 },
  ]);
});
