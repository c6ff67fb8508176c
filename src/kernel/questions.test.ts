import { describe, expect, test } from 'vitest';

import {
  decisions,
  effect,
  events,
  given,
  question,
  refusal,
  stepSoundly,
  type GivenInput,
} from '../testing/given.ts';
import {
  answered,
  call,
  changingCall,
  chat,
  created,
  replied,
  reply,
  timeReached,
  toolSettled,
} from '../testing/inputs.ts';
import { estimateTokens } from './content.ts';
import { system } from './actor.ts';
import type { CallFacts, CallQuestion } from './call.ts';
import { modes } from './mode.ts';
import { answerText, isFittingAnswer, type Answer, type Question, type QuestionSubject } from './question.ts';
import { closedQuestionsKept } from './state.ts';
import { timeAt } from './time.ts';

const clarification = { type: 'clarification', text: 'Which?', options: ['a', 'b'] } as unknown as QuestionSubject;
const form = { type: 'form' } as unknown as QuestionSubject;
const formElsewhere = { type: 'form', url: 'https://example.test' } as unknown as QuestionSubject;

const x = changingCall('x');
const aboutX: QuestionSubject = {
  type: 'approval',
  call: x.id,
  tool: 'change',
  rule: 'default',
  reason: 'No rule allows this, so a person decides.',
  grants: ['change'],
};
/** A turn whose only call waits for the answer to question 6. */
const asking: readonly GivenInput[] = [created(), chat('go'), replied('ses_1.4', '', [x])];
const ann = { type: 'person', name: 'ann' } as const;
const opened = (seq: number, about: QuestionSubject, rest: Partial<Question> = {}): Question => ({
  id: question(seq),
  openedAt: 1_000_000,
  about,
  ...rest,
});

