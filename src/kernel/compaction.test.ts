import { describe, expect, test } from 'vitest';

import { decisions, effect, events, given, question, refusal, stepSoundly, testTime } from '../testing/given.ts';
import {
  answered,
  call,
  chat,
  compactionRequested,
  created,
  interrupted,
  modelSettled,
  recovered,
  replied,
  reply,
  summary,
  summarySettled,
  summed,
  testAgent,
  testUsage,
  timeReached,
  toolSettled,
} from '../testing/inputs.ts';
import { system } from './actor.ts';
import { contextSize, newContext, tokenRatio, windowOf } from './context.ts';
import { evolve } from './evolve/evolve.ts';
import { defaultLimits } from './limits.ts';
import { modes } from './mode.ts';
import { optional } from './optional.ts';
import { timeAt } from './time.ts';

/** A window of 100 tokens, and a conversation past 80 % of it. */
const small = created({ limits: { contextTokens: 100 } });
const long = 'word '.repeat(80);
const usage = testUsage;

describe('a compaction that is asked for', () => {
  test('[C116][V3] is its own turn: a summary, then the new context, then its end', () => {
    given(created(), chat('hello'), replied(effect(4), 'Hi.'))
      .when(compactionRequested('the names'))
      .then(
        events(
          { type: 'prompt-received', request: { type: 'compact', keep: 'the names' }, delivery: 'queue' },
          { type: 'turn-started', prompt: 7 },
          { type: 'compaction-intended', why: 'asked', reserved: 4099 },
        ),
        decisions({ type: 'summarise', effect: effect(9), attempt: 1, why: 'asked', keep: 'the names' }),
      )
      .when(summed(effect(9), 8))
      .then(
        events(
          { type: 'compaction-settled', effect: effect(9), outcome: { type: 'completed', ...summary(8) }, usage },
          { type: 'turn-ended', ending: { type: 'completed' } },
        ),
      );
  });

  test('[C116][V1][V9] leaves a context that refers to it, and everything else as it was', () => {
    const before = given(
      created(),
      { type: 'worker-reported', report: { worker: 'wrk_1' as never, state: 'spawned' } },
      chat('hello'),
      replied(effect(5), 'Hi.'),
      compactionRequested(),
      chat('and then'),
    );
    const { state } = before.when(summed(effect(10), 9)).transition;

    expect(before.state.context).toEqual({ from: 1, messages: 2, tokens: 3 });
    expect(state.context).toEqual({ from: 9, messages: 2, tokens: 4, compaction: { seq: 12 } });
    expect(state.workers).toEqual(before.state.workers);
    expect(state.phase).toMatchObject({ type: 'turn', turn: { kind: 'chat' } });
  });

  test('[V3] waits its turn, and a prompt that steers does not join it', () => {
    const { state } = given(created(), compactionRequested(), chat('go on', 'steer'));

    expect(state.phase).toMatchObject({ type: 'turn', turn: { kind: 'compact', prompts: [2] } });
    expect(state.queue.prompts.map(({ seq }) => seq)).toEqual([5]);
  });

  test('[V3] is refused where no model answers', () => {
    given(created({ mode: modes['tool-only'] }))
      .when(compactionRequested())
      .then(refusal('invalid', 'mode tool-only has no model; send a task with a tool and its arguments'));
  });

  test('[V3] is refused where an external agent keeps its own context', () => {
    given(created({ agent: { name: 'outside', runs: 'external' } }))
      .when(compactionRequested())
      .then(
        refusal('invalid', "outside is an external agent and keeps its own context; Rondo can't summarize it."),
      );
  });

  test('[V3] that waited until the agent was an external one fails and reports it', () => {
    given(created(), chat('hello'), compactionRequested(), {
      type: 'agent-changed',
      agent: { name: 'outside', runs: 'external' },
    })
      .when(replied(effect(4), 'Hi.'))
      .then(
        events(
          { type: 'model-settled', effect: effect(4), outcome: reply('Hi.') },
          { type: 'turn-ended', ending: { type: 'completed' } },
          { type: 'turn-started', prompt: 5 },
          {
            type: 'turn-ended',
            ending: {
              type: 'failed',
              code: 'compaction-failed',
              message: "outside is an external agent and keeps its own context; Rondo can't summarize it.",
            },
          },
        ),
      );
  });

  test('[V6] that fails changes nothing, and its turn says why', () => {
    const before = given(created(), chat('hello'), replied(effect(4), 'Hi.'), compactionRequested());
    const after = before.when(summarySettled(effect(9), { type: 'failed', message: 'no answer' })).then(
      events(
        {
          type: 'compaction-settled',
          effect: effect(9),
          outcome: { type: 'failed', message: 'no answer' },
          usage,
        },
        {
          type: 'turn-ended',
          ending: { type: 'failed', code: 'compaction-failed', message: 'no answer' },
        },
      ),
    );

    expect(after.state.context).toEqual(before.state.context);
  });

  test('[V8] with nothing to summarize completes and changes nothing', () => {
    const before = given(created(), compactionRequested());
    const after = before.when(summarySettled(effect(4), { type: 'unneeded', message: 'nothing' })).then(
      events(
        {
          type: 'compaction-settled',
          effect: effect(4),
          outcome: { type: 'unneeded', message: 'nothing' },
          usage,
        },
        { type: 'turn-ended', ending: { type: 'completed' } },
      ),
    );

    expect(after.state.context).toEqual(before.state.context);
  });
});

