import { describe, expect, test } from 'vitest';

import { decisions, effect, events, given, question, refusal, type GivenInput } from '../testing/given.ts';
import {
  answered,
  call,
  changingCall,
  chat,
  created,
  interrupted,
  modelFailed,
  recovered,
  replied,
  testUsage,
  timeReached,
  toolSettled,
} from '../testing/inputs.ts';
import type { Decision } from './decision.ts';
import type { Event } from './event.ts';
import { modes } from './mode.ts';
import { timeAt } from './time.ts';

const external = { name: 'outside', runs: 'external' } as const;
const graceEnds = 1_006_000;
const cancelled: Event = { type: 'turn-ended', ending: { type: 'cancelled' } };
const cancelling: Event = { type: 'turn-interrupted', ending: { type: 'cancelled' } };
const grace: Event = { type: 'wait-intended', why: 'cancel-grace', until: timeAt(graceEnds) };
const cancel = (seq: number, graceMs = 5000): Decision => ({ type: 'cancel', effect: effect(seq), graceMs });
const armed = (seq: number): Decision => ({ type: 'wait-until', effect: effect(seq), until: timeAt(graceEnds) });
const unstarted = 'The turn ended before this call was started.';
const cutOff = 'This call was cut off and may or may not have taken effect.';

interface Row {
  readonly name: string;
  readonly running: readonly GivenInput[];
  readonly happens: readonly Event[];
  readonly wanted: readonly Decision[];
}

const x = changingCall('x');
const u = call('u', 'look', { repeat: 'ask' });
const callsModel = [created(), chat('go')] as const;

/** Phases with nothing in flight end at once; the others wait for cancelled effects. */
const rows: readonly Row[] = [
  { name: 'an idle session', running: [created()], happens: [], wanted: [] },
  { name: 'a closed session', running: [created(), { type: 'closed' }], happens: [], wanted: [] },
  { name: 'a model call', running: callsModel, happens: [cancelling, grace], wanted: [cancel(4), armed(6)] },
  {
    name: 'an external agent',
    running: [created({ agent: external }), chat('go')],
    happens: [cancelling, grace],
    wanted: [cancel(4), armed(6)],
  },
  {
    name: 'two running calls and one that waits for its turn',
    running: [
      ...callsModel,
      replied('ses_1.4', '', [call('a'), call('b'), call('c', 'look', { order: 'exclusive' })]),
    ],
    happens: [
      { type: 'call-refused', call: call('c').id, code: 'interrupted', reason: unstarted },
      cancelling,
      grace,
    ],
    wanted: [cancel(6), cancel(7), armed(10)],
  },
  {
    name: 'a call that waits for approval',
    running: [...callsModel, replied('ses_1.4', '', [x])],
    happens: [
      { type: 'question-closed', question: question(6), reason: 'cancelled' },
      { type: 'call-refused', call: x.id, code: 'interrupted', reason: unstarted },
      cancelled,
    ],
    wanted: [],
  },
  {
    name: 'a call that may have run before a crash',
    running: [...callsModel, replied('ses_1.4', '', [u]), recovered],
    happens: [
      { type: 'question-closed', question: question(8), reason: 'cancelled' },
      { type: 'tool-settled', call: u.id, result: { type: 'error', code: 'interrupted', message: cutOff } },
      cancelled,
    ],
    wanted: [],
  },
  {
    name: 'a reply under review',
    running: [created({ mode: modes.supervised }), chat('go'), replied('ses_1.4', 'Hi.')],
    happens: [{ type: 'question-closed', question: question(6), reason: 'cancelled' }, cancelled],
    wanted: [],
  },
  {
    name: 'a pause after an error',
    running: [...callsModel, modelFailed('ses_1.4')],
    happens: [cancelled],
    wanted: [cancel(6, 0)],
  },
  {
    name: 'a question whether to call the model again',
    running: [created({ limits: { modelRepeats: 0 } }), chat('go'), recovered],
    happens: [
      { type: 'question-closed', question: question(6), reason: 'cancelled' },
      { type: 'model-settled', effect: effect(4), outcome: { type: 'cancelled', reason: 'cut off' } },
      cancelled,
    ],
    wanted: [],
  },
  {
    name: 'a question whether to prompt the agent again',
    running: [created({ agent: external, limits: { modelRepeats: 0 } }), chat('go'), recovered],
    happens: [
      { type: 'question-closed', question: question(6), reason: 'cancelled' },
      { type: 'agent-turn-settled', ending: { type: 'cancelled', reason: 'cut off' } },
      cancelled,
    ],
    wanted: [],
  },
  { name: 'what is being cancelled already', running: [...callsModel, interrupted], happens: [], wanted: [] },
];