describe('an approval', () => {
  test('[C38][Q3] is asked for before the call runs', () => {
    given(created(), chat('go'))
      .when(replied('ses_1.4', '', [x]))
      .then(
        events(
          { type: 'model-settled', effect: effect(4), outcome: reply('', [x]) },
          { type: 'question-opened', about: aboutX },
        ),
        decisions({ type: 'ask', question: opened(6, aboutX) }),
      );
  });

  test.for(['allow-once', 'allow-session', 'allow-always'] as const)(
    '[C38][C40][Q4] %s runs the kept call once',
    (type) => {
      given(...asking)
        .when(answered(question(6), type))
        .then(
          events(
            { type: 'question-answered', question: question(6), answer: { type } },
            {
              type: 'tool-run-intended',
              call: x.id,
              repeat: 'never',
              rule: type === 'allow-once' ? 'default' : 'change',
            },
          ),
          decisions({ type: 'run-tool', effect: effect(8), attempt: 1, call: x }),
        );
    },
  );

  describe('edited by the person', () => {
    const answer: Answer = { type: 'allow-edited', args: '{"to":"y"}' };
    const edited = (given: Partial<CallFacts> = {}) => ({
      ...answered(question(6), answer),
      edited: { call: x.id, facts: { ...x.facts, ...given } },
    });

    test('[C38][Q4] runs once with the new arguments, and later calls ask again', () => {
      given(...asking)
        .when(edited())
        .then(
          events(
            { type: 'question-answered', question: question(6), answer, edited: { call: x.id, facts: x.facts } },
            { type: 'tool-run-intended', call: x.id, repeat: 'never', rule: 'default' },
          ),
          decisions({ type: 'run-tool', effect: effect(8), attempt: 1, call: { ...x, args: '{"to":"y"}' } }),
        );
    });

    test('[Q4] is judged again: a denial applies to what it became, and wrong arguments fail', () => {
      const why = 'No such command here.';
      const dangers = [{ rule: 'managed: deny', severity: 'deny', reason: why } as const];
      const denied = given(...asking)
        .when(edited({ dangers }))
        .transition.events.map(({ event }) => event);
      expect(denied.at(1)).toEqual({
        type: 'call-refused',
        call: x.id,
        code: 'policy',
        reason: why,
        rule: 'managed: deny',
      });
      const problem = { code: 'invalid-arguments', message: 'No such argument.' };
      const broken = given(...asking)
        .when(edited({ problem }))
        .transition.events.map(({ event }) => event);
      expect(broken.at(1)).toEqual({ type: 'tool-settled', call: x.id, result: { type: 'error', ...problem } });
    });

    test('[Q4] is refused without facts: nothing unjudged runs', () => {
      given(...asking)
        .when(answered(question(6), answer))
        .then(refusal('invalid', `the call of question ${question(6)} can't be edited`));
    });
  });

  test.for([
    { answer: { type: 'allow-once' }, later: 'ask' },
    { answer: { type: 'allow-session' }, later: 'run-tool' },
    { answer: { type: 'allow-always' }, later: 'run-tool' },
  ] as const)('[C40][Q4] after $answer.type the same tool again means: $later', ({ answer, later }) => {
    const again = changingCall('y');
    const { transition } = given(...asking, answered(question(6), answer), toolSettled('ses_1.8')).when(
      replied('ses_1.10', '', [again]),
    );

    expect(transition.decisions.map(({ type }) => type)).toEqual([later]);
  });

  test('[C40][Q4] a grant holds for its own session only', () => {
    const { state } = given(...asking, answered(question(6), 'allow-session'));

    expect(state.grants).toEqual([{ verdict: 'allow', tool: 'change', origin: 'session' }]);
    expect(given(...asking).state.grants).toEqual([]);
  });

  test('[P10][Q4] a grant given twice stands once', () => {
    const y = changingCall('y');
    const supervised = created({ mode: modes.supervised });
    const { state } = given(
      supervised,
      chat('go'),
      replied('ses_1.4', '', [x, y]),
      answered(question(6), 'allow-session'),
      answered(question(7), 'allow-session'),
    );

    expect(state.grants).toEqual([{ verdict: 'allow', tool: 'change', origin: 'session' }]);
  });

  test.for([
    { answer: { type: 'reject' }, text: 'The user rejected this call.' },
    { answer: { type: 'reject', reason: 'use git' }, text: 'The user rejected this call: use git' },
  ] as const)('[C38][C40][Q5] that is rejected goes back to the model: $told', ({ answer, text }) => {
    given(...asking)
      .when(answered(question(6), answer))
      .then(
        events(
          { type: 'question-answered', question: question(6), answer },
          { type: 'call-refused', call: x.id, code: 'person', reason: text, rule: 'default' },
          { type: 'model-call-intended', reserved: 2 + estimateTokens(text) },
        ),
        decisions({ type: 'call-model', effect: effect(9), attempt: 1 }),
      );
  });

  test('[C39][Q6] with two open, answering one leaves the other open; the turn continues when both have an answer', () => {
    const [a, b] = [call('a', 'write', { access: 'write' }), call('b', 'write', { access: 'write' })];
    const both = given(
      created(),
      chat('go'),
      replied('ses_1.4', '', [a, b]),
      answered(question(6), { type: 'reject' }),
    );

    expect(both.state.questions.map(({ id }) => id)).toEqual([question(7)]);
    both
      .when(answered(question(7), 'allow-once'))
      .then(
        events(
          { type: 'question-answered', question: question(7), answer: { type: 'allow-once' } },
          { type: 'tool-run-intended', call: b.id, repeat: 'safe', rule: 'default' },
        ),
        decisions({ type: 'run-tool', effect: effect(11), attempt: 1, call: b }),
      );
  });

  test('[C42][G4] a grant never lifts a denial that was made in the meantime', () => {
    const deny = { type: 'policy-changed', rules: [{ verdict: 'deny', tool: 'change', origin: 'user' }] } as const;
    given(...asking, deny)
      .when(answered(question(6), 'allow-always'))
      .then(
        events(
          { type: 'question-answered', question: question(6), answer: { type: 'allow-always' } },
          {
            type: 'call-refused',
            call: x.id,
            code: 'policy',
            reason: 'The user rule change denies this.',
            rule: 'change',
          },
          { type: 'model-call-intended', reserved: 11 },
        ),
        decisions({ type: 'call-model', effect: effect(10), attempt: 1 }),
      );
  });
});