describe('a context that comes close to the window', () => {
  test('[C117][V4] is summarized before the model call, and the turn continues', () => {
    given(small)
      .when(chat(long))
      .then(
        events(
          { type: 'prompt-received', request: { type: 'chat', text: long }, delivery: 'queue' },
          { type: 'turn-started', prompt: 2 },
          { type: 'compaction-intended', why: 'full', reserved: 4196 },
        ),
        decisions({ type: 'summarise', effect: effect(4), attempt: 1, why: 'full' }),
      )
      .when(summed(effect(4), 3))
      .then(
        events(
          { type: 'compaction-settled', effect: effect(4), outcome: { type: 'completed', ...summary(3) }, usage },
          { type: 'model-call-intended', reserved: 2 },
        ),
        decisions({ type: 'call-model', effect: effect(6), attempt: 1 }),
      );
  });

  test('[V4] is summarized once at a step boundary, whatever the outcome', () => {
    given(small, chat(long))
      .when(summarySettled(effect(4), { type: 'failed', message: 'no answer' }))
      .then(
        events(
          {
            type: 'compaction-settled',
            effect: effect(4),
            outcome: { type: 'failed', message: 'no answer' },
            usage,
          },
          { type: 'model-call-intended', reserved: 100 },
        ),
        decisions({ type: 'call-model', effect: effect(6), attempt: 1 }),
      );
  });

  test('[V4] is looked at again at every step', () => {
    const { state } = given(
      small,
      chat('look'),
      replied(effect(4), '', [call('a')]),
      toolSettled(effect(6), { type: 'success', output: long }),
    );

    expect(state.phase).toMatchObject({ turn: { activity: { type: 'compacting', why: 'full' }, steps: 1 } });
  });

  test('[V4] is left alone below the threshold, and where the window is not known', () => {
    const at = (limits: object) => given(created({ limits }), chat('x'.repeat(320))).state.phase;

    expect(at({ contextTokens: 101 })).toMatchObject({ turn: { activity: { type: 'calling-model' } } });
    expect(at({ contextTokens: 100 })).toMatchObject({ turn: { activity: { type: 'compacting' } } });
    expect(at({ contextTokens: 101, compactAt: 0.5 })).toMatchObject({
      turn: { activity: { type: 'compacting' } },
    });
    expect(at({})).toMatchObject({ turn: { activity: { type: 'calling-model' } } });
  });

  test('[V7] without budget for a summary ends at its limit and not in the middle of one', () => {
    const { state } = given(created({ limits: { contextTokens: 100, tokens: 90 } }), chat(long));

    expect(state.lastEnding?.ending).toMatchObject({ code: 'limit-tokens' });
  });
});

