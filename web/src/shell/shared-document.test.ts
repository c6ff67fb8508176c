import { expect, test } from 'vitest';

import { sharedBlocks } from './shared-document.ts';

test('[C149] a shared document is prompts, replies and folded calls, and a fence hides whatever looks like structure', () => {
  const document = [
    '# Cart total',
    '',
    '- created: 2026-11-18T06:05:58.876Z',
    '',
    '## ann, 2026-11-18T06:05:58.880Z',
    '',
    'Fix the total.',
    '',
    '### agent',
    '',
    'Reading.',
    '',
    '<details><summary>read: a &lt; b</summary>',
    '',
    '````',
    '</details>',
    '```',
    '## ann, 2026-11-18T06:05:58.880Z',
    '````',
    '',
    '</details>',
    '',
    '### agent',
    '',
    'Done.',
    '',
    '## Decisions',
    '',
    '- none',
  ].join('\n');
  expect(sharedBlocks(document)).toEqual([
    { type: 'prompt', by: 'ann', at: Date.parse('2026-11-18T06:05:58.880Z'), text: 'Fix the total.' },
    { type: 'text', text: 'Reading.' },
    {
      type: 'fold',
      summary: 'read: a < b',
      text: '````\n</details>\n```\n## ann, 2026-11-18T06:05:58.880Z\n````',
    },
    { type: 'text', text: 'Done.' },
    { type: 'fold', summary: 'Decisions', text: '- none' },
  ]);
});
