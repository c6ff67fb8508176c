import { expect, test } from 'vitest';

import type { ClientInput } from '../client-input.ts';
import { digestOf } from './input-digest.ts';

const chat = (more: object): ClientInput => ({ type: 'chat', text: 'hi', ...more });

test('[P1] a key stands for what the client said, in whatever order and with the defaults it left out', () => {
  const nested = [
    { a: 1, b: [1, 2] },
    { b: [1, 2], a: 1 },
  ].map((intent) => digestOf(chat({ intent })));
  expect(nested[0]).toBe(nested[1]);
  expect(digestOf(chat({}))).toBe(digestOf(chat({ delivery: 'queue' })));
  const different = [
    chat({}),
    chat({ delivery: 'steer' }),
    chat({ text: 'ho' }),
    chat({ intent: { a: 1, b: [1, 2] } }),
    chat({ intent: { a: 1, b: [2, 1] } }),
    chat({ intent: { a: null } }),
    chat({ intent: {} }),
    { type: 'interrupt' } as const,
    { type: 'interrupt', reason: 'x' } as const,
  ];
  expect(new Set(different.map(digestOf)).size).toBe(different.length);
});
