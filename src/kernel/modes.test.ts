import { describe, expect, test } from 'vitest';

import { decisions, effect, events, given, question, refusal, type GivenInput } from '../testing/given.ts';
import {
  call,
  changingCall,
  chat,
  created,
  interrupted,
  replied,
  reply,
  task,
  toolSettled,
} from '../testing/inputs.ts';
import { isModeName, modes, type Mode } from './mode.ts';

const x = changingCall('x');
const look = call('a');

describe('what a call needs in each mode', () => {
  const ask = { verdict: 'ask', tool: '*', origin: 'user' } as const;
  const allow = { verdict: 'allow', tool: '*', origin: 'user' } as const;
  const own: Mode = { ...modes.interactive, name: 'own', asks: 'nobody', calls: 'every' };
  test.for<{ mode: Mode; free: string; unruled: string; asked: string; allowed: string }>([
    { mode: modes.interactive, free: 'run-tool', unruled: 'ask', asked: 'ask', allowed: 'run-tool' },
    { mode: modes.repl, free: 'run-tool', unruled: 'ask', asked: 'ask', allowed: 'run-tool' },
    { mode: modes['tool-only'], free: 'run-tool', unruled: 'ask', asked: 'ask', allowed: 'run-tool' },
    { mode: modes.supervised, free: 'ask', unruled: 'ask', asked: 'ask', allowed: 'ask' },
    { mode: modes.batch, free: 'run-tool', unruled: 'denied', asked: 'ask', allowed: 'run-tool' },
    { mode: own, free: 'ask', unruled: 'denied', asked: 'ask', allowed: 'ask' },
  ])('[C42][M1] $mode.name: $free, $unruled, $asked, $allowed', ({ mode, free, unruled, asked, allowed }) => {
    const outcomeOf = (input: GivenInput, rules: readonly (typeof ask | typeof allow)[]) => {
      const { transition } = given(created({ mode, rules })).when(input);
      return transition.decisions[0]?.type ?? 'denied';
    };

    expect({
      free: outcomeOf(task(look), []),
      unruled: outcomeOf(task(x), []),
      asked: outcomeOf(task(x), [ask]),
      allowed: outcomeOf(task(x), [allow]),
    }).toEqual({ free, unruled, asked, allowed });
  });
});

test('[P8][P9][M2] without anyone to ask, calls that no rule allows are denied and the model learns why', () => {
  const reason = 'No rule allows this and nobody can be asked in this mode.';
  given(created({ mode: modes.batch }), chat('go'))
    .when(replied('ses_1.4', '', [x]))
    .then(
      events(
        { type: 'model-settled', effect: effect(4), outcome: reply('', [x]) },
        { type: 'call-refused', call: x.id, code: 'policy', reason, rule: 'default' },
        { type: 'model-call-intended', reserved: 17 },
      ),
      decisions({ type: 'call-model', effect: effect(7), attempt: 1 }),
    );
});

test('[P9][M2] where nobody can be asked, what a rule says to ask about is a question that waits', () => {
  const rules = [{ verdict: 'ask', tool: 'change', origin: 'project' }] as const;
  const { state } = given(created({ mode: modes.batch, rules }), chat('go'), replied('ses_1.4', '', [x]));

  expect(state.questions.map(({ about }) => about)).toEqual([
    {
      type: 'approval',
      call: 'x',
      tool: 'change',
      rule: 'change',
      reason: 'The project rule change asks about this.',
      grants: ['change'],
    },
  ]);
});

test('[M3] without a model chat is refused and a task runs', () => {
  const session = given(created({ mode: modes['tool-only'] }));

  session
    .when(chat('hello'))
    .then(refusal('invalid', 'mode tool-only has no model; send a task with a tool and its arguments'));
  expect(session.when(task(look)).transition.decisions).toEqual([
    { type: 'run-tool', effect: effect(4), attempt: 1, call: look },
  ]);
});

