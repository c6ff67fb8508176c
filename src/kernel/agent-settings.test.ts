import { describe, expect, test } from 'vitest';

import { decisions, effect, events, given, refusal, type GivenInput } from '../testing/given.ts';
import { agentReported, chat, created, recovered } from '../testing/inputs.ts';
import type { AgentSetting, SettingOutcome } from './agent-setting.ts';
import type { AgentReport } from './report.ts';

const agent = { name: 'outside', runs: 'external' } as const;
const plan: AgentSetting = { type: 'mode', mode: 'plan' };

const chosen = (setting: AgentSetting): GivenInput => ({ type: 'agent-setting-chosen', setting });
const settled = (seq: number, outcome: SettingOutcome): GivenInput => ({
  type: 'agent-setting-settled',
  effect: effect(seq),
  outcome,
});

const modes: AgentReport = {
  type: 'mode',
  mode: 'ask',
  modes: [
    { id: 'ask', name: 'Ask' },
    { id: 'plan', name: 'Plan' },
  ],
};
const options: AgentReport = {
  type: 'options',
  options: [
    {
      id: 'model',
      name: 'Model',
      value: 'small',
      choices: [
        { id: 'small', name: 'S' },
        { id: 'large', name: 'L' },
      ],
    },
    { id: 'fast', name: 'Fast', value: false },
  ],
};
const session: AgentReport = { type: 'session', agent: 'outside', id: 'a-1', how: 'started' };
/** A turn in which the agent reported its settings; events 1 to 7. */
const offered: readonly GivenInput[] = [
  created({ agent }),
  chat('go'),
  agentReported(session),
  agentReported(modes),
  agentReported(options),
];

describe("[A10] an external agent's own settings", () => {
  test('are chosen, set, and what the agent says is what holds', () => {
    const taken = { type: 'taken', report: { type: 'mode', mode: 'plan' } } as const;
    const { state } = given(...offered)
      .when(chosen(plan))
      .then(
        events({ type: 'agent-setting-chosen', setting: plan }),
        decisions({ type: 'set-agent', effect: effect(8), setting: plan }),
      )
      .when(settled(8, taken))
      .then(events({ type: 'agent-setting-settled', effect: effect(8), outcome: taken }), decisions());
    expect(state.agentSettings).toEqual({
      agent: 'outside',
      mode: 'plan',
      modes: modes.modes,
      options: options.options,
      chosen: [{ setting: plan }],
    });
  });

  test.for<readonly [AgentSetting, string]>([
    [{ type: 'mode', mode: 'x' }, 'agent outside has no mode x; it offers ask, plan'],
    [{ type: 'option', option: 'x', value: 'y' }, 'agent outside has no option x; it offers model, fast'],
    [
      { type: 'option', option: 'model', value: 'huge' },
      'the option model of agent outside cannot be huge; it offers small, large',
    ],
    [{ type: 'option', option: 'fast', value: 'yes' }, 'the option fast of agent outside is on or off'],
  ])('that it does not offer are refused: %j', ([setting, message]) => {
    given(...offered)
      .when(chosen(setting))
      .then(events(), refusal('invalid', message));
  });

  test('are refused where there are none', () => {
    given(created({ agent }), chat('go'), agentReported(session))
      .when(chosen(plan))
      .then(events(), refusal('invalid', 'agent outside offers no modes'));
    given(created())
      .when(chosen(plan))
      .then(events(), refusal('invalid', "agent tester isn't external and has no settings"));
  });

  test('may be chosen before it was ever started', () => {
    given(created({ agent }))
      .when(chosen(plan))
      .then(
        events({ type: 'agent-setting-chosen', setting: plan }),
        decisions({ type: 'set-agent', effect: effect(2), setting: plan }),
      );
  });

  test('that are modes to people and an option to the agent are asked for as that', () => {
    const asOption: AgentReport = {
      type: 'options',
      options: [{ id: 'm', name: 'Mode', category: 'mode', value: 'build', choices: [{ id: 'plan', name: 'P' }] }],
    };
    const setting = { type: 'option', option: 'm', value: 'plan' } as const;
    given(created({ agent }), chat('go'), agentReported(session), agentReported(asOption))
      .when(chosen(plan))
      .then(
        events({ type: 'agent-setting-chosen', setting }),
        decisions({ type: 'set-agent', effect: effect(7), setting }),
      );
  });

  test('that the agent does not take are forgotten; a late answer to an older choice changes nothing', () => {
    const failed = { type: 'failed', message: 'locked' } as const;
    const { state } = given(...offered, chosen(plan), chosen({ type: 'mode', mode: 'ask' }))
      .when(settled(8, failed))
      .then(events(), decisions())
      .when(settled(9, failed))
      .then(events({ type: 'agent-setting-settled', effect: effect(9), outcome: failed }));
    expect(state.agentSettings?.chosen).toEqual([]);
  });

  test('that it changes by itself are what is set again', () => {
    const { state } = given(
      ...offered,
      chosen(plan),
      settled(8, { type: 'taken', report: { type: 'mode', mode: 'plan' } }),
      agentReported({ type: 'mode', mode: 'ask' }),
    );
    expect(state.agentSettings?.chosen).toEqual([{ setting: { type: 'mode', mode: 'ask' } }]);
  });

  test('that were still to be set when its process ended are settled by what the next one says', () => {
    const { state } = given(
      ...offered,
      chosen(plan),
      recovered,
      agentReported({ ...session, how: 'resumed' }, 2),
      agentReported({ type: 'mode', mode: 'plan' }, 2),
    );
    expect(state.agentSettings?.chosen).toEqual([{ setting: plan }]);
  });
});

describe('[A3] calls that an external agent reports', () => {
  const call = (id: string, state: 'pending' | 'completed' = 'pending', attempt = 1): GivenInput =>
    agentReported({ type: 'tool-call', call: id, state }, attempt);

  test('count once, however often and by whichever process they are reported', () => {
    const { state } = given(
      created({ agent }),
      chat('go'),
      call('a'),
      call('a', 'completed'),
      call('b'),
      recovered,
      call('b', 'completed', 2),
    );
    expect([state.usage.toolCalls, state.phase.type === 'turn' && state.phase.turn.toolCalls]).toEqual([2, 2]);
  });

  test('beyond the limit end the turn', () => {
    const ending = {
      type: 'failed',
      code: 'limit-tool-calls',
      message: 'The turn reached its limit: tool-calls 1.',
    } as const;
    const { transition } = given(
      created({ agent, limits: { toolCalls: 1 } }),
      chat('go'),
      call('a'),
      call('a', 'completed'),
    ).when(call('b'));
    expect([transition.events.map(({ event }) => event).slice(0, 2), transition.state.phase.type]).toEqual([
      [
        { type: 'agent-reported', report: { type: 'tool-call', call: 'b', state: 'pending' } },
        { type: 'turn-interrupted', ending },
      ],
      'cancelling',
    ]);
  });
});

test('[A10] of a long list of modes 64 are kept, and of the choices of an option 200', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `m${index}`, name: 'M' }));
  const { state } = given(
    created({ agent }),
    chat('go'),
    agentReported(session),
    agentReported({ type: 'mode', mode: 'm0', modes: many(70) }),
    agentReported({ type: 'options', options: [{ id: 'o', name: 'O', value: 'm0', choices: many(210) }] }),
  );
  expect([state.agentSettings?.modes?.length, state.agentSettings?.options?.[0]?.choices?.length]).toEqual([
    64, 200,
  ]);
});
