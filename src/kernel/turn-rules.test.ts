import { expect, test } from 'vitest';
import { given } from '../testing/given.ts';
import { changingCall, chat, created, replied } from '../testing/inputs.ts';
import { ruleToText, type Rule } from './rule.ts';
import { turnOf } from './state.ts';

const allowed = { rules: [{ verdict: 'allow', tool: '*', origin: 'user' }] } as const;
const narrowed = (...rules: readonly Rule[]) => ({ ...chat('just explain'), intent: { verb: 'explain' }, rules });

test('[C102] [G7] a turn that was asked to change nothing denies what the session allows, and the next one does not', () => {
  const readOnly = { verdict: 'deny', tool: 'change', origin: 'session' } as const;
  const first = given(created(allowed), narrowed(readOnly), replied('ses_1.4', '', [changingCall('a')]));
  expect(first.state.phase).toMatchObject({ turn: { denials: 1, intent: { verb: 'explain' } } });
  const next = given(created(allowed), chat('go ahead'), replied('ses_1.4', '', [changingCall('a')]));
  expect(next.state.phase).toMatchObject({ turn: { denials: 0, toolCalls: 1 } });
});

test('[G7] a turn narrows and never widens: an allow among its rules counts for nothing', () => {
  const widening = { verdict: 'allow', tool: '*', origin: 'session' } as const;
  const { state } = given(created(), narrowed(widening), replied('ses_1.4', '', [changingCall('a')]));
  expect(state.questions.map(({ about }) => about.type)).toEqual(['approval']);
});

test('[G8] a rule holds for everything but what it names', () => {
  const confined: Rule = { verdict: 'deny', tool: 'change', unless: ['**/test/**', '*.md'], origin: 'agent' };
  const writing = (id: string, path: string) =>
    changingCall(id, 'change', { paths: [{ path, access: 'write', inside: true }] });
  const calls = [writing('a', 'src/a.ts'), writing('b', 'src/test/a.ts'), writing('c', 'README.md')];
  const { state } = given(created(allowed), narrowed(confined), replied('ses_1.4', '', calls));
  const activity = turnOf(state)?.activity;
  const settled = activity?.type === 'running-calls' ? activity.calls.map(({ type }) => type) : [];
  expect(settled).toEqual(['settled', 'running', 'planned']);
  expect(ruleToText(confined)).toBe('change unless **/test/** or *.md');
});
