import { expect, test } from 'vitest';

import type { CallId } from '../kernel/ids.ts';
import type { Message } from '../kernel/message.ts';
import { ruleSummary } from './rule-summary.ts';

const calling = (...tools: readonly string[]): Message => ({
  role: 'assistant',
  text: '',
  calls: tools.map((tool) => ({ id: 'c' as CallId, tool, args: '{}' })),
});

test('[C116] a summary by rule lists requests, calls, failures and replies', () => {
  const messages: readonly Message[] = [
    { role: 'notice', text: 'A summary:\n- The user asked: before\n  - said: then\nother words' },
    { role: 'quoted', from: 'user', text: 'imported' },
    { role: 'user', text: `look\n at   ${'x'.repeat(200)}` },
    calling('look'),
    calling('look', 'write'),
    { role: 'tool', call: 'c' as CallId, tool: 'look', outcome: 'success', text: 'seen' },
    { role: 'tool', call: 'c' as CallId, tool: 'write', outcome: 'error', text: 'no' },
    { role: 'assistant', text: 'done', calls: [] },
  ];
  expect(ruleSummary(messages).split('\n')).toEqual([
    '- The user asked: before',
    '  - said: then',
    `- The user asked: look at ${'x'.repeat(151)}…`,
    '  - called look',
    '  - called look, write',
    '  - write ended as error',
    '  - said: done',
  ]);
});

test('[P10] keeps the newest forty lines of a long summary', () => {
  const asked = (count: number) =>
    Array.from({ length: count }, (_, index): Message => ({ role: 'user', text: `${index}` }));
  expect(ruleSummary(asked(40)).split('\n')).toHaveLength(40);
  const long = ruleSummary(asked(41)).split('\n');
  expect([long.length, long[0], long[1]]).toEqual([41, '(older requests are left out)', '- The user asked: 1']);
});
