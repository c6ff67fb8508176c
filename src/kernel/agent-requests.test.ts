import { describe, expect, test } from 'vitest';

import {
  decisions,
  effect,
  events,
  given,
  question,
  testSession,
  testTime,
  type GivenInput,
} from '../testing/given.ts';
import { answered, call, chat, created, interrupted, recovered } from '../testing/inputs.ts';
import { agentRequestsKept, type AgentRequest } from './agent-request.ts';
import { previewOf } from './content.ts';
import { extend, newConversation } from './conversation/conversation.ts';
import type { Recorded } from './event.ts';
import { modes } from './mode.ts';
import type { Rule } from './rule.ts';
import { newState } from './state.ts';
import { step } from './decide/step.ts';
import { timeAt } from './time.ts';

const agent = { name: 'outside', runs: 'external' } as const;
const ann = { type: 'person', name: 'ann' } as const;
const options = [
  { id: 'yes', kind: 'allow-once', name: 'Yes' },
  { id: 'always', kind: 'allow-always', name: 'Always' },
  { id: 'no', kind: 'reject-once', name: 'No' },
] as const;

const runs = (command: string, id = 'c1') =>
  call(id, 'shell', {
    access: 'execute',
    segments: [{ text: command }],
    repeat: 'never',
    grants: [`shell(${command})`],
  });
const wants = (command: string, id?: string): AgentRequest => ({
  type: 'permission',
  key: `run ${command}`,
  call: runs(command, id),
  title: `Run ${command}`,
  options,
});
const form: AgentRequest = { type: 'form', key: 'form', message: 'Which?', schema: { type: 'object' } };
const asked = (request: AgentRequest, attempt = 1): GivenInput => ({
  type: 'agent-asked',
  effect: effect(4),
  attempt,
  request,
});
const prompted = (...rules: readonly Rule[]): readonly GivenInput[] => [created({ agent, rules }), chat('go')];
const rule = (verdict: Rule['verdict'], pattern: string): Rule => ({
  verdict,
  tool: 'shell',
  pattern,
  origin: 'user',
});
const approval = (command: string, id = 'c1') =>
  ({
    type: 'approval',
    call: runs(command, id).id,
    tool: 'shell',
    rule: 'default',
    reason: 'No rule allows this, so a person decides.',
    unit: command,
    grants: [`shell(${command})`],
    request: `run ${command}`,
    title: `Run ${command}`,
    options,
  }) as const;
const answer = (key: string, option: string, attempt = 1) =>
  ({ type: 'answer-agent', effect: effect(4), attempt, key, answer: { type: 'option', option } }) as const;

