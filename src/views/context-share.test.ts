import { expect, test } from 'vitest';

import { given } from '../testing/given.ts';
import { created } from '../testing/inputs.ts';
import { contextShareOf } from './context-share.ts';

const { state } = given(created({ limits: { contextTokens: 1000 } }));
const messages = [
  { role: 'notice', text: 's'.repeat(40) },
  { role: 'user', text: 'u'.repeat(80) },
  { role: 'assistant', text: 'a'.repeat(20), calls: [] },
  { role: 'tool', call: 'c' as never, tool: 'look', outcome: 'success', text: 't'.repeat(400) },
] as const;

test('[C116] what fills the window is reported by author, estimated until the provider has counted', () => {
  expect(contextShareOf(state, { messages, opening: 1 })).toEqual({
    tokens: 135,
    window: 1000,
    isCounted: false,
    parts: [
      { name: 'system', tokens: 0 },
      { name: 'summary', tokens: 10 },
      { name: 'user', tokens: 20 },
      { name: 'assistant', tokens: 5 },
      { name: 'tools', tokens: 100 },
      { name: 'notices', tokens: 0 },
    ],
  });
});

test('[C116] attributes tokens counted beyond the messages to the system prompt and the tools', () => {
  const context = { from: 1, messages: 4, tokens: 135, counted: { estimate: 100, input: 300 } };
  const { tokens, isCounted, parts } = contextShareOf({ ...state, context }, { messages, opening: 0 });
  expect({ tokens, isCounted, system: parts[0], notices: parts[5] }).toEqual({
    tokens: 335,
    isCounted: true,
    system: { name: 'system', tokens: 200 },
    notices: { name: 'notices', tokens: 10 },
  });
});