describe('who answers', () => {
  test('[P3][C38][Q1] the first answer wins, and a second one is answered with who was first', () => {
    given(...asking, { ...answered(question(6), 'allow-once'), by: ann })
      .when(answered(question(6), 'reject'))
      .then(refusal('conflict', `question ${question(6)} was answered "allow-once" by ann already`));
  });

  test('[Q1] a question that its turn took along is closed to answers', () => {
    given(...asking, { type: 'interrupted', by: ann })
      .when(answered(question(6), 'allow-once'))
      .then(refusal('conflict', `question ${question(6)} was cancelled by ann already`));
  });

  test('[C44][C45][Q7] a worker may not answer', () => {
    given(...asking)
      .when({ ...answered(question(6), 'allow-once'), by: { type: 'worker', name: 'w1' } })
      .then(refusal('forbidden', `worker w1 may not answer question ${question(6)}; a person decides`));
  });

  test('[Q2] an answer of another kind is refused and leaves the question open', () => {
    const { state } = given(...asking)
      .when(answered(question(6), { type: 'text', text: 'yes' }))
      .then(refusal('invalid', `"text" does not fit question ${question(6)}, a question of type approval`));

    expect(state.questions.map(({ id }) => id)).toEqual([question(6)]);
  });

  const answers: readonly Answer[] = [
    { type: 'allow-once' },
    { type: 'allow-session' },
    { type: 'allow-always' },
    { type: 'reject' },
    { type: 'option', option: 'a' },
    { type: 'option', option: 'z' },
    { type: 'text', text: 'a' },
    { type: 'form', form: {} },
  ];
  test.for<{ about: QuestionSubject; fits: string }>([
    { about: aboutX, fits: 'allow-once allow-session allow-always reject' },
    { about: { type: 'reply-review', reply: 5 }, fits: 'allow-once reject' },
    { about: { type: 'repeat', what: 'shell', reason: '' }, fits: 'allow-once reject' },
    { about: { type: 'clarification', text: '?', options: ['a', 'b'] }, fits: 'reject option:a text' },
    { about: { type: 'form', title: '', schema: {} }, fits: 'reject form' },
  ])('[Q2] what fits a $about.type: $fits', ({ about, fits }) => {
    const fitting = answers.filter((answer) => isFittingAnswer(about, answer));

    expect(fitting.map((one) => (one.type === 'option' ? `option:${one.option}` : one.type)).join(' ')).toBe(fits);
  });
});

describe('a call that is itself a question', () => {
  const which: CallQuestion = { type: 'clarification', text: 'Which?', options: ['a', 'b'] };
  const who: CallQuestion = { type: 'form', title: 'Who', schema: { type: 'object' } };
  const asks = (what: CallQuestion) => call('c', 'ask', { access: 'talk', asks: what });

  test.for([
    { what: which, answer: { type: 'option', option: 'b' }, result: { type: 'success', output: 'b' } },
    { what: which, answer: { type: 'text', text: 'neither' }, result: { type: 'success', output: 'neither' } },
    {
      what: which,
      answer: { type: 'reject' },
      result: { type: 'success', output: 'The user declined to answer.' },
    },
    {
      what: which,
      answer: { type: 'reject', reason: 'you choose' },
      result: { type: 'success', output: 'you choose' },
    },
    {
      what: who,
      answer: { type: 'form', form: { name: 'ann' } },
      result: { type: 'success', output: '{"name":"ann"}', data: { name: 'ann' } },
    },
  ] as const)('[Q8] takes the answer as its result: $what.type, $answer.type', ({ what, answer, result }) => {
    const one = asks(what);
    given(created(), chat('go'))
      .when(replied('ses_1.4', '', [one]))
      .then(
        events(
          { type: 'model-settled', effect: effect(4), outcome: reply('', [one]) },
          { type: 'question-opened', about: { ...what, call: one.id } },
        ),
        decisions({ type: 'ask', question: opened(6, { ...what, call: one.id }) }),
      )
      .when(answered(question(6), answer))
      .then(
        events(
          { type: 'question-answered', question: question(6), answer },
          { type: 'tool-settled', call: one.id, result },
          { type: 'model-call-intended', reserved: 2 + estimateTokens(result.output) },
        ),
        decisions({ type: 'call-model', effect: effect(9), attempt: 1 }),
      );
  });

  test('[P9][Q8] is answered by itself where nobody can be asked', () => {
    const { transition } = given(created({ mode: modes.batch }), chat('go')).when(
      replied('ses_1.4', '', [asks(which)]),
    );

    expect(transition.events[1]?.event).toEqual({
      type: 'tool-settled',
      call: 'c',
      result: {
        type: 'error',
        code: 'nobody-to-ask',
        message: 'Nobody can be asked in this mode. Decide for yourself or end with what is missing.',
      },
    });
  });
});

