import { expect, test } from 'vitest';

import type { CallState } from '../../../src/views/transcript-item.ts';
import { groupChanges } from './group-summary.ts';

const done = (data?: unknown): CallState => ({ type: 'succeeded', output: '', data, at: 1 });
const edit = {
  tool: 'edit',
  args: '{"path":"a.ts","edits":[{"old_text":"one","new_text":"two\\nthree"}]}',
  state: done(),
};
const write = (data: unknown) => ({
  tool: 'write',
  args: '{"path":"b.ts","content":"x\\ny\\n"}',
  state: done(data),
});

test('[C95] lines of edits, of new files and of replaced ones are counted; a replaced one says what it changed', () => {
  const created = write({ created: true });
  const replaced = write({ created: false, added: 1, removed: 5 });
  const replacedBefore = write({ created: false });
  expect([
    groupChanges([edit]),
    groupChanges([edit, created]),
    groupChanges([edit, replaced]),
    groupChanges([edit, replacedBefore]),
  ]).toEqual([
    { added: 2, removed: 1 },
    { added: 4, removed: 1 },
    { added: 3, removed: 6 },
    { added: 2, removed: 1 },
  ]);
});