describe('what an external agent asks [A4]', () => {
  test('is allowed by a rule and answered at once, as a yes that holds once', () => {
    given(...prompted(rule('allow', 'make *')))
      .when(asked(wants('make test')))
      .then(
        events(
          { type: 'agent-asked', request: wants('make test') },
          {
            type: 'agent-answered',
            key: 'run make test',
            answer: { type: 'option', option: 'yes' },
            rule: 'shell(make *)',
          },
        ),
        decisions(answer('run make test', 'yes')),
      );
  });

  test('is denied by a rule and answered at once, with the rule on record', () => {
    given(...prompted(rule('deny', 'rm *')))
      .when(asked(wants('rm x')))
      .then(
        events(
          { type: 'agent-asked', request: wants('rm x') },
          {
            type: 'agent-answered',
            key: 'run rm x',
            answer: { type: 'option', option: 'no' },
            refused: 'policy',
            rule: 'shell(rm *)',
            reason: 'The user rule shell(rm *) denies this.',
          },
        ),
        decisions(answer('run rm x', 'no')),
      );
  });

  test('becomes a question where no rule says, and the answer goes to the agent', () => {
    given(...prompted())
      .when(asked(wants('ls')))
      .then(
        events({ type: 'agent-asked', request: wants('ls') }, { type: 'question-opened', about: approval('ls') }),
        decisions({ type: 'ask', question: { id: question(6), openedAt: testTime, about: approval('ls') } }),
      )
      .when({ ...answered(question(6), 'allow-session'), by: ann })
      .then(
        events(
          { type: 'question-answered', question: question(6), answer: { type: 'allow-session' } },
          { type: 'agent-answered', key: 'run ls', answer: { type: 'option', option: 'yes' } },
        ),
        decisions(answer('run ls', 'yes')),
      )
      .when(asked(wants('ls', 'c2')))
      .then(
        events(
          { type: 'agent-asked', request: wants('ls', 'c2') },
          { type: 'agent-answered', key: 'run ls', answer: { type: 'option', option: 'yes' }, rule: 'shell(ls)' },
        ),
        decisions(answer('run ls', 'yes')),
      );
  });

  test('may be answered with one of the options the agent offers, and with no other', () => {
    const open = given(...prompted(), asked(wants('ls')));

    open
      .when(answered(question(6), { type: 'option', option: 'always' }))
      .then(
        events(
          { type: 'question-answered', question: question(6), answer: { type: 'option', option: 'always' } },
          { type: 'agent-answered', key: 'run ls', answer: { type: 'option', option: 'always' } },
        ),
        decisions(answer('run ls', 'always')),
      );
    expect(open.when(answered(question(6), { type: 'option', option: 'perhaps' })).transition.refusal?.code).toBe(
      'invalid',
    );
  });

  test('counts rejections and denials towards the limits of the turn', () => {
    const rejected = given(created({ agent, limits: { rejections: 1 } }), chat('go'), asked(wants('ls'))).when(
      answered(question(6), { type: 'reject', reason: 'not here' }),
    );
    const denied = given(created({ agent, rules: [rule('deny', '*')], limits: { denials: 1 } }), chat('go')).when(
      asked(wants('ls')),
    );

    for (const { transition } of [rejected, denied]) {
      expect(transition.decisions.map(({ type }) => type)).toEqual(['answer-agent', 'cancel', 'wait-until']);
    }
  });

  test('is denied where nobody can be asked, a form as well', () => {
    const alone = given(created({ agent, mode: modes.batch }), chat('go'));

    alone.when(asked(form)).then(
      events(
        { type: 'agent-asked', request: form },
        {
          type: 'agent-answered',
          key: 'form',
          answer: { type: 'declined' },
          refused: 'policy',
          rule: 'default',
          reason: 'Nobody can be asked in this mode.',
        },
      ),
      decisions({
        type: 'answer-agent',
        effect: effect(4),
        attempt: 1,
        key: 'form',
        answer: { type: 'declined' },
      }),
    );
  });

  test('may be a form, whose contents go back to it', () => {
    const filled = { type: 'form', form: { name: 'ann' } } as const;
    given(...prompted(), asked(form))
      .when(answered(question(6), filled))
      .then(
        events(
          { type: 'question-answered', question: question(6), answer: filled },
          { type: 'agent-answered', key: 'form', answer: filled },
        ),
        decisions({ type: 'answer-agent', effect: effect(4), attempt: 1, key: 'form', answer: filled }),
      );
  });

  test('expires into a no', () => {
    const { transition } = given(
      created({ agent, limits: { questionExpiryMs: 1000 } }),
      chat('go'),
      asked(wants('ls')),
    ).when({ type: 'time-reached', effect: effect(7), at: testTime + 1000 });

    expect(transition.events.map(({ event }) => event).at(-1)).toEqual({
      type: 'agent-answered',
      key: 'run ls',
      answer: { type: 'option', option: 'no' },
      refused: 'expired',
      reason: 'Nobody answered in time.',
    });
    expect(transition.decisions).toContainEqual(answer('run ls', 'no'));
  });
});

test('[A5] the same request asked twice is one question', () => {
  given(...prompted(), asked(wants('ls')))
    .when(asked(wants('ls', 'c2')))
    .then(events(), decisions());
});

