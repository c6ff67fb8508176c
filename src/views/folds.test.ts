/** Properties of every view over any journal: random sessions are stepped through the kernel and folded. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { newContext } from '../kernel/context.ts';
import { effectsInFlight } from '../kernel/decide/end-turn.ts';
import type { Recorded } from '../kernel/event.ts';
import { effectIdOf, type WorkerId } from '../kernel/ids.ts';
import type { InputBody } from '../kernel/input.ts';
import { modes } from '../kernel/mode.ts';
import { newState, turnOf, type State } from '../kernel/state.ts';
import { deepFreeze, stepSoundly, testSession, testTime } from '../testing/given.ts';
import {
  call,
  changingCall,
  chat,
  created,
  interrupted,
  recovered,
  reply,
  task,
  testAgent,
} from '../testing/inputs.ts';
import { auditOf, auditWith, newAudit } from './audit.ts';
import { itemsBetween } from './persistent-list.ts';
import { statusOf } from './status.ts';
import type { Item } from './transcript-item.ts';
import { newTranscript, transcriptOf, transcriptWith, type Transcript } from './transcript.ts';
import { newUsage, usageOf, usageWith } from './usage.ts';

const folds = {
  transcript: { begin: newTranscript(testSession), with: transcriptWith },
  usage: { begin: newUsage(testSession), with: usageWith },
  audit: { begin: newAudit(testSession), with: auditWith },
};

const wholes = (events: readonly Recorded[]) => ({
  transcript: transcriptOf(testSession, events),
  usage: usageOf(testSession, events),
  audit: auditOf(testSession, events),
});

test('folding any prefix and then the rest is folding all, also when the prefix was stored in between', () => {
  fc.assert(
    fc.property(walks, fc.nat(), (walk, pick) => {
      const { events } = walked(walk);
      const cut = pick % (events.length + 1);
      expect({
        transcript: foldedAround(folds.transcript, events, cut),
        usage: foldedAround(folds.usage, events, cut),
        audit: foldedAround(folds.audit, events, cut),
      }).toEqual(wholes(events));
    }),
    { numRuns: 100 },
  );
});

test('folding never changes an earlier view', () => {
  fc.assert(
    fc.property(walks, (walk) => {
      const { events } = walked(walk);
      expect({
        transcript: frozenFold(folds.transcript, events),
        usage: frozenFold(folds.usage, events),
        audit: frozenFold(folds.audit, events),
      }).toEqual(wholes(events));
    }),
    { numRuns: 100 },
  );
});

test('the views agree with the state at every step', () => {
  fc.assert(
    fc.property(walks, (walk) => {
      const { steps } = walked(walk);
      let views = {
        transcript: newTranscript(testSession),
        usage: newUsage(testSession),
      };
      for (const { state, events } of steps) {
        for (const recorded of events) {
          views = {
            transcript: transcriptWith(views.transcript, recorded),
            usage: usageWith(views.usage, recorded),
          };
        }
        expect(views.usage.totals).toMatchObject(state.usage);
        expect(new Set(views.usage.calls.tasks.map(({ prompt }) => prompt))).toEqual(queuedTasks(state));
        expect(summaryOf(views.transcript)).toEqual(expectedSummary(state));
        const inFlight = effectsInFlight(turnOf(state) ?? idleTurn);
        expect(statusOf(state).doing.map(({ effect }) => effect)).toEqual(expect.arrayContaining([...inFlight]));
      }
    }),
    // An agent's turn that is interrupted twice and not retried.
    { numRuns: 100, examples: [[[41247, 0, 175777, 818509, 0, 0, 0, 115905, 0]]] },
  );
});

test('items are in the order of their ids, and a fold that begins later has the same ones', () => {
  fc.assert(
    fc.property(walks, fc.nat(), (walk, pick) => {
      const { events } = walked(walk);
      const ids = itemsIn(transcriptOf(testSession, events)).map(({ id }) => id);
      const order = ids.map((id) => id.split('.').map(Number)).map(([seq = 0, index = 0]) => seq * 1000 + index);
      expect(order).toEqual([...new Set(order)].toSorted((a, b) => a - b));
      const late = wholes(events.slice(pick % (events.length + 1)));
      // A partial fold can't know whether a report is the first of its kind.
      const items = itemsIn(late.transcript).filter(
        ({ type }) => !['worker', 'agent-call', 'agent-plan'].includes(type),
      );
      for (const { id } of items) expect(ids).toContain(id);
    }),
    { numRuns: 100 },
  );
});

interface Fold<View> {
  readonly begin: View;
  readonly with: (view: View, recorded: Recorded) => View;
}

function foldedAround<View>(fold: Fold<View>, events: readonly Recorded[], cut: number): View {
  const before = events.slice(0, cut).reduce(fold.with, fold.begin);
  const stored = { ...before, ...(JSON.parse(JSON.stringify(before)) as View) };
  return events.slice(cut).reduce(fold.with, stored);
}

function frozenFold<View>(fold: Fold<View>, events: readonly Recorded[]): View {
  return events.reduce<View>((view, recorded) => deepFreeze(fold.with(view, recorded)), deepFreeze(fold.begin));
}

const itemsIn = ({ items }: Transcript): readonly Item[] => itemsBetween(items, 0, items.length);

/** Everything the transcript shows as open. */
function summaryOf(transcript: Transcript) {
  const items = itemsIn(transcript);
  return {
    waiting: transcript.waiting.map(({ seq, request }) => ({ seq, request })),
    writing: transcript.writing?.effect,
    questions: items.flatMap((item) =>
      item.type === 'question' && item.state.type === 'open' ? [item.question] : [],
    ),
    calls: items.flatMap((item) =>
      item.type === 'call' && isOpen(item.state.type) ? [[item.call, item.state.type]] : [],
    ),
    endings: items.filter(({ type }) => type === 'ending').length,
  };
}

