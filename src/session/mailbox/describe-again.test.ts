import { expect, test } from 'vitest';

import type { Rule } from '../../kernel/rule.ts';
import { given } from '../../testing/given.ts';
import { call, chat, created, replied } from '../../testing/inputs.ts';
import { turnOf } from '../../kernel/state.ts';
import { describeAgain } from './describe-again.ts';
import type { EffectHost } from '../../ports/effect-host.ts';

const recovered = { type: 'session-recovered', epoch: 2 } as const;
const rules: readonly Rule[] = [{ origin: 'user', verdict: 'deny', tool: 'look' }];

/** A session in the middle of two calls. */
function running(): EffectHost {
  const asked = given(created(), chat('go')).state;
  const activity = turnOf(asked)?.activity;
  if (activity?.type !== 'calling-model') throw new Error('No model is called.');
  const { state } = given(created(), chat('go'), replied(activity.effect, '', [call('c1'), call('c2')]));
  return { state } as EffectHost;
}

test('[P2] a recovery carries the facts of calls as they are now and the rules of today', async () => {
  const { facts } = call('c1', 'look', { access: 'write' });
  const interpreter = {
    describe: async ([{ id } = { id: '' }]: readonly { readonly id: string }[]) => {
      if (id === 'c2') throw new Error('The tool is gone.');
      return [call('c1', 'look', { access: 'write' })];
    },
    rules: async () => rules,
  };
  expect(await describeAgain(recovered, running(), interpreter)).toEqual({
    ...recovered,
    calls: [{ call: 'c1', facts }],
    rules,
  });
});

test('[S18] a recovery keeps what the journal warns of', async () => {
  const danger = { rule: 'composed-url', severity: 'ask', reason: 'The model composed this address.' } as const;
  const asked = given(created(), chat('go')).state;
  const activity = turnOf(asked)?.activity;
  if (activity?.type !== 'calling-model') throw new Error('No model is called.');
  const fetched = call('c1', 'web_fetch', { access: 'network', dangers: [danger] });
  const { state } = given(created(), chat('go'), replied(activity.effect, '', [fetched]));
  const today = call('c1', 'web_fetch', { access: 'network' });
  const interpreter = { describe: async () => [today], rules: async () => undefined };
  expect(await describeAgain(recovered, { state } as EffectHost, interpreter)).toEqual({
    ...recovered,
    calls: [{ call: 'c1', facts: { ...today.facts, dangers: [danger] } }],
  });
});

test('a folder without rules brings none, and a session without calls is described by nobody', async () => {
  const interpreter = { describe: async () => [], rules: async () => undefined };
  expect(await describeAgain(recovered, running(), interpreter)).toEqual({ ...recovered, calls: [] });
  const idle = { state: given(created()).state } as EffectHost;
  expect(await describeAgain(recovered, idle, interpreter)).toBe(recovered);
});
