import { expect, test } from 'vitest';

import { modes } from '../kernel/mode.ts';
import { parseRule, type Rule } from '../kernel/rule.ts';
import { type GivenInput, played } from '../testing/given.ts';
import { call, chat, created, replied, toolSettled } from '../testing/inputs.ts';
import { refusalsIn } from './refusals.ts';
import { resultOf } from './result.ts';

const rules = [parseRule('read', 'allow', 'flag'), parseRule('write(b.txt)', 'allow', 'flag')] as readonly Rule[];
const write = (id: string, file: string) => ({
  ...call(id, 'write', { access: 'write', paths: [{ path: file, access: 'write', inside: true }] }),
  args: JSON.stringify({ path: file, content: id }),
});

const refusedA = { tool: 'write', summary: 'a.txt', rule: 'default' };

function refusalsAfter(...inputs: readonly GivenInput[]) {
  const { state, events } = played(...inputs);
  return { state, refusals: refusalsIn(events) };
}

test('[P9] a batch run that ends with a needed call refused is refused, and lists every refusal', () => {
  const { state, refusals } = refusalsAfter(
    created({ mode: modes.batch, rules }),
    chat('go'),
    replied('ses_1.4', '', [write('c1', 'a.txt')]),
    replied('ses_1.7', 'I could not.'),
  );
  expect(refusals).toEqual({ all: [refusedA], needed: [refusedA] });
  expect(resultOf(state, { text: 'I could not.', refusals })).toMatchObject({
    outcome: 'refused',
    reason: 'The policy refused what the run needed: write (a.txt), rule default.',
    refusals: [refusedA],
  });
});

test('a refused call that runs later is listed as not needed', () => {
  const { state, refusals } = refusalsAfter(
    created({ mode: modes.batch, rules }),
    chat('go'),
    replied('ses_1.4', '', [write('c1', 'a.txt')]),
    { type: 'policy-changed', rules: [...rules, parseRule('write(a.txt)', 'allow', 'flag') as Rule] },
    replied('ses_1.7', '', [write('c2', 'a.txt')]),
    toolSettled('ses_1.10'),
    replied('ses_1.12', 'Done.'),
  );
  expect(refusals).toEqual({ all: [refusedA], needed: [] });
  expect(resultOf(state, { text: 'Done.', refusals }).outcome).toBe('completed');
});

test('another target is another thing', () => {
  const { refusals } = refusalsAfter(
    created({ mode: modes.batch, rules }),
    chat('go'),
    replied('ses_1.4', '', [write('c1', 'a.txt'), write('c2', 'b.txt')]),
    toolSettled('ses_1.7'),
  );
  expect(refusals).toEqual({ all: [refusedA], needed: [refusedA] });
});

test('where somebody can be asked, a denial goes back to the model and the run completes', () => {
  const { state, refusals } = refusalsAfter(
    created({ rules: [parseRule('write', 'deny', 'flag') as Rule] }),
    chat('go'),
    replied('ses_1.4', '', [write('c1', 'a.txt')]),
    replied('ses_1.7', 'I could not.'),
  );
  expect(refusals.all).toEqual([{ ...refusedA, rule: 'write' }]);
  expect(resultOf(state, { text: '', refusals }).outcome).toBe('completed');
});