describe('a request whose process is gone [A6]', () => {
  const crash: GivenInput = {
    type: 'agent-turn-settled',
    effect: effect(4),
    attempt: 1,
    outcome: { type: 'failed', code: 'agent-failed', message: 'gone', retryable: true },
  };
  const lost = given(...prompted(), asked(wants('ls')), crash);

  test('is not asked again before it has its answer, where its owner is gone too', () => {
    const asksAgain = decisions({
      type: 'ask',
      question: { id: question(6), openedAt: testTime, about: approval('ls') },
    });
    const parked = given(...prompted(), asked(wants('ls')))
      .when(recovered)
      .then(events({ type: 'session-recovered', epoch: 2 }), asksAgain);
    parked.when(recovered).then(events(), asksAgain);
    parked
      .when(interrupted)
      .then(
        events(
          { type: 'question-closed', question: question(6), reason: 'cancelled' },
          { type: 'agent-turn-settled', ending: { type: 'cancelled', reason: 'cut off' } },
          { type: 'turn-ended', ending: { type: 'cancelled' } },
        ),
      );
    parked
      .when(answered(question(6), 'allow-once'))
      .then(
        events(
          { type: 'question-answered', question: question(6), answer: { type: 'allow-once' } },
          { type: 'agent-answered', key: 'run ls', answer: { type: 'option', option: 'yes' } },
          { type: 'effect-repeated', effect: effect(4), attempt: 2 },
        ),
        decisions({ type: 'prompt-agent', effect: effect(4), attempt: 2, prompts: [2] }),
      )
      .when(asked(wants('ls'), 2))
      .then(events({ type: 'agent-asked-again', key: 'run ls' }), decisions(answer('run ls', 'yes', 2)));
  });

  test('stays a question, and the same request of the next process waits for the same answer', () => {
    expect(lost.state.questions.map(({ id }) => id)).toEqual([question(6)]);
    lost
      .when(asked(wants('ls', 'c9'), 2))
      .then(events({ type: 'agent-asked-again', key: 'run ls' }), decisions())
      .when(answered(question(6), 'allow-once'))
      .then(
        events(
          { type: 'question-answered', question: question(6), answer: { type: 'allow-once' } },
          { type: 'agent-answered', key: 'run ls', answer: { type: 'option', option: 'yes' } },
        ),
        decisions(answer('run ls', 'yes', 2)),
      );
  });

  test('keeps the answer for the next process, and uses it up', () => {
    const heard = lost
      .when(answered(question(6), 'allow-once'))
      .then(
        events(
          { type: 'question-answered', question: question(6), answer: { type: 'allow-once' } },
          { type: 'agent-answered', key: 'run ls', answer: { type: 'option', option: 'yes' } },
        ),
        decisions(),
      )
      .when(asked(wants('ls'), 2))
      .then(events({ type: 'agent-asked-again', key: 'run ls' }), decisions(answer('run ls', 'yes', 2)));

    expect(heard.when(asked(wants('ls'), 2)).transition.events.map(({ event }) => event.type)).toEqual([
      'agent-asked',
      'question-opened',
    ]);
  });

  test('is withdrawn by one that asks something else; both are recorded', () => {
    lost
      .when(asked(wants('pwd'), 2))
      .then(
        events(
          { type: 'question-closed', question: question(6), reason: 'superseded' },
          { type: 'agent-asked', request: wants('pwd') },
          { type: 'question-opened', about: approval('pwd') },
        ),
        decisions({ type: 'ask', question: { id: question(11), openedAt: testTime, about: approval('pwd') } }),
      );
  });

  test('does not outlive a rule that denies it now', () => {
    const denied = given(...prompted(), asked(wants('ls')), crash, answered(question(6), 'allow-once'), {
      type: 'policy-changed',
      rules: [rule('deny', 'ls')],
    });

    expect(denied.when(asked(wants('ls'), 2)).transition.decisions).toEqual([answer('run ls', 'no', 2)]);
  });

  test('stays open while a person is asked whether to take the turn up again', () => {
    const often = given(
      created({ agent, limits: { modelRepeats: 1 } }),
      chat('go'),
      asked(wants('ls')),
      crash,
      recovered,
    );

    expect(often.state.questions.map(({ about }) => about.type)).toEqual(['approval', 'repeat']);
    const taken = often
      .when(answered(question(6), 'allow-once'))
      .then(
        events(
          { type: 'question-answered', question: question(6), answer: { type: 'allow-once' } },
          { type: 'agent-answered', key: 'run ls', answer: { type: 'option', option: 'yes' } },
        ),
        decisions(),
      );
    const { transition } = taken.when(answered(question(10), 'allow-once'));
    expect(transition.decisions.map(({ type }) => type)).toEqual(['prompt-agent']);
  });
});

describe('the end of a turn with a request open [A7]', () => {
  const open = given(...prompted(), asked(wants('ls')));

  test('answers it as cancelled before asking the agent to stop', () => {
    open
      .when(interrupted)
      .then(
        events(
          { type: 'question-closed', question: question(6), reason: 'cancelled' },
          { type: 'agent-answered', key: 'run ls', answer: { type: 'cancelled' }, refused: 'interrupted' },
          { type: 'turn-interrupted', ending: { type: 'cancelled' } },
          { type: 'wait-intended', why: 'cancel-grace', until: timeAt(testTime + 6000) },
        ),
        decisions(
          { type: 'answer-agent', effect: effect(4), attempt: 1, key: 'run ls', answer: { type: 'cancelled' } },
          { type: 'cancel', effect: effect(4), graceMs: 5000 },
          { type: 'wait-until', effect: effect(10), until: timeAt(testTime + 6000) },
        ),
      );
  });

  test('answers what is asked while the turn is being cancelled', () => {
    const { transition } = given(...prompted(), interrupted).when(asked(wants('ls')));

    expect(transition.decisions).toEqual([
      { type: 'answer-agent', effect: effect(4), attempt: 1, key: 'run ls', answer: { type: 'cancelled' } },
    ]);
  });

  test('closes the question where the agent did not wait for the answer', () => {
    open
      .when({ type: 'agent-turn-settled', effect: effect(4), attempt: 1, outcome: { type: 'completed' } })
      .then(
        events(
          { type: 'question-closed', question: question(6), reason: 'cancelled' },
          { type: 'agent-turn-settled', ending: { type: 'completed' } },
          { type: 'turn-ended', ending: { type: 'completed' } },
        ),
      );
  });

  test('lets the agent take a request back', () => {
    open
      .when({ type: 'agent-withdrew', effect: effect(4), attempt: 1, key: 'run ls' })
      .then(events({ type: 'question-closed', question: question(6), reason: 'cancelled' }));
  });
});

