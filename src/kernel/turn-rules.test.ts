import { expect, test } from 'vitest';
import { given, type GivenInput } from '../testing/given.ts';
import { changingCall, chat, created, replied } from '../testing/inputs.ts';
import { optional } from './optional.ts';
import { ruleToText, type Rule } from './rule.ts';
import { turnOf } from './state.ts';

const allowed = { rules: [{ verdict: 'allow', tool: '*', origin: 'user' }] } as const;
const narrowed = (...rules: readonly Rule[]) => ({ ...chat('just explain'), intent: { verb: 'explain' }, rules });

const rule: Rule = { verdict: 'deny', tool: 'change', origin: 'prompt', because: "don't change anything" };
const refusals = (setup: Parameters<typeof created>[0], prompt: GivenInput, call = changingCall('a')) =>
  given(created(setup), prompt)
    .when(replied('ses_1.4', '', [call]))
    .transition.events.flatMap(({ event }) => (event.type === 'call-refused' ? [event] : []));

test('[C102] [G7] a read-only turn refuses changes and quotes the request, the next turn allows them', () => {
  expect(refusals({}, narrowed(rule))).toMatchObject([
    {
      rule: 'change',
      reason: "The prompt says \"don't change anything\". To lift it, rephrase, or use --allow 'change'.",
    },
  ]);
  expect(refusals({}, chat('go ahead'))).toEqual([]);
});

test.each(['user', 'project', 'agent', 'session', 'flag'] as const)(
  '[C102] [G7] words of a prompt never take away what a rule of origin %s allows',
  (origin) => {
    const rules = [{ verdict: 'allow', tool: 'change', origin }] as const;
    const { state } = given(created({ rules }), narrowed(rule), replied('ses_1.4', '', [changingCall('a')]));
    expect(state.phase).toMatchObject({ turn: { denials: 0, toolCalls: 1 } });
  },
);

test('[G7] a denial that is not from the words of a prompt is never lifted', () => {
  const firm: Rule = { verdict: 'deny', tool: 'change', origin: 'agent' };
  expect(refusals(allowed, narrowed(firm, rule))).toHaveLength(1);
});

test('[C102] [G7] a path that a prompt protects is freed by a rule that names it, not by one for everything', () => {
  const spared: Rule = { ...rule, pattern: '**/legacy/**', because: "don't touch legacy/" };
  const writing = changingCall('a', 'change', { paths: [{ path: 'legacy/a.ts', access: 'write', inside: true }] });
  const count = (pattern?: string) => {
    const rule: Rule = {
      verdict: 'allow',
      tool: 'change',
      origin: 'flag',
      ...optional({ pattern }),
    };
    return refusals({ rules: [rule] }, narrowed(spared), writing).length;
  };
  expect([count(), count('legacy/**'), count('legacy/a.ts')]).toEqual([1, 1, 0]);
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