describe('an interrupt', () => {
  test.for(rows)('[C6][P6][X1] ends $name', ({ running, happens, wanted }) => {
    given(...running)
      .when(interrupted)
      .then(events(...happens), decisions(...wanted));
  });

  test('[X1] keeps its reason', () => {
    given(...callsModel, modelFailed('ses_1.4'))
      .when({ type: 'interrupted', reason: 'lunch' })
      .then(
        events({ type: 'turn-ended', ending: { type: 'cancelled', reason: 'lunch' } }),
        decisions(cancel(6, 0)),
      );
  });
});

describe('cancel wins over a late result', () => {
  const disarmed = decisions(cancel(6, 0));

  test('[P6][X2] of a model: its words are kept, its calls are not made', () => {
    given(...callsModel, interrupted)
      .when(replied('ses_1.4', 'Let me look.', [call('a')]))
      .then(
        events(
          {
            type: 'model-settled',
            effect: effect(4),
            outcome: { type: 'cancelled', partial: 'Let me look.', usage: testUsage },
          },
          cancelled,
        ),
        disarmed,
      );
  });

  test('[P6][X2] of a model that failed', () => {
    given(...callsModel, interrupted)
      .when(modelFailed('ses_1.4'))
      .then(
        events({ type: 'model-settled', effect: effect(4), outcome: { type: 'cancelled' } }, cancelled),
        disarmed,
      );
  });

  test('[P6][X2] of an external agent', () => {
    given(created({ agent: external }), chat('go'), interrupted)
      .when({ type: 'agent-turn-settled', effect: effect(4), attempt: 1, outcome: { type: 'completed' } })
      .then(events({ type: 'agent-turn-settled', ending: { type: 'cancelled' } }, cancelled), disarmed);
  });

  test.for([
    { result: { type: 'success', output: 'all done' }, output: 'all done' },
    { result: { type: 'error', code: 'exit', message: 'exit 1' }, output: 'exit 1' },
    { result: { type: 'cancelled', output: 'half' }, output: 'half' },
  ] as const)('[P6][X2] of a tool: $result.type', ({ result, output }) => {
    given(...callsModel, replied('ses_1.4', '', [call('a')]), interrupted)
      .when(toolSettled('ses_1.6', result))
      .then(
        events({ type: 'tool-settled', call: call('a').id, result: { type: 'cancelled', output } }, cancelled),
        decisions(cancel(8, 0)),
      );
  });

  test('[P6][X2] the turn ends only when every effect has settled', () => {
    given(...callsModel, replied('ses_1.4', '', [call('a'), call('b')]), interrupted)
      .when(toolSettled('ses_1.6', { type: 'cancelled' }))
      .then(events({ type: 'tool-settled', call: call('a').id, result: { type: 'cancelled' } }))
      .when(toolSettled('ses_1.7', { type: 'cancelled' }))
      .then(
        events({ type: 'tool-settled', call: call('b').id, result: { type: 'cancelled' } }, cancelled),
        decisions(cancel(9, 0)),
      );
  });
});

const modelKilled: Event = {
  type: 'model-settled',
  effect: effect(4),
  outcome: {
    type: 'cancelled',
    reason: 'killed',
    usage: { inputTokens: 1, outputTokens: 0, estimated: true },
  },
};

describe('effects that hang', () => {
  const ended: Event = { type: 'wait-ended', effect: effect(6) };

  test('[X3] a model call counts as killed when the grace is over, and what was set aside for it as used', () => {
    const { state } = given(...callsModel, interrupted)
      .when(timeReached(effect(6)))
      .then(events(ended, modelKilled, cancelled));

    expect(state.usage.inputTokens).toBe(1);
  });

  test('[X3] so does an external agent', () => {
    given(created({ agent: external }), chat('go'), interrupted)
      .when(timeReached(effect(6)))
      .then(
        events(ended, { type: 'agent-turn-settled', ending: { type: 'cancelled', reason: 'killed' } }, cancelled),
      );
  });

  test('[X3] so do tools, each one on its own', () => {
    given(...callsModel, replied('ses_1.4', '', [call('a'), call('b')]), interrupted, toolSettled('ses_1.6'))
      .when(timeReached(effect(9)))
      .then(
        events(
          { type: 'wait-ended', effect: effect(9) },
          { type: 'tool-settled', call: call('b').id, result: { type: 'cancelled' } },
          cancelled,
        ),
      );
  });

  test('[R1] what a killed effect reports later is ignored', () => {
    given(...callsModel, interrupted, timeReached(effect(6)))
      .when(replied('ses_1.4', 'late'))
      .then(events());
  });
});