describe('an agent whose process is gone in mid-turn [A8]', () => {
  const crashed = (attempt: number): GivenInput => ({
    type: 'agent-turn-settled',
    effect: effect(4),
    attempt,
    outcome: { type: 'failed', code: 'agent-failed', message: 'exited with code 3', retryable: true },
  });

  test('is started again with the same prompts, its question still open', () => {
    const taken = given(...prompted(), asked(wants('ls')))
      .when(crashed(1))
      .then(
        events(
          { type: 'agent-reported', report: { type: 'notice', severity: 'error', text: 'exited with code 3' } },
          { type: 'effect-repeated', effect: effect(4), attempt: 2 },
        ),
        decisions({ type: 'prompt-agent', effect: effect(4), attempt: 2, prompts: [2] }),
      );
    expect(taken.state.questions.map(({ id }) => id)).toEqual([question(6)]);
  });

  test('ends the turn when it is gone too often', () => {
    const ending = { type: 'failed', code: 'agent-failed', message: 'exited with code 3' } as const;
    given(...prompted(), crashed(1), crashed(2))
      .when(crashed(3))
      .then(events({ type: 'agent-turn-settled', ending }, { type: 'turn-ended', ending }));
  });

  test('keeps the name of its own session', () => {
    const report = { type: 'session', agent: 'outside', id: 'a1', how: 'started' } as const;
    const usage = { inputTokens: 5, outputTokens: 0 };
    const { state } = given(
      ...prompted(),
      { type: 'agent-reported', effect: effect(4), attempt: 1, report },
      {
        type: 'agent-reported',
        effect: effect(4),
        attempt: 1,
        report: { type: 'usage', usage, counted: { tokens: 5 } },
      },
      crashed(1),
    );

    expect(state.agentSession).toEqual({ agent: 'outside', id: 'a1', counted: { tokens: 5 } });
  });
});

describe('what the agent is sent [A9]', () => {
  test('is each prompt once, with what was said to what it asked', () => {
    const conversation = newConversation(testSession);
    let state = newState(testSession);
    const messages: (readonly string[])[] = [];
    const walk: readonly GivenInput[] = [
      ...prompted(),
      asked(wants('ls')),
      answered(question(6), { type: 'reject', reason: 'not here' }),
      { type: 'agent-turn-settled', effect: effect(4), attempt: 1, outcome: { type: 'completed' } },
      chat('next'),
    ];
    const saw = (recorded: Recorded) => {
      extend(conversation, recorded);
      if (recorded.event.type !== 'agent-turn-intended') return;
      const { from, to } = conversation.agentPrompt;
      messages.push(
        conversation.messages.slice(from, to).map((message) => `${message.role}: ${previewOf(message.text)}`),
      );
    };
    for (const input of walk) {
      const transition = step(state, { ...input, at: testTime, by: ann });
      state = transition.state;
      transition.events.forEach(saw);
    }

    expect(messages).toEqual([
      ['user: go'],
      ['notice: The user turned down what you asked for: not here', 'user: next'],
    ]);
  });

  test('of more requests than are held is that they are cancelled', () => {
    const many = Array.from({ length: agentRequestsKept }, (_, index) =>
      asked(wants(`make ${index}`, `c${index}`)),
    );

    const { transition } = given(...prompted(), ...many).when(asked(wants('one more', 'last')));

    expect(transition.events.map(({ event }) => event)).toEqual([
      { type: 'agent-asked', request: wants('one more', 'last') },
      {
        type: 'agent-answered',
        key: 'run one more',
        answer: { type: 'cancelled' },
        refused: 'limit',
        reason: 'The agent has 32 requests open already.',
      },
    ]);
  });
});