describe('a reply under review', () => {
  const reviewed = [created({ mode: modes.supervised }), chat('hello')] as const;

  test('[Q9] waits for approval and then ends the turn', () => {
    given(...reviewed)
      .when(replied('ses_1.4', 'Hi.'))
      .then(
        events(
          { type: 'model-settled', effect: effect(4), outcome: reply('Hi.') },
          { type: 'question-opened', about: { type: 'reply-review', reply: 5 } },
        ),
        decisions({ type: 'ask', question: opened(6, { type: 'reply-review', reply: 5 }) }),
      )
      .when(answered(question(6), 'allow-once'))
      .then(
        events(
          { type: 'question-answered', question: question(6), answer: { type: 'allow-once' } },
          { type: 'turn-ended', ending: { type: 'completed' } },
        ),
      );
  });

  test('[Q9][C5] that is turned down goes back to the model; the second time the turn ends', () => {
    const no = { type: 'reject', reason: 'shorter' } as const;
    given(...reviewed, replied('ses_1.4', 'Hi.'))
      .when(answered(question(6), no))
      .then(
        events(
          { type: 'question-answered', question: question(6), answer: no },
          { type: 'model-call-intended', reserved: 3 },
        ),
        decisions({ type: 'call-model', effect: effect(8), attempt: 1 }),
      )
      .when(replied('ses_1.8', 'Yo.'))
      .then(
        events(
          { type: 'model-settled', effect: effect(8), outcome: reply('Yo.') },
          { type: 'question-opened', about: { type: 'reply-review', reply: 9 } },
        ),
        decisions({ type: 'ask', question: opened(10, { type: 'reply-review', reply: 9 }) }),
      )
      .when(answered(question(10), no))
      .then(
        events(
          { type: 'question-answered', question: question(10), answer: no },
          {
            type: 'turn-ended',
            ending: {
              type: 'failed',
              code: 'limit-rejections',
              message: 'The turn reached its limit: rejections 2.',
            },
          },
        ),
      );
  });
});

describe('a question that nobody answers in time', () => {
  const limits = { questionExpiryMs: 60_000, modelRepeats: 0 };
  const until = timeAt(1_060_000);

  test('[Q10] arms a timer when it opens', () => {
    given(created({ limits }), chat('go'))
      .when(replied('ses_1.4', '', [x]))
      .then(
        events(
          { type: 'model-settled', effect: effect(4), outcome: reply('', [x]) },
          { type: 'question-opened', about: aboutX, expiresAt: until },
          { type: 'wait-intended', why: 'question-expiry', until },
        ),
        decisions(
          { type: 'ask', question: opened(6, aboutX, { expiresAt: until }) },
          { type: 'wait-until', effect: effect(7), until },
        ),
      );
  });

  const expired = [
    { type: 'wait-ended', effect: effect(7) },
    { type: 'question-closed', question: question(6), reason: 'expired' },
  ] as const;

  test('[Q10] an approval refuses its call', () => {
    given(created({ limits }), chat('go'), replied('ses_1.4', '', [x]))
      .when(timeReached(effect(7)))
      .then(
        events(
          ...expired,
          {
            type: 'call-refused',
            call: x.id,
            code: 'expired',
            reason: 'Nobody answered in time.',
            rule: 'default',
          },
          { type: 'model-call-intended', reserved: 8 },
        ),
        decisions({ type: 'call-model', effect: effect(11), attempt: 1 }),
      );
  });

  test.for<{ asks: CallQuestion }>([
    { asks: { type: 'clarification', text: 'Which?', options: [] } },
    { asks: { type: 'form', title: 'Who', schema: {} } },
  ])('[Q10] a $asks.type gives its call an error', ({ asks }) => {
    const one = call('c', 'ask', { access: 'talk', asks });
    given(created({ limits }), chat('go'), replied('ses_1.4', '', [one]))
      .when(timeReached(effect(7)))
      .then(
        events(
          ...expired,
          {
            type: 'tool-settled',
            call: one.id,
            result: { type: 'error', code: 'expired', message: 'Nobody answered in time.' },
          },
          { type: 'model-call-intended', reserved: 8 },
        ),
        decisions({ type: 'call-model', effect: effect(11), attempt: 1 }),
      );
  });

  test('[Q10] a reply under review ends the turn', () => {
    given(created({ limits, mode: modes.supervised }), chat('go'), replied('ses_1.4', 'Hi.'))
      .when(timeReached(effect(7)))
      .then(
        events(...expired, {
          type: 'turn-ended',
          ending: {
            type: 'failed',
            code: 'reply-rejected',
            message: 'Nobody answered in time. The reply was not approved.',
          },
        }),
      );
  });

  test('[Q10] a call that may have run is reported as interrupted', () => {
    const unsure = call('u', 'look', { repeat: 'ask' });
    given(created({ limits }), chat('go'), replied('ses_1.4', '', [unsure]), {
      type: 'session-recovered',
      epoch: 2,
    })
      .when(timeReached(effect(9)))
      .then(
        events(
          { type: 'wait-ended', effect: effect(9) },
          { type: 'question-closed', question: question(8), reason: 'expired' },
          {
            type: 'tool-settled',
            call: unsure.id,
            result: {
              type: 'error',
              code: 'interrupted',
              message: 'This call was cut off and may or may not have taken effect. Nobody answered in time.',
            },
          },
          { type: 'model-call-intended', reserved: 23 },
        ),
        decisions({ type: 'call-model', effect: effect(13), attempt: 1 }),
      );
  });

  test('[Q10] a model call that was cut off too often ends the turn', () => {
    given(created({ limits }), chat('go'), { type: 'session-recovered', epoch: 2 })
      .when(timeReached(effect(7)))
      .then(
        events(
          ...expired,
          { type: 'model-settled', effect: effect(4), outcome: { type: 'cancelled', reason: 'cut off' } },
          {
            type: 'turn-ended',
            ending: {
              type: 'failed',
              code: 'crash-loop',
              message: 'Nobody answered in time. The call was not tried again.',
            },
          },
        ),
      );
  });

  test('[Q10] one timer closes all questions that are due and leaves answered ones alone', () => {
    const calls = [x, changingCall('y'), changingCall('z')];
    const { transition } = given(
      created({ limits }),
      chat('go'),
      replied('ses_1.4', '', calls),
      answered(question(6), { type: 'reject' }),
    ).when(timeReached(effect(7)));

    expect(transition.events.map(({ event }) => event.type)).toEqual([
      'wait-ended',
      'question-closed',
      'call-refused',
      'question-closed',
      'call-refused',
      'model-call-intended',
    ]);
  });
});