describe('a model that says the conversation is too long', () => {
  const tooLong = {
    type: 'failed',
    code: 'model-context-full',
    message: 'too long',
    retryable: false,
  } as const;

  test('[C117][V15] summarizes, pauses and asks again', () => {
    const summing = given(created(), chat('hello'))
      .when(modelSettled(effect(4), tooLong))
      .then(
        events(
          { type: 'model-settled', effect: effect(4), outcome: tooLong },
          { type: 'compaction-intended', why: 'full', reserved: 4098 },
        ),
        decisions({ type: 'summarise', effect: effect(6), attempt: 1, why: 'full' }),
      );
    const { state } = summing.when(summed(effect(6), 3)).transition;

    expect(state.phase).toMatchObject({ turn: { activity: { type: 'pausing' } } });
  });

  test('[C117][V15] again and again ends the turn like any error', () => {
    let { state } = given(created(), chat('hello'));
    for (let round = 0; round < 20 && state.phase.type === 'turn'; round += 1) {
      const { activity } = state.phase.turn;
      if (activity.type === 'calling-model')
        state = stepSoundly(state, modelSettled(activity.effect, tooLong)).state;
      if (activity.type === 'compacting') state = stepSoundly(state, summed(activity.effect, 3)).state;
      if (activity.type === 'pausing') state = stepSoundly(state, timeReached(activity.wait)).state;
    }

    expect(state.lastEnding?.ending).toEqual({ type: 'failed', code: 'model-context-full', message: 'too long' });
    expect(state.usage.steps).toBe(3);
  });
});

describe('the size of the context', () => {
  const usage60 = { inputTokens: 60, outputTokens: 5 };
  const counted = { ...reply('x'.repeat(40)), usage: usage60, contextTokens: 1000 };

  test('[C116][V2] is estimated until a provider has counted a request', () => {
    const { state } = given(created(), chat('x'.repeat(400)));

    expect(contextSize(state.context)).toBe(100);
    expect(state.context.counted).toBeUndefined();
  });

  test('[C116][V2] is what the provider counted, and an estimate of what came since', () => {
    const { state } = given(created(), chat('x'.repeat(400)), modelSettled(effect(4), counted));

    expect(state.context).toEqual({
      from: 1,
      messages: 2,
      tokens: 110,
      window: 1000,
      counted: { estimate: 100, input: 60 },
    });
    expect(contextSize(state.context)).toBe(70);
  });

  test('[C117][V2] newer messages are estimated in proportion to the last count', () => {
    const twice = { ...counted, usage: { inputTokens: 300, outputTokens: 5 }, sent: 150 };
    const { state } = given(created(), chat('x'.repeat(400)), modelSettled(effect(4), twice));

    expect(state.context.counted).toEqual({ estimate: 100, input: 300, sent: 150 });
    expect(contextSize(state.context)).toBe(300 + 2 * 10);
    const other = { name: 'tester', runs: 'model', model: 'another' } as const;
    const { state: changed } = given(created(), chat('x'.repeat(400)), modelSettled(effect(4), twice), {
      type: 'agent-changed',
      agent: other,
    });
    expect(changed.context.counted).toBeUndefined();
  });

  test('[P7][C117][V2] attachments are part of it', () => {
    const attachments = [{ name: 'a.txt', mediaType: 'text/plain', content: 'y'.repeat(4000) }];
    const { state } = given(created(), { ...chat('x'.repeat(400)), attachments });
    expect(contextSize(state.context)).toBe(1100);
  });

  test('[V2] stays an estimate where the provider counted less than could be', () => {
    const little = { ...counted, usage: { inputTokens: 24, outputTokens: 5 } };
    const { state } = given(created(), chat('x'.repeat(400)), modelSettled(effect(4), little));

    expect(state.context).toEqual({ from: 1, messages: 2, tokens: 110, window: 1000 });
  });

  test('[V2] is an estimate again where the provider gave one of ours', () => {
    const estimated = { ...counted, usage: { ...testUsage, estimated: true } };
    const { state } = given(created(), chat('x'.repeat(400)), modelSettled(effect(4), estimated));

    expect(state.context).toEqual({ from: 1, messages: 2, tokens: 110, window: 1000 });
  });
});

