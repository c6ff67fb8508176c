// What holds where nobody chose anything else. A change here changes every session, so it is written out once more.
import { expect, test } from 'vitest';

import { budgetNames } from './budget-name.ts';
import { estimateAttachment } from './content.ts';
import { effectMeanings, effects, exceeds, isEffect, type Effect } from './effect.ts';
import { agentTextOf, isAgentText, questionIdOf, seqOfEffect, sessionOfEffect, sessionOfQuestion } from './ids.ts';
import type { BlobHash, EffectId, SessionId } from './ids.ts';
import { invariant } from './invariant.ts';
import { defaultLimits } from './limits.ts';
import { isModeName, modes } from './mode.ts';
import { newState } from './state.ts';

test('[P7] a session has these limits', () => {
  expect(defaultLimits).toEqual({
    steps: 50,
    toolCalls: 50,
    rejections: 2,
    denials: 10,
    errorsInRow: 3,
    errorPauseMs: 3000,
    queuedPrompts: 100,
    callsInFlight: 10,
    children: 10,
    modelRepeats: 2,
    recoveries: 5,
    cancelGraceMs: 5000,
  });
  expect(budgetNames).toEqual(['tokens', 'cost', 'tool-calls']);
});

test('[P9] the modes differ in who is asked, what needs asking, whether a model answers and what ends a run', () => {
  const rows = Object.values(modes).map((mode) => Object.values(mode).join(' '));
  expect(rows).toEqual([
    'interactive anyone by-policy free answers when-inputs-end',
    'supervised anyone every reviewed answers when-inputs-end',
    'batch nobody by-policy free answers when-idle',
    'repl anyone by-policy free answers when-inputs-end',
    'tool-only anyone by-policy free none when-inputs-end',
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
  expect(newState('ses_1' as SessionId)).toEqual({
    id: 'ses_1',
    seq: 0,
    createdAt: 0,
    updatedAt: 0,
    agent: { name: '', runs: 'model' },
    mode: modes.interactive,
    cwd: '',
    limits: defaultLimits,
    rules: [],
    grants: [],
    queue: { paused: false, prompts: [] },
    questions: [],
    closedQuestions: [],
    waits: [],
    workers: [],
    usage: {
      turns: 0,
      steps: 0,
      toolCalls: 0,
      inputTokens: 0,
      outputTokens: 0,
      cachedTokens: 0,
      reasoningTokens: 0,
      cost: 0,
      unpricedCalls: 0,
    },
    context: { from: 1, messages: 0, tokens: 0 },
    recoveries: 0,
    phase: { type: 'new' },
  });
});

test('[P7] a picture counts 1,600 tokens, whatever its size', () => {
  const content = { blob: 'b' as BlobHash, length: 9_000_000, preview: '' };
  expect(estimateAttachment({ name: 'a.png', mediaType: 'image/png', content })).toBe(1600);
});

test('a broken invariant is named', () => {
  expect(() => invariant(false, 'I1')).toThrow('Broken invariant I1');
  expect(() => invariant(true, 'I1')).not.toThrow();
});