describe('the queue after an interrupt', () => {
  test('[X4] is paused, prompts that came in the meantime included', () => {
    const { state } = given(...callsModel, interrupted, chat('meanwhile'))
      .when(replied('ses_1.4', ''))
      .then(
        events(
          { type: 'model-settled', effect: effect(4), outcome: { type: 'cancelled', usage: testUsage } },
          cancelled,
        ),
        decisions(cancel(6, 0)),
      );

    expect(state.queue.paused).toBe(true);
  });

  test('[X4] is not paused when there is nothing in it', () => {
    expect(given(...callsModel, interrupted, replied('ses_1.4', '')).state.queue).toEqual({
      paused: false,
      prompts: [],
    });
  });
});

describe('closing', () => {
  const closed: Event = { type: 'session-closed' };

  test('[C16][X5] an idle session ends it and drops its queue', () => {
    const { state } = given(...callsModel, chat('next'), interrupted, replied('ses_1.4', ''))
      .when({ type: 'closed', reason: 'done' })
      .then(events({ type: 'session-closed', reason: 'done' }));

    expect({ phase: state.phase, queue: state.queue }).toEqual({
      phase: { type: 'closed' },
      queue: { paused: false, prompts: [] },
    });
  });

  test.for(rows.filter(({ happens }) => happens.includes(cancelled)))(
    '[C16][X5] closes at once what has nothing in flight: $name',
    ({ running, happens, wanted }) => {
      given(...running)
        .when({ type: 'closed' })
        .then(events(...happens, closed), decisions(...wanted));
    },
  );

  test.for(rows.filter(({ happens }) => happens.includes(cancelling)))(
    '[C16][X5] cancels first what is in flight: $name',
    ({ running, happens, wanted }) => {
      const thenClose = happens.map((event): Event =>
        event === cancelling ? { ...cancelling, thenClose: true } : event,
      );
      given(...running)
        .when({ type: 'closed' })
        .then(events(...thenClose), decisions(...wanted));
    },
  );

  test('[C16][X5] ends by the deadline though an effect ignores it', () => {
    given(...callsModel, chat('next'), { type: 'closed' })
      .when(timeReached(effect(7)))
      .then(events({ type: 'wait-ended', effect: effect(7) }, modelKilled, cancelled, closed));
  });

  test('[X5] while cancelling closes when that is done', () => {
    given(...callsModel, interrupted)
      .when({ type: 'closed' })
      .then(events({ ...cancelling, thenClose: true }))
      .when({ type: 'closed' })
      .then(events())
      .when(replied('ses_1.4', ''))
      .then(
        events(
          { type: 'model-settled', effect: effect(4), outcome: { type: 'cancelled', usage: testUsage } },
          cancelled,
          closed,
        ),
        decisions(cancel(6, 0)),
      );
  });

  const refused = refusal('closed', 'session ses_1 is closed; fork it to continue');
  const late: readonly GivenInput[] = [
    chat('more'),
    { type: 'task-received', calls: [call('a')], delivery: 'queue' },
    { type: 'queue-changed', change: { type: 'resumed' } },
    { type: 'mode-changed', mode: modes.batch },
    { type: 'agent-changed', agent: external },
    { type: 'policy-changed', rules: [] },
    { type: 'limits-changed', limits: {} },
  ];
  test.for(late)('[X6] is final: $type is refused', (input) => {
    given(created(), { type: 'closed' }).when(input).then(refused);
  });

  test('[X6] prompts are refused from the moment closing began', () => {
    given(...callsModel, { type: 'closed' })
      .when(chat('more'))
      .then(refused);
  });

  test('[X6] twice changes nothing', () => {
    given(created(), { type: 'closed' }).when({ type: 'closed' }).then(events());
  });
});

test('[X1] a question is not answered once its turn is being cancelled', () => {
  given(...callsModel, replied('ses_1.4', '', [call('a'), x]), interrupted)
    .when(answered(question(6), 'allow-once'))
    .then(refusal('conflict', `question ${question(6)} was cancelled by rondo already`));
});
