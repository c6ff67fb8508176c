// The defaults.
import { expect, test } from 'vitest';

import { budgetNames } from './budget-name.ts';
import { estimateAttachment } from './content.ts';
import { effectMeanings, effects, exceeds, isEffect, type Effect } from './effect.ts';
import { agentTextOf, isAgentText, questionIdOf, seqOfEffect, sessionOfEffect, sessionOfQuestion } from './ids.ts';
import type { BlobHash, EffectId, SessionId } from './ids.ts';
import { invariant } from './invariant.ts';
import { defaultLimits } from './limits.ts';
import { isModeName, modes } from './mode.ts';
import { newState, noUsage } from './state.ts';

test('[P7] everything but money, tokens and time is limited without a choice', () => {
  const limits = Object.entries(defaultLimits).filter(([, limit]) => Number.isInteger(limit) && limit > 0);
  expect(Object.fromEntries(limits)).toEqual(defaultLimits);
  expect(['cost', 'tokens', 'wallTimeMs'].filter((name) => name in defaultLimits)).toEqual([]);
  expect(budgetNames).toEqual(['tokens', 'cost', 'tool-calls']);
});

test('[P9] the modes differ in who is asked, what needs asking, whether a model answers and what ends a run', () => {
  const rows = Object.values(modes).map((mode) => Object.values(mode).join(' '));
  expect(rows).toEqual([
    'interactive anyone by-policy free answers when-inputs-end',
    'supervised anyone every reviewed answers when-inputs-end',
    'batch nobody by-policy free answers when-idle',
    'repl anyone by-policy free answers when-inputs-end calls-first',
    'tool-only anyone by-policy free none when-inputs-end calls-first',
  ]);
  expect([isModeName('batch'), isModeName('toString')]).toEqual([true, false]);
});

test('[P8] effects rise from reading to what nobody can foresee; only the first three can be undone', () => {
  const order = ['look', 'edit', 'repository', 'build', 'network', 'delete', 'outside', 'send', 'unknown'];
  expect(effects).toEqual(order);
  const undone = order.filter((effect) => effectMeanings[effect as Effect].canBeUndone);
  expect(undone).toEqual(['look', 'edit', 'repository']);
  const risks = order.map((effect) => effectMeanings[effect as Effect].risk);
  expect(risks).toEqual([
    'neutral',
    'neutral',
    'neutral',
    'amber',
    'amber',
    'crimson',
    'crimson',
    'crimson',
    'crimson',
  ]);
  expect([exceeds('edit', 'look'), exceeds('look', 'look'), exceeds('look', 'edit')]).toEqual([
    true,
    false,
    false,
  ]);
  expect([isEffect('send'), isEffect('sing')]).toEqual([true, false]);
});

test('[P2] an id names what it is of', () => {
  const session = 'ses_abc' as SessionId;
  const effect = 'ses_abc.12' as EffectId;
  expect([sessionOfEffect(effect), seqOfEffect(effect)]).toEqual([session, 12]);
  const text = agentTextOf(effect, 2, 3);
  expect([text, isAgentText(text), isAgentText(effect)]).toEqual(['ses_abc.12/2-3', true, false]);
  const question = questionIdOf(session, 37);
  expect([question, sessionOfQuestion(question)]).toEqual(['q_abc0000011', session]);
});

test('[P1] a session begins with nothing', () => {
  const { id, limits, mode, usage, phase, ...rest } = newState('ses_1' as SessionId);
  expect({ id, limits, mode, usage, phase }).toEqual({
    id: 'ses_1',
    limits: defaultLimits,
    mode: modes.interactive,
    usage: noUsage,
    phase: { type: 'new' },
  });
  expect(
    [...Object.values(usage), rest.seq, rest.createdAt, rest.recoveries].filter((count) => count !== 0),
  ).toEqual([]);
  const lists = Object.values(rest).filter((value) => Array.isArray(value));
  expect([...lists, rest.queue.prompts].flat()).toEqual([]);
});

test('[P7] a picture counts 1,600 tokens, whatever its size', () => {
  const content = { blob: 'b' as BlobHash, length: 9_000_000, preview: '' };
  expect(estimateAttachment({ name: 'a.png', mediaType: 'image/png', content })).toBe(1600);
});

test('a broken invariant is named', () => {
  expect(() => invariant(false, 'I1')).toThrow('Broken invariant I1');
  expect(() => invariant(true, 'I1')).not.toThrow();
});
