import { expect, test } from 'vitest';

import type { EffectId, SessionId } from '../../kernel/ids.ts';
import { createScriptedModel } from '../../models/scripted.ts';
import { redactModel } from './redact-model.ts';

const secret = 'hunter2-hunter3';
const request = {
  session: 'ses_1' as SessionId,
  effect: 'ses_1.4' as EffectId,
  attempt: 1,
  lane: 'main',
  system: '',
  messages: [{ role: 'user', text: 'what is the key?' }],
  tools: [],
  read: () => Promise.resolve(''),
} as const;

test('[C47] hides a known secret that a model repeats, in pieces and as a whole, and nothing else', async () => {
  const args = { command: `login ${secret}` };
  const text = `The key is ${secret}; an example is sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaa.`;
  const model = redactModel(createScriptedModel([{ text, calls: [{ id: 'a', tool: 'shell', args }] }]), [secret]);
  let heard = '';
  const sink = { text: (delta: string) => (heard += delta), reasoning: () => undefined, status: () => undefined };
  const result = await model.call(request, sink, new AbortController().signal);
  const safe = 'The key is [redacted]; an example is sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaa.';
  expect(heard).toBe(safe);
  expect(result).toMatchObject({ type: 'completed', text: safe, calls: [{ args: JSON.stringify(args) }] });
});

test('[C47] without secrets the model is the model', () => {
  const model = createScriptedModel([]);
  expect(redactModel(model, [])).toBe(model);
});