describe('a summary in flight', () => {
  const summing = () => given(small, chat(long));

  test('[V7] is cancelled by an interrupt, and cancel wins over a late result', () => {
    summing()
      .when(interrupted)
      .then(
        events(
          { type: 'turn-interrupted', ending: { type: 'cancelled' } },
          { type: 'wait-intended', why: 'cancel-grace', until: timeAt(testTime + 6000) },
        ),
        decisions(
          { type: 'cancel', effect: effect(4), graceMs: 5000 },
          { type: 'wait-until', effect: effect(6), until: timeAt(testTime + 6000) },
        ),
      )
      .when(summed(effect(4), 3))
      .then(
        events(
          { type: 'compaction-settled', effect: effect(4), outcome: { type: 'cancelled' }, usage },
          { type: 'turn-ended', ending: { type: 'cancelled' } },
        ),
        decisions({ type: 'cancel', effect: effect(6), graceMs: 0 }),
      );
  });

  test('[V7] that does not settle in time is killed and charged with what was set aside', () => {
    const { state } = given(small, chat(long), interrupted, timeReached(effect(6)));

    expect(state.phase.type).toBe('idle');
    expect(state.usage.inputTokens).toBe(4196);
    expect(state.context).toEqual({ from: 1, messages: 1, tokens: 100 });
  });

  test('[V7] is repeated after a crash, and its reservation is charged', () => {
    const after = summing()
      .when(recovered)
      .then(
        events(
          { type: 'session-recovered', epoch: 2 },
          { type: 'effect-repeated', effect: effect(4), attempt: 2 },
        ),
        decisions({ type: 'summarise', effect: effect(4), attempt: 2, why: 'full' }),
      );

    expect(after.state.usage.inputTokens).toBe(4196);
    expect(after.when(summed(effect(4), 3)).transition.events).toEqual([]);
    expect(after.when(summed(effect(4), 3, 2)).transition.state.context.compaction).toEqual({ seq: 7 });
  });

  test('[V7] that was cut off too often becomes a question; declined, the turn ends', () => {
    const asking = given(small, chat(long), recovered, recovered, recovered);

    expect(asking.state.questions).toMatchObject([{ about: { type: 'repeat', what: 'summary' } }]);
    expect(asking.state.context).toEqual({ from: 1, messages: 1, tokens: 100 });
    const declined = asking.when(answered(question(10), 'reject')).transition;
    expect(declined.events.map(({ event }) => event.type)).toEqual([
      'question-answered',
      'compaction-settled',
      'turn-ended',
    ]);
    const again = asking.when(answered(question(10), 'allow-once')).transition;
    expect(again.decisions).toEqual([{ type: 'summarise', effect: effect(4), attempt: 4, why: 'full' }]);
  });

  test('[V7] settles once: another effect or attempt is late and ignored', () => {
    expect(summing().when(summed(effect(3), 3)).transition.events).toEqual([]);
    expect(summing().when(summed(effect(4), 3, 2)).transition.events).toEqual([]);
  });

  test('[V7] never leaves out what came while it was made', () => {
    const busy = given(small, chat(long), {
      type: 'worker-reported',
      report: { worker: 'wrk_1' as never, state: 'completed', text: 'found it' },
    });
    const { events: caused, state } = busy.when(summed(effect(4), 6)).transition;

    expect(caused[0]?.event).toMatchObject({
      outcome: { type: 'failed', message: 'the summary would leave out events after 4' },
    });
    expect(state.context.from).toBe(1);
  });
});