describe('a change of mode', () => {
  test('[M4] counts from the next decision on: the reply is now reviewed', () => {
    const { transition } = given(created(), chat('go'), { type: 'mode-changed', mode: modes.supervised }).when(
      replied('ses_1.4', 'Hi.'),
    );

    expect(transition.decisions.map(({ type }) => type)).toEqual(['ask']);
  });

  test('[M4] counts for a call that was not started yet', () => {
    const about = {
      type: 'approval',
      call: call('b').id,
      tool: 'look',
      rule: 'supervised',
      reason: 'In this mode every tool call needs approval.',
      grants: ['look'],
    } as const;
    const calls = [call('a', 'look', { order: 'exclusive' }), call('b')];
    given(created(), chat('go'), replied('ses_1.4', '', calls))
      .when({ type: 'mode-changed', mode: modes.supervised })
      .then(
        events({ type: 'mode-changed', mode: modes.supervised }, { type: 'question-opened', about }),
        decisions({ type: 'ask', question: { id: question(8), openedAt: 1_000_000, about } }),
      );
  });

  test('[M4][M3] to one without a model ends the turn before its next model call', () => {
    given(created(), chat('go'), replied('ses_1.4', '', [look]), {
      type: 'mode-changed',
      mode: modes['tool-only'],
    })
      .when(toolSettled('ses_1.6'))
      .then(
        events(
          { type: 'tool-settled', call: look.id, result: { type: 'success', output: 'ok' } },
          {
            type: 'turn-ended',
            ending: {
              type: 'failed',
              code: 'tool-only',
              message: 'Mode tool-only has no model; send a task with a tool and its arguments.',
            },
          },
        ),
      );
  });
});

describe('a change of policy', () => {
  test('[M4][C41] counts from the next decision on: a call that waits its turn is denied', () => {
    const calls = [call('a', 'look', { order: 'exclusive' }), call('b')];
    const rules = [{ verdict: 'deny', tool: 'look', origin: 'user' }] as const;
    given(created(), chat('go'), replied('ses_1.4', '', calls))
      .when({ type: 'policy-changed', rules })
      .then(
        events(
          { type: 'policy-changed', rules },
          {
            type: 'call-refused',
            call: call('b').id,
            code: 'policy',
            reason: 'The user rule look denies this.',
            rule: 'look',
          },
        ),
      );
  });

  test('[C41] trust can be granted and revoked while the session runs', () => {
    const trust = { type: 'policy-changed', rules: [{ verdict: 'allow', tool: '*', origin: 'user' }] } as const;
    const first = (inputs: readonly GivenInput[]) =>
      given(created(), ...inputs)
        .when(task(x))
        .transition.decisions.map(({ type }) => type);

    expect(first([])).toEqual(['ask']);
    expect(first([trust])).toEqual(['run-tool']);
    expect(first([trust, { type: 'policy-changed', rules: [] }])).toEqual(['ask']);
  });
});

describe('a change of agent', () => {
  const other = { name: 'other', runs: 'model', tools: 'none' } as const;

  test('[M5] leaves the running turn to its agent and counts from the next turn on', () => {
    const { state } = given(created(), chat('one'), chat('two'), { type: 'agent-changed', agent: other });
    const running = state.phase.type === 'turn' ? state.phase.turn.agent.name : undefined;
    const next = given(
      created(),
      chat('one'),
      chat('two'),
      { type: 'agent-changed', agent: other },
      replied('ses_1.4', 'Hi.'),
    ).state;

    expect({ running, chosen: state.agent.name }).toEqual({ running: 'tester', chosen: 'other' });
    expect(next.phase.type === 'turn' && next.phase.turn.agent).toEqual(other);
  });

  test('[M5][G6] the tools of the running turn are those of its own agent', () => {
    const { transition } = given(created(), chat('one'), { type: 'agent-changed', agent: other }).when(
      replied('ses_1.4', '', [look]),
    );

    expect(transition.decisions.map(({ type }) => type)).toEqual(['run-tool']);
  });
});

test('[M1] the modes are known by name', () => {
  expect(Object.keys(modes).filter(isModeName)).toEqual([
    'interactive',
    'supervised',
    'batch',
    'repl',
    'tool-only',
  ]);
  expect(isModeName('toString')).toBe(false);
});

test('[X1] an interrupt in supervised mode closes every approval of the reply', () => {
  const { transition } = given(
    created({ mode: modes.supervised }),
    chat('go'),
    replied('ses_1.4', '', [look, x]),
  ).when(interrupted);

  expect(transition.events.map(({ event }) => event.type)).toEqual([
    'question-closed',
    'question-closed',
    'call-refused',
    'call-refused',
    'turn-ended',
  ]);
});

test('[M7] a session keeps the title that a person gave it, and an ended one is not renamed', () => {
  const { state } = given(created(), { type: 'title-changed', title: 'Cart rounding' }, chat('Fix the total'));
  expect(state.title).toBe('Cart rounding');
  const { transition } = given(created(), { type: 'closed' }).when({ type: 'title-changed', title: 'Too late' });
  expect(transition.refusal?.code).toBe('closed');
});