test('[Q1][P10] the newest closed questions are remembered, no more than are useful', () => {
  const limits = { rejections: 100, steps: 100 };
  let { state } = given(created({ mode: modes.supervised, limits }), chat('go'));
  for (let round = 0; round < 40; round += 1) {
    const asked = stepSoundly(state, replied(effect(state.seq), 'Hi.')).state;
    state = stepSoundly(asked, answered(question(asked.seq), 'reject')).state;
  }

  expect(state.closedQuestions.length).toBe(closedQuestionsKept);
  expect(state.closedQuestions.at(-1)).toEqual({
    id: question(state.seq - 2),
    by: system,
    at: 1_000_000,
    ending: 'reject',
  });
});

test.each<[string, QuestionSubject, Answer, boolean]>([
  ['an option that was offered', clarification, { type: 'option', option: 'a' }, true],
  ['an option that was not', clarification, { type: 'option', option: 'c' }, false],
  ['a text to a choice', clarification, { type: 'text', text: 'both' }, true],
  ['a refusal to choose', clarification, { type: 'reject' }, true],
  ['a yes to a choice', clarification, { type: 'allow-once' }, false],
  ['a form', form, { type: 'form', form: {} }, true],
  ['a yes to a form', form, { type: 'allow-once' }, false],
  ['a yes to a form elsewhere', formElsewhere, { type: 'allow-once' }, true],
  ['a permanent yes to a form elsewhere', formElsewhere, { type: 'allow-always' }, false],
  ['a refusal of a form', form, { type: 'reject' }, true],
])('[P3] an answer fits its question or not: %s', (_, subject, answer, fits) => {
  expect(isFittingAnswer(subject, answer)).toBe(fits);
});

test('[P3] an answer is worded as text', () => {
  const answers: readonly Answer[] = [
    { type: 'option', option: 'a' },
    { type: 'text', text: 'both' },
    { type: 'form', form: { a: 1 } },
    { type: 'reject' },
    { type: 'reject', reason: 'no time' },
    { type: 'allow-session' },
  ] as const;
  expect(answers.map(answerText)).toEqual([
    'a',
    'both',
    '{"a":1}',
    'The user declined to answer.',
    'no time',
    'yes',
  ]);
});