describe('going back', () => {
  const before = given(
    created(),
    chat('one'),
    replied(effect(4), 'First.'),
    chat('two'),
    replied(effect(9), 'Second.'),
  );
  const context = { from: 1, messages: 2, tokens: 3 };

  test('[C119][V10] is an event: the conversation continues from an earlier one and nothing is taken away', () => {
    const after = before.when({ type: 'rewound', to: 6, context }).then(
      events({
        type: 'rewound',
        to: 6,
        context: { from: 12, messages: 2, tokens: 3, spans: [{ from: 1, to: 6 }] },
      }),
    );

    expect(after.state.context).toEqual({ from: 12, messages: 2, tokens: 3, spans: [{ from: 1, to: 6 }] });
    expect(after.state.usage).toEqual(before.state.usage);
  });

  test('[C119][V10] is undone by going back to just before it', () => {
    const rewound = before.when({ type: 'rewound', to: 6, context }).transition.state;
    const undone = given(
      created(),
      chat('one'),
      replied(effect(4), 'First.'),
      chat('two'),
      replied(effect(9), 'Second.'),
      { type: 'rewound', to: 6, context },
      { type: 'rewound', to: 11, context: before.state.context },
    ).state;

    expect(rewound.seq).toBe(12);
    expect(undone.context).toEqual({ ...before.state.context, from: 13, spans: [{ from: 1, to: 11 }] });
  });

  test('[C119][V10] is refused while a turn runs, when the session is closed, and to an event that is not there', () => {
    const rewind = (to: number) => ({ type: 'rewound', to, context }) as const;
    given(created(), chat('one'))
      .when(rewind(1))
      .then(
        refusal(
          'conflict',
          'session ses_1 is in the middle of a turn; wait for its end or interrupt it, then rewind',
        ),
      );
    given(created(), { type: 'closed' })
      .when(rewind(1))
      .then(refusal('closed', 'session ses_1 is closed; fork it to continue from an earlier point'));
    given(created())
      .when(rewind(2))
      .then(refusal('invalid', "session ses_1 has the events 1 to 1; 2 doesn't exist"));
  });

  test('[C119][V12] has checkpoints of files, and each is recorded', () => {
    const kept = { type: 'git', commit: 'c1', ref: 'refs/rondo/1' } as const;
    const checkpoint = { label: '3', at: testTime, root: '/work', kept };
    given(created(), chat('one'))
      .when({ type: 'checkpoint-taken', checkpoint })
      .then(events({ type: 'checkpoint-taken', checkpoint }));
  });
});

test('[C119][V11] a fork begins with where it continues from; queue, grants and usage are its own', () => {
  const context = { from: 1, messages: 2, tokens: 3, spans: [{ session: 'ses_0' as never, from: 1, to: 6 }] };
  const origin = { session: 'ses_0' as never, at: 6, context };
  const setup = { agent: testAgent, mode: modes.interactive, cwd: '/work' };
  const { state } = given({ type: 'session-requested', ...setup, origin });

  expect(state).toMatchObject({
    origin: { session: 'ses_0', at: 6 },
    context,
    grants: [],
    queue: { prompts: [] },
    usage: { turns: 0, inputTokens: 0 },
    phase: { type: 'idle' },
  });
});

test('[C117] the window is what the limits say, else what the model is known to have', () => {
  expect(windowOf({ ...newContext, window: 100 }, { ...defaultLimits, contextTokens: 50 })).toBe(50);
  expect(windowOf({ ...newContext, window: 100 }, defaultLimits)).toBe(100);
  expect(windowOf(newContext, defaultLimits)).toBeUndefined();
});

test('[C117] another agent with the same model keeps what the provider counted, and one with another model does not', () => {
  const counted = { estimate: 1, input: 5, sent: 2 };
  const state = { ...given(created()).state, context: { ...newContext, counted } };
  const after = (model: string | undefined) => {
    const agent = { name: 'b', runs: 'model' as const, ...optional({ model }) };
    return evolve(state, { seq: state.seq + 1, at: 1, by: system, event: { type: 'agent-changed', agent } })
      .context;
  };
  expect([after(undefined), after('other')]).toEqual([{ ...newContext, counted }, newContext]);
});

test('[C117] what a provider counted corrects the estimate by a factor of four at most', () => {
  const ratio = (input: number, sent?: number) =>
    tokenRatio({ counted: { estimate: 1, input, ...optional({ sent }) } });
  expect([ratio(1, 100), ratio(30, 100), ratio(300, 100), ratio(1000, 100)]).toEqual([0.25, 0.3, 3, 4]);
  expect([ratio(5), ratio(5, 0), tokenRatio({})]).toEqual([1, 1, 1]);
});