function expectedSummary(state: State): ReturnType<typeof summaryOf> {
  const turn = turnOf(state);
  const activity = turn?.activity;
  const modelCall = activity?.type === 'asking-repeat' ? activity.of : activity;
  return {
    waiting: state.queue.prompts.map(({ seq, request }) => ({ seq, request })),
    writing: modelCall?.type === 'calling-model' ? modelCall.effect : undefined,
    questions: state.questions.map(({ id }) => id),
    calls:
      activity?.type !== 'running-calls'
        ? []
        : activity.calls.flatMap((progress) =>
            progress.type === 'settled' ? [] : [[progress.call.id, phases[progress.type]]],
          ),
    endings: state.usage.turns - (turn === undefined ? 0 : 1),
  };
}

function queuedTasks({ queue }: State): ReadonlySet<number> {
  return new Set(queue.prompts.filter(({ request }) => request.type === 'task').map(({ seq }) => seq));
}

const phases = {
  planned: 'planned',
  granted: 'planned',
  asking: 'asking',
  unsure: 'asking',
  running: 'running',
} as const;
const isOpen = (type: string): boolean => type === 'planned' || type === 'asking' || type === 'running';
const idleTurn = { activity: { type: 'ready' } } as NonNullable<ReturnType<typeof turnOf>>;

interface Walked {
  readonly events: readonly Recorded[];
  readonly steps: readonly { readonly state: State; readonly events: readonly Recorded[] }[];
}

/** Numbers that choose, at each step, among the inputs that are valid in the current state. */
const walks = fc.array(fc.nat({ max: 1_000_000 }), { minLength: 5, maxLength: 80 });

function walked(walk: readonly number[]): Walked {
  let state = newState(testSession);
  const steps = walk.map((pick, index) => {
    const transition = stepSoundly(state, { ...inputFor(state, pick), at: testTime + index * 700 });
    state = transition.state;
    return transition;
  });
  return { steps, events: steps.flatMap(({ events }) => events) };
}

function inputFor(state: State, pick: number): InputBody {
  const inputs =
    state.phase.type === 'new'
      ? beginnings
      : [...goingOn(state), ...goingOn(state), ...goingOn(state), ...anyTime(state)];
  return inputs[pick % inputs.length] ?? interrupted;
}

const external = { name: 'codex', runs: 'external' } as const;
const beginnings: readonly InputBody[] = [
  created(),
  created({
    agent: { ...testAgent, model: 'm1' },
    limits: { modelRepeats: 0, questionExpiryMs: 900, wallTimeMs: 20_000 },
  }),
  created({ mode: modes.supervised, limits: { recoveries: 1, errorsInRow: 2 } }),
  created({ agent: external, limits: { modelRepeats: 1 } }),
];
const calls = [
  call('a'),
  call('c', 'send', { repeat: 'ask' }),
  call('d', 'job', { runs: 'job' }),
  changingCall('b'),
];
const questions = [
  call('a', 'ask', { access: 'talk', asks: { type: 'clarification', text: 'Which?', options: ['x'] } }),
  call('b'),
];

