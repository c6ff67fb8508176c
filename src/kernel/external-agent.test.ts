import { describe, expect, test } from 'vitest';

import { decisions, effect, events, given, question, type GivenInput } from '../testing/given.ts';
import { answered, chat, created, recovered, testUsage } from '../testing/inputs.ts';
import type { EffectId } from './ids.ts';
import type { InputBody } from './input.ts';
import { modes } from './mode.ts';
import type { AgentReport } from './report.ts';
import { timeAt } from './time.ts';

const agent = { name: 'outside', runs: 'external' } as const;
const prompted: readonly GivenInput[] = [created({ agent }), chat('go')];

type Settled = Extract<InputBody, { type: 'agent-turn-settled' }>;
const settled = (of: EffectId, outcome: Settled['outcome'] = { type: 'completed' }, attempt = 1): Settled => ({
  type: 'agent-turn-settled',
  effect: of,
  attempt,
  outcome,
});
const reported = (of: EffectId, report: AgentReport): GivenInput => ({
  type: 'agent-reported',
  effect: of,
  attempt: 1,
  report,
});

describe('a turn of an external agent', () => {
  test('[A1] is prompted, reports and settles', () => {
    const word = { type: 'message', text: 'Working.' } as const;
    given(created({ agent }))
      .when(chat('go'))
      .then(
        events(
          { type: 'prompt-received', request: { type: 'chat', text: 'go' }, delivery: 'queue' },
          { type: 'turn-started', prompt: 2 },
          { type: 'agent-turn-intended' },
        ),
        decisions({ type: 'prompt-agent', effect: effect(4), attempt: 1, prompts: [2] }),
      )
      .when(reported(effect(4), word))
      .then(events({ type: 'agent-reported', report: word }))
      .when(settled(effect(4), { type: 'completed', usage: testUsage }))
      .then(
        events(
          { type: 'agent-turn-settled', ending: { type: 'completed' }, usage: testUsage },
          { type: 'turn-ended', ending: { type: 'completed' } },
        ),
      );
  });

  test.for<{ outcome: Exclude<Settled['outcome'], { type: 'completed' }> }>([
    { outcome: { type: 'failed', code: 'agent-failed', message: 'crashed' } },
    { outcome: { type: 'timed-out', message: 'no word for 10 min' } },
    { outcome: { type: 'cancelled', reason: 'by itself' } },
  ])('[A1] ends as the agent says: $outcome.type', ({ outcome }) => {
    given(...prompted)
      .when(settled(effect(4), outcome))
      .then(events({ type: 'agent-turn-settled', ending: outcome }, { type: 'turn-ended', ending: outcome }));
  });

  test('[A2][D2] that is steered brings the agent only what it has not been given', () => {
    given(...prompted, chat('and this', 'steer'))
      .when(settled(effect(4)))
      .then(
        events(
          { type: 'agent-turn-settled', ending: { type: 'completed' } },
          { type: 'prompt-joined', prompt: 5 },
          { type: 'agent-turn-intended' },
        ),
        decisions({ type: 'prompt-agent', effect: effect(8), attempt: 1, prompts: [5] }),
      );
  });

  test('[A2][R2] that a crash cut off is resumed with the same prompts', () => {
    given(...prompted, chat('and this', 'steer'), settled(effect(4)))
      .when(recovered)
      .then(
        events(
          { type: 'session-recovered', epoch: 2 },
          { type: 'effect-repeated', effect: effect(8), attempt: 2 },
        ),
        decisions({ type: 'prompt-agent', effect: effect(8), attempt: 2, prompts: [5] }),
      );
  });

  test('[A2][R3] that was cut off too often is resumed when a person reports it', () => {
    const often = given(created({ agent, limits: { modelRepeats: 0 } }), chat('go'), recovered);

    expect(often.state.questions.map(({ about }) => about)).toEqual([
      {
        type: 'repeat',
        what: 'agent turn',
        reason: 'It was cut off 1 times before it ended. Try again?',
      },
    ]);
    often
      .when(answered(question(6), 'allow-once'))
      .then(
        events(
          { type: 'question-answered', question: question(6), answer: { type: 'allow-once' } },
          { type: 'effect-repeated', effect: effect(4), attempt: 2 },
        ),
        decisions({ type: 'prompt-agent', effect: effect(4), attempt: 2, prompts: [2] }),
      );
  });

  test('[A1][M1] is reviewed where replies are', () => {
    const { transition } = given(created({ agent, mode: modes.supervised }), chat('go')).when(settled(effect(4)));

    expect(transition.decisions.map(({ type }) => type)).toEqual(['ask']);
  });
});

describe('what an external agent reports it used', () => {
  const usage = { inputTokens: 60, outputTokens: 40, cost: 0.5 };
  const stopped = { type: 'cancel', effect: effect(4), graceMs: 5000 } as const;

  test.for([
    { limits: { tokens: 100 }, code: 'limit-tokens', says: 'tokens 100' },
    { limits: { cost: 0.5 }, code: 'limit-cost', says: 'cost 0.5' },
  ] as const)('[P7][A3] stops it at the limit: $code', ({ limits, code, says }) => {
    given(created({ agent, limits }), chat('go'))
      .when(reported(effect(4), { type: 'usage', usage }))
      .then(
        events(
          { type: 'agent-reported', report: { type: 'usage', usage } },
          {
            type: 'turn-interrupted',
            ending: { type: 'failed', code, message: `The turn reached its limit: ${says}.` },
          },
          { type: 'wait-intended', why: 'cancel-grace', until: timeAt(1_006_000) },
        ),
        decisions(stopped, { type: 'wait-until', effect: effect(7), until: timeAt(1_006_000) }),
      );
  });

  test('[P7][A3] keeps it from being prompted again', () => {
    const { transition } = given(
      created({ agent, limits: { tokens: 100 } }),
      chat('go'),
      settled(effect(4), { type: 'completed', usage }),
    ).when(chat('more'));

    expect(transition.events.at(-1)?.event).toEqual({
      type: 'turn-ended',
      ending: { type: 'failed', code: 'limit-tokens', message: 'The turn reached its limit: tokens 100.' },
    });
  });
});

test('[R1] reports and settlements of an earlier attempt are ignored', () => {
  const taken = given(...prompted, recovered);

  taken.when(reported(effect(4), { type: 'message', text: 'late' })).then(events());
  taken.when(settled(effect(4))).then(events());
});

test('[A1] reports that arrive while the turn is being cancelled are still recorded', () => {
  const report = { type: 'message', text: 'Stopping.' } as const;
  given(...prompted, { type: 'interrupted' })
    .when(reported(effect(4), report))
    .then(events({ type: 'agent-reported', report }));
});
