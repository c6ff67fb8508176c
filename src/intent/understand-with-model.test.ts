import { expect, test } from 'vitest';

import type { EffectId, SessionId } from '../kernel/ids.ts';
import { createScriptedModel, type ScriptedStep } from '../models/scripted.ts';
import { understand } from './transducer.ts';
import { understandWithModel } from './understand-with-model.ts';

async function ask(text: string, step: ScriptedStep) {
  const model = createScriptedModel([step]);
  const options = { session: 's' as SessionId, effect: 's/1' as EffectId, signal: new AbortController().signal };
  return await understandWithModel(model, text, options);
}

test("a model's answer of the asked form is taken", async () => {
  const text = 'the thing, you know';
  const answer = '```json\n{"verb":"refactor","target":"parser","readOnly":false,"confidence":0.9}\n```';
  expect(await ask(text, { text: answer })).toEqual({
    intent: {
      ...understand(text),
      verb: 'refactor',
      category: 'mutation',
      confidence: 0.9,
      by: 'model',
      target: { type: 'text', text: 'parser' },
    },
  });
});

test.each<[string, ScriptedStep, string]>([
  ['it fails', { fail: { code: 'model-unavailable', message: 'down' } }, 'The model gave no answer: failed.'],
  ['it is no JSON', { text: 'refactor, I think' }, 'The model gave no answer of the asked form.'],
  ['it is broken JSON', { text: '{"verb": }' }, 'The model gave no answer of the asked form.'],
  [
    'it has another form',
    { text: '{"verb":"fix","confidence":7}' },
    'The model gave no answer of the asked form.',
  ],
  [
    'its verb is unknown',
    { text: '{"verb":"juggle","confidence":1}' },
    'The model named a verb that there is not: juggle.',
  ],
])("the rules' answer stands where %s", async (_, step, problem) => {
  const text = 'fix src/a.ts';
  expect(await ask(text, step)).toEqual({ intent: understand(text), problem });
});

test('a model cannot lift what the rules made read-only', async () => {
  const { intent } = await ask("look at it, don't change anything", {
    text: '{"verb":"fix","readOnly":false,"confidence":1}',
  });
  expect(intent).toMatchObject({ verb: 'fix', readOnly: true });
});

test('a typed verb needs no model', async () => {
  const model = createScriptedModel([]);
  const options = { session: 's' as SessionId, effect: 's/1' as EffectId, signal: new AbortController().signal };
  expect((await understandWithModel(model, '/test', options)).intent.verb).toBe('test');
  model.verify();
});