function anyTime(state: State): readonly InputBody[] {
  const prompt = state.queue.prompts[0]?.seq ?? 0;
  return [
    chat('more'),
    chat('this way', 'steer'),
    task(...calls),
    { type: 'compaction-requested', keep: 'names' },
    { type: 'rewound', to: 1, context: newContext },
    interrupted,
    recovered,
    recovered,
    { type: 'queue-changed', change: { type: 'edited', prompt, text: 'edited' } },
    { type: 'queue-changed', change: { type: 'moved', prompt, to: 1 } },
    { type: 'queue-changed', change: { type: 'removed', prompt } },
    { type: 'queue-changed', change: { type: 'cleared' } },
    { type: 'queue-changed', change: { type: 'resumed' } },
    { type: 'agent-changed', agent: state.agent.runs === 'external' ? testAgent : external },
    { type: 'mode-changed', mode: state.mode.name === 'supervised' ? modes.interactive : modes.supervised },
    { type: 'worker-reported', report: { worker: 'wrk_1' as WorkerId, state: 'progressed', text: 'half' } },
    { type: 'worker-reported', report: { worker: 'wrk_1' as WorkerId, state: 'completed' } },
    ...state.waits.map(({ effect }): InputBody => ({ type: 'time-reached', effect })),
    ...(state.seq > 150 ? [{ type: 'closed' } as const] : []),
  ];
}

function goingOn(state: State): readonly InputBody[] {
  const answers = state.questions.flatMap(({ id, about }): readonly InputBody[] => [
    { type: 'question-answered', question: id, answer: { type: 'reject', reason: 'no' } },
    {
      type: 'question-answered',
      question: id,
      answer: about.type === 'clarification' ? { type: 'option', option: 'x' } : { type: 'allow-once' },
    },
  ]);
  const activity = turnOf(state)?.activity;
  switch (activity?.type) {
    case 'calling-model': {
      const { effect, attempt } = activity;
      const settled = { type: 'model-settled', effect, attempt } as const;
      return [
        { ...settled, outcome: reply('Done.') },
        { ...settled, outcome: reply('', calls) },
        { ...settled, outcome: reply('Hm.', questions) },
        {
          ...settled,
          outcome: { type: 'failed', code: 'model-unavailable', message: 'busy', retryable: true, partial: 'Ha' },
        },
        {
          ...settled,
          outcome: { type: 'timed-out', message: 'silence', usage: { inputTokens: 3, outputTokens: 0 } },
        },
      ];
    }
    case 'understanding': {
      const { effect, attempt } = activity;
      const settled = { type: 'prompt-understood', effect, attempt } as const;
      const usage = { inputTokens: 2, outputTokens: 1 };
      return [
        { ...settled, outcome: { type: 'understood', meaning: { intent: 'x' }, usage, model: 'small' } },
        { ...settled, outcome: { type: 'unclear', problem: 'no answer' } },
      ];
    }
    case 'compacting': {
      const { effect, attempt } = activity;
      const settled = {
        type: 'summary-settled',
        effect,
        attempt,
        usage: { inputTokens: 7, outputTokens: 2 },
      } as const;
      const rest = { from: 1, messages: 1, tokens: 2 };
      const kept = { constraints: [], open: [], files: [] };
      return [
        { ...settled, outcome: { type: 'completed', summary: 'So far.', kept, rest } },
        { ...settled, outcome: { type: 'failed', message: 'no answer', rest } },
      ];
    }
    case 'prompting-agent': {
      const { effect, attempt } = activity;
      const reported = { type: 'agent-reported', effect, attempt } as const;
      return [
        { ...reported, report: { type: 'message', text: 'Hm.' } },
        { ...reported, report: { type: 'tool-call', call: 'x', state: 'pending' } },
        { ...reported, report: { type: 'tool-call', call: 'x', state: 'completed' } },
        { ...reported, report: { type: 'plan', entries: [] } },
        { ...reported, report: { type: 'usage', usage: { inputTokens: 2, outputTokens: 1, cost: 0.25 } } },
        { type: 'agent-turn-settled', effect, attempt, outcome: { type: 'completed' } },
        {
          type: 'agent-turn-settled',
          effect,
          attempt,
          outcome: { type: 'failed', code: 'agent-failed', message: 'crashed' },
        },
      ];
    }
    case 'running-calls': {
      const settled = activity.calls.flatMap((progress): readonly InputBody[] => {
        if (progress.type !== 'running') return [];
        const { effect, attempt } = progress;
        return [
          { type: 'tool-settled', effect, attempt, result: { type: 'success', output: 'ok' } },
          {
            type: 'tool-settled',
            effect,
            attempt,
            result: { type: 'error', code: 'disk', message: 'full', fault: true },
          },
        ];
      });
      return [...answers, ...settled];
    }
    case 'pausing':
      return [{ type: 'time-reached', effect: activity.wait }];
    case 'reviewing-reply':
    case 'clarifying':
    case 'asking-loop':
    case 'asking-repeat':
      return answers;
    case 'ready':
    case 'replied':
    case undefined:
      return [chat('go'), { type: 'time-reached', effect: effectIdOf(testSession, 1) }];
  }
}
