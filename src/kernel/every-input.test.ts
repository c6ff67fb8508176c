/**
 * Random walks: every phase meets every kind of input, sensible or not, and each step is checked against all
 * invariants. A failure prints its seed and path. RONDO_SEED chooses another walk, RONDO_WALKS more of them.
 */
import assert from 'node:assert/strict';

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { stepSoundly, testSession, testTime, type GivenInput } from '../testing/given.ts';
import { call, reply, testAgent, testUsage } from '../testing/inputs.ts';
import type { Actor } from './actor.ts';
import type { AgentRequest } from './agent-request.ts';
import type { AgentSetting, SettingOutcome } from './agent-setting.ts';
import type { Call, CallFacts, DescribedCall } from './call.ts';
import { extend, newConversation, type Conversation } from './conversation/conversation.ts';
import type { FileCheckpoint } from './checkpoint.ts';
import { newContext, type SummaryOutcome } from './context.ts';
import type { Decision } from './decision.ts';
import { effectsInFlight } from './decide/end-turn.ts';
import type { Recorded } from './event.ts';
import { evolve } from './evolve/evolve.ts';
import {
  effectIdOf,
  type BlobHash,
  type CallId,
  type EffectId,
  type QuestionId,
  type SessionId,
  type WorkerId,
} from './ids.ts';
import type { InputBody, ModelOutcome, SessionSetup, Understanding } from './input.ts';
import type { Limits } from './limits.ts';
import type { Meaning } from './meaning.ts';
import type { Message } from './message.ts';
import { modes, type Mode } from './mode.ts';
import type { ToolResult } from './outcome.ts';
import type { QueueChange } from './prompt.ts';
import type { Answer } from './question.ts';
import type { AgentReport, WorkerReport } from './report.ts';
import type { Rule } from './rule.ts';
import { newState, turnOf, type State } from './state.ts';
import type { Transition } from './decide/step.ts';
import type { LivenessVerdict } from './verdict.ts';
import { timeAt } from './time.ts';

type InputType = InputBody['type'];

/** How often a walk chooses each kind of input when it doesn't just proceed. */
const inputWeights: Record<InputType, number> = {
  'session-requested': 1,
  'prompt-received': 4,
  'task-received': 2,
  'compaction-requested': 4,
  'queue-changed': 3,
  'question-answered': 3,
  interrupted: 3,
  'agent-changed': 2,
  'agent-setting-chosen': 3,
  'agent-setting-settled': 2,
  'title-changed': 1,
  'mode-changed': 3,
  'policy-changed': 2,
  'limits-changed': 2,
  'worker-reported': 2,
  'verdict-reached': 2,
  closed: 1,
  'files-saved': 1,
  'place-moved': 1,
  'push-settled': 1,
  rewound: 2,
  'checkpoint-taken': 1,
  'restore-requested': 2,
  'restore-prepared': 1,
  'restore-settled': 1,
  'summary-settled': 2,
  'model-settled': 2,
  'prompt-understood': 2,
  'tool-settled': 2,
  'tool-asked': 3,
  'job-settled': 2,
  'agent-reported': 2,
  'agent-asked': 3,
  'agent-withdrew': 1,
  'agent-turn-settled': 2,
  'time-reached': 4,
  'session-recovered': 8,
  'session-imported': 1,
  'session-continued': 2,
};
const inputTypes = Object.keys(inputWeights) as readonly InputType[];

/** The situations between steps. */
const situations = [
  'new',
  'idle',
  'idle, paused',
  'calling-model',
  'understanding',
  'clarifying',
  'prompting-agent',
  'reviewing-reply',
  'pausing',
  'asking-repeat',
  'running-calls, running',
  'running-calls, asking',
  'running-calls, unsure',
  'cancelling, calling-model',
  'cancelling, understanding',
  'compacting',
  'cancelling, compacting',
  'cancelling, prompting-agent',
  'cancelling, running-calls',
  'restoring',
  'restoring, kept',
  'closed',
] as const;
type Situation = (typeof situations)[number];

const seed = Number(process.env['RONDO_SEED'] ?? 20_261_115);
const walks = Number(process.env['RONDO_WALKS'] ?? 200);

test(
  '[C2][C124][I1][I2][I3][I4][I5][I6][I7][I8][I9][I10][I11][I12] every phase meets every input and stays sound',
  () => {
    const met = new Map<string, number>();
    const samples = new Map<Situation, State[]>();
    const see = (state: State, type: InputType) => {
      const situation = situationOf(state);
      met.set(`${situation} × ${type}`, (met.get(`${situation} × ${type}`) ?? 0) + 1);
      const kept = samples.get(situation) ?? [];
      if (kept.length < 4) samples.set(situation, [...kept, state]);
    };

    fc.assert(
      fc.property(setups, fc.array(moves, { minLength: 10, maxLength: 60, size: 'max' }), (setup, walk) => {
        const witness = createWitness();
        let state = newState(testSession);
        for (const [index, move] of [{ ...firstMove, setup }, ...walk].entries()) {
          const input = { ...inputFor(state, move), at: testTime + index * 500, by: move.by };
          see(state, input.type);
          const transition = stepTwice(state, input);
          witness.saw(state, transition);
          state = transition.state;
        }
      }),
      { seed, numRuns: walks, endOnFailure: true },
    );

    // Every sampled state meets every input once more, valid and stray.
    for (const state of [...samples.values()].flat()) {
      for (const type of inputTypes) {
        for (const isStray of [false, true]) {
          see(state, type);
          const input = inputFor(state, { ...firstMove, type, isStray });
          situationOf(stepTwice(state, { ...input, at: testTime + 60_000, by: person }).state);
        }
      }
    }

    const missing = situations.flatMap((situation) =>
      inputTypes.map((type) => `${situation} × ${type}`).filter((cell) => !met.has(cell)),
    );
    expect(missing).toEqual([]);
  },
  60_000 + walks * 100,
);

function situationOf(state: State): Situation {
  const { phase } = state;
  const activity = turnOf(state)?.activity;
  switch (phase.type) {
    case 'new':
    case 'closed':
      return phase.type;
    case 'idle':
      return state.queue.paused ? 'idle, paused' : 'idle';
    case 'restoring':
      return phase.restore.before === undefined ? 'restoring' : 'restoring, kept';
    case 'cancelling':
    case 'turn':
      break;
  }
  const name =
    activity?.type === 'running-calls' && phase.type === 'turn' ? foremost(activity.calls) : activity?.type;
  const situation = phase.type === 'cancelling' ? `cancelling, ${name}` : name;
  const known = situations.find((one) => one === situation);
  if (known === undefined) throw new Error(`A session came to rest in a situation nobody knows: ${situation}`);
  return known;
}

function foremost(calls: readonly { readonly type: string }[]): string {
  const types = new Set(calls.map(({ type }) => type));
  return `running-calls, ${['unsure', 'asking', 'running'].find((type) => types.has(type))}`;
}

/** Steps twice from the same frozen state and compares the transitions. */
function stepTwice(state: State, input: GivenInput): Transition {
  const transition = stepSoundly(state, input);
  assert.deepStrictEqual(stepSoundly(state, input), transition);
  const { refusal } = transition;
  if (refusal !== undefined) assert.deepStrictEqual(transition, { state, events: [], decisions: [], refusal });
  return transition;
}

interface Witness {
  saw(before: State, transition: Transition): void;
}

/** Follows one session from its first event and checks properties over time. */
function createWitness(): Witness {
  let replayed = newState(testSession);
  const conversation = newConversation(testSession);
  const ledger = createLedger();
  let requestLength: number | undefined;
  return {
    saw(before, { state, events, decisions }) {
      const inFlight = new Set(ledger.open());
      for (const wait of before.waits) inFlight.add(wait.effect);
      const wasCalling = turnOf(before)?.activity.type === 'calling-model';
      for (const recorded of events) {
        const stored = JSON.parse(JSON.stringify(recorded)) as Recorded;
        assert.deepStrictEqual(stored, recorded);
        assert.equal(stored.seq, replayed.seq + 1);
        replayed = evolve(replayed, stored);
        ledger.saw(stored);
        extend(conversation, stored);
        if (stored.event.type.endsWith('-intended')) inFlight.add(effectIdOf(state.id, stored.seq));
      }
      assert.deepStrictEqual(replayed, state);
      checkDecisions(state, { events, decisions, inFlight, ledger });
      assert.equal(wellFormedProblem(conversation, state), undefined);
      const isCalled = decisions.some(({ type }) => type === 'call-model');
      if (!isCalled && wasCalling && turnOf(state)?.activity.type === 'calling-model') {
        assert.equal(conversation.messages.length, requestLength, 'a request under way does not change');
      }
      if (isCalled) {
        requestLength = conversation.messages.length;
        assert.notEqual(
          conversation.messages.at(-1)?.role,
          'assistant',
          'a request ends with something to answer',
        );
      }
    },
  };
}

interface Ledger {
  saw(recorded: Recorded): void;
  open(): readonly EffectId[];
  /** Whether this attempt starts for the first time. */
  isFirstStart(effect: EffectId, attempt: number): boolean;
}

/** Checks that every intended effect settles exactly once, at the latest with its turn. */
function createLedger(): Ledger {
  const unsettled = new Map<EffectId, CallId | 'model' | 'agent' | 'summary' | 'files'>();
  const starts = new Set<string>();
  const settle = (what: string, matches: (effect: EffectId, of: string) => boolean) => {
    const found = [...unsettled].filter(([effect, of]) => matches(effect, of));
    expect(found.length, `settlements for ${what}`).toBe(1);
    for (const [effect] of found) unsettled.delete(effect);
  };
  return {
    saw({ event, seq }) {
      const effect = effectIdOf(testSession, seq);
      switch (event.type) {
        case 'model-call-intended':
          unsettled.set(effect, 'model');
          return;
        case 'understanding-intended':
          unsettled.set(effect, 'model');
          return;
        case 'compaction-intended':
          unsettled.set(effect, 'summary');
          return;
        case 'compaction-settled':
          return settle(event.effect, (open) => open === event.effect);
        case 'restore-intended':
          unsettled.set(effect, 'files');
          return;
        case 'checkpoint-taken':
          if (event.effect !== undefined) expect([...unsettled.keys()]).toContain(event.effect);
          return;
        case 'files-restored':
        case 'restore-failed':
          return settle('the restore', (_, of) => of === 'files');
        case 'turn-started':
          expect([...unsettled]).toEqual([]);
          return;
        case 'agent-turn-intended':
          unsettled.set(effect, 'agent');
          return;
        case 'tool-run-intended':
        case 'job-intended':
          unsettled.set(effect, event.call);
          return;
        case 'model-settled':
        case 'prompt-understood':
          return settle(event.effect, (open) => open === event.effect);
        case 'agent-turn-settled':
          return settle('the agent turn', (_, of) => of === 'agent');
        case 'tool-settled':
          // a question to a person, or a call with a problem, has a result without an effect
          if ([...unsettled.values()].includes(event.call)) settle(event.call, (_, of) => of === event.call);
          return;
        case 'effect-repeated':
          expect([...unsettled.keys()]).toContain(event.effect);
          return;
        case 'turn-ended':
          expect([...unsettled]).toEqual([]);
          return;
        default:
          return;
      }
    },
    open: () => [...unsettled.keys()],
    isFirstStart(effect, attempt) {
      const start = `${effect}#${attempt}`;
      const isFirst = !starts.has(start);
      starts.add(start);
      return isFirst;
    },
  };
}

interface Happened {
  readonly events: readonly Recorded[];
  readonly decisions: readonly Decision[];
  readonly inFlight: ReadonlySet<EffectId>;
  readonly ledger: Ledger;
}

function checkDecisions(state: State, { events, decisions, inFlight, ledger }: Happened): void {
  const intended = new Set(
    events.flatMap(({ event, seq }) => {
      if (event.type === 'effect-repeated') return [`${event.effect}#${event.attempt}`];
      return event.type.endsWith('-intended') ? [`${effectIdOf(state.id, seq)}#1`] : [];
    }),
  );
  for (const decision of decisions) {
    switch (decision.type) {
      case 'call-model':
      case 'understand':
      case 'summarise':
      case 'run-tool':
      case 'start-job':
      case 'prompt-agent':
        expect(intended, 'intent before effect').toContain(`${decision.effect}#${decision.attempt}`);
        expect(ledger.isFirstStart(decision.effect, decision.attempt), `${decision.effect} starts once`).toBe(
          true,
        );
        break;
      case 'restore-files': {
        const kept = events.some(
          ({ event }) => event.type === 'checkpoint-taken' && event.effect === decision.effect,
        );
        const key = `${decision.effect}#${decision.attempt}`;
        if (!kept) expect(intended, 'intent before effect').toContain(key);
        expect(decision.before, 'nothing changes before it is kept').toEqual(
          state.phase.type === 'restoring' ? state.phase.restore.before : 'restoring',
        );
        break;
      }
      case 'ask':
        expect(state.questions).toContainEqual(decision.question);
        break;
      case 'wait-until': {
        const isDisarmed = decisions.some(
          ({ type, ...rest }) => type === 'cancel' && 'effect' in rest && rest.effect === decision.effect,
        );
        if (!isDisarmed) expect(state.waits.map(({ effect }) => effect)).toContain(decision.effect);
        break;
      }
      case 'answer-agent':
      case 'answer-tool':
        expect(inFlight).toContain(decision.effect);
        break;
      case 'set-agent':
        expect(state.agentSettings?.chosen).toContainEqual({ setting: decision.setting, effect: decision.effect });
        break;
      case 'cancel':
        expect(inFlight).toContain(decision.effect);
        expect(decisions.some((other) => isStart(other) && other.effect === decision.effect)).toBe(false);
        break;
    }
  }
  const turn = turnOf(state);
  if (turn === undefined) return;
  const running = effectsInFlight(turn);
  expect(running.length).toBeLessThanOrEqual(Math.max(1, 10));
  expect(new Set(running).size).toBe(running.length);
}

function isStart(
  decision: Decision,
): decision is Exclude<Extract<Decision, { attempt: number }>, { type: 'answer-agent' }> {
  return 'attempt' in decision && decision.type !== 'answer-agent';
}

/** Providers require that each call of a reply is answered once, directly after it. */
function wellFormedProblem({ messages }: Conversation, state: State): string | undefined {
  const activity = turnOf(state)?.activity;
  const open = new Set<CallId>(
    activity?.type === 'running-calls'
      ? activity.calls.flatMap((progress) => (progress.type === 'settled' ? [] : [progress.call.id]))
      : [],
  );
  let awaited = new Set<CallId>();
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!awaited.delete(message.call)) return `message ${index} answers ${message.call}, which is not awaited`;
      continue;
    }
    if (awaited.size > 0) return `message ${index} stands before the results of ${[...awaited].join(', ')}`;
    if (message.role === 'assistant') {
      if (isEmpty(message)) return `message ${index} is an empty answer`;
      awaited = new Set(message.calls.map(({ id }) => id));
    }
  }
  const unanswered = [...awaited].filter((id) => !open.has(id));
  return unanswered.length === 0 ? undefined : `no result for ${unanswered.join(', ')}`;
}

function isEmpty(message: Extract<Message, { role: 'assistant' }>): boolean {
  return message.text === '' && message.calls.length === 0;
}

interface Move {
  /** Undefined: whatever makes progress. */
  readonly type: InputType | undefined;
  /** Names an effect, attempt, question or prompt that doesn't exist. */
  readonly isStray: boolean;
  readonly by: Actor;
  readonly pick: number;
  readonly calls: readonly Call[];
  readonly setup: SessionSetup;
}

const person: Actor = { type: 'person', name: 'ann' };

const callFacts: fc.Arbitrary<Partial<CallFacts>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  { weight: 4, arbitrary: fc.constant({ access: 'write', repeat: 'never', order: 'exclusive' } as const) },
  { weight: 3, arbitrary: fc.constant({ access: 'execute', repeat: 'ask' } as const) },
  { weight: 2, arbitrary: fc.constant({ repeat: 'ask', order: 'exclusive' } as const) },
  { weight: 2, arbitrary: fc.constant({ runs: 'job' } as const) },
  { weight: 1, arbitrary: fc.constant({ problem: { code: 'bad-arguments', message: 'no such file' } }) },
  {
    weight: 2,
    arbitrary: fc.constant({
      access: 'talk',
      asks: { type: 'clarification', text: 'Which?', options: ['a', 'b'] },
    } as const),
  },
  {
    weight: 1,
    arbitrary: fc.constant({ access: 'talk', asks: { type: 'form', title: 'Who', schema: {} } } as const),
  },
  {
    weight: 1,
    arbitrary: fc.constant({ paths: [{ path: '/etc/passwd', access: 'read', inside: false }] } as const),
  },
  {
    weight: 1,
    arbitrary: fc.constant({ dangers: [{ rule: 'rm', severity: 'ask', reason: 'It deletes.' }] } as const),
  },
);

const callNames = ['a', 'b', 'c', 'd', 'e'] as const;

const someCalls: fc.Arbitrary<readonly Call[]> = fc
  .array(
    fc.record({
      facts: callFacts,
      tool: fc.constantFrom('look', 'change', 'speak'),
      after: fc.option(fc.subarray([...callNames, 'unknown'], { maxLength: 2 }), { freq: 3 }),
      priority: fc.option(fc.integer({ min: -1, max: 1 }), { freq: 4 }),
      isDoubled: fc.integer({ min: 0, max: 40 }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((list) =>
    list.map(({ facts, tool, after, priority, isDoubled }, index) =>
      call(isDoubled === 0 ? 'a' : (callNames[index] ?? 'a'), tool, facts, {
        ...(after !== null && { after: after as CallId[] }),
        ...(priority !== null && { priority }),
      }),
    ),
  );

const ownMode: Mode = { ...modes.interactive, name: 'own', asks: 'nobody', calls: 'every', replies: 'reviewed' };
const someModes: readonly Mode[] = [...Object.values(modes), ownMode];

const someLimits: fc.Arbitrary<Partial<Limits>> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({}) },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        steps: fc.integer({ min: 0, max: 6 }),
        toolCalls: fc.integer({ min: 0, max: 6 }),
        rejections: fc.integer({ min: 1, max: 3 }),
        denials: fc.integer({ min: 1, max: 3 }),
        errorsInRow: fc.integer({ min: 1, max: 3 }),
        queuedPrompts: fc.integer({ min: 0, max: 3 }),
        callsInFlight: fc.integer({ min: 0, max: 2 }),
        modelRepeats: fc.integer({ min: 0, max: 1 }),
        recoveries: fc.integer({ min: 0, max: 3 }),
        tokens: fc.integer({ min: 1, max: 200 }),
        cost: fc.integer({ min: 1, max: 20 }).map((thousandths) => thousandths / 1000),
        wallTimeMs: fc.integer({ min: 0, max: 10_000 }),
        questionExpiryMs: fc.integer({ min: 0, max: 2000 }),
        maxOutputTokens: fc.integer({ min: 1, max: 100 }),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  },
);

const someRules: readonly (readonly Rule[])[] = [
  [],
  [{ verdict: 'allow', tool: '*', origin: 'user' }],
  [{ verdict: 'ask', tool: 'look', origin: 'project' }],
  [{ verdict: 'deny', tool: 'change', origin: 'user' }],
];

const setups: fc.Arbitrary<SessionSetup> = fc.record(
  {
    agent: fc.constantFrom(testAgent, testAgent, { name: 'outside', runs: 'external' } as const, {
      ...testAgent,
      tools: { only: ['look'] },
    }),
    mode: fc.constantFrom(modes.interactive, ...someModes),
    cwd: fc.constant('/work'),
    limits: someLimits,
    rules: fc.constantFrom(...someRules),
  },
  { noNullPrototype: true },
);

const moves: fc.Arbitrary<Move> = fc.record(
  {
    type: fc.option(
      fc.oneof(...inputTypes.map((type) => ({ weight: inputWeights[type], arbitrary: fc.constant(type) }))),
      { freq: 2, nil: undefined },
    ),
    isStray: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
    by: fc.constantFrom<Actor>(
      person,
      person,
      person,
      { type: 'program', name: 'ci' },
      { type: 'worker', name: 'w1' },
    ),
    pick: fc.nat({ max: 10_000 }),
    calls: someCalls,
    setup: setups,
  },
  { noNullPrototype: true },
);

const firstMove: Move = {
  type: 'session-requested',
  isStray: false,
  by: person,
  pick: 0,
  calls: [call('a')],
  setup: { agent: testAgent, mode: modes.interactive, cwd: '/work' },
};

/** The input of a move in this state: aimed at something real, unless it is stray. */
function inputFor(state: State, move: Move): InputBody {
  const { isStray, pick, calls, setup, type = goingOn(state, pick) } = move;
  const { effect, attempt } = aim(state, { isStray, pick });
  switch (type) {
    case 'session-requested':
      return { type, ...setup };
    case 'prompt-received':
      return { type, text: `prompt ${pick}`, delivery: pick % 2 === 0 ? 'queue' : 'steer', ...meaningFor(pick) };
    case 'task-received':
      return { type, calls, delivery: pick % 3 === 0 ? 'steer' : 'queue' };
    case 'compaction-requested':
      return pick % 2 === 0 ? { type } : { type, keep: 'the names' };
    case 'summary-settled':
      return { type, effect, attempt, outcome: summaryFor(state, pick), usage: testUsage };
    case 'rewound':
      return { type, to: isStray ? state.seq + pick : 1, context: newContext };
    case 'checkpoint-taken':
      return { type, checkpoint: someCheckpoint };
    case 'restore-requested': {
      const goal = { type, to: isStray ? state.seq + pick : 1, checkpoint: someCheckpoint } as const;
      return pick % 2 === 0 ? goal : { ...goal, rewind: { to: 1, context: newContext } };
    }
    case 'restore-prepared':
      return { type, effect, attempt, before: { ...someCheckpoint, label: `before ${pick}` } };
    case 'restore-settled':
      return {
        type,
        effect,
        attempt,
        outcome: pick % 3 === 0 ? { type: 'failed', message: 'no space' } : { type: 'restored', changed: '{}' },
      };
    case 'queue-changed':
      return { type, change: changeFor(state, { isStray, pick }) };
    case 'question-answered': {
      const question = isStray ? undefined : chosen(state.questions, pick);
      const id = question?.id ?? chosen(state.closedQuestions, pick)?.id ?? ('q_none' as QuestionId);
      const meaning = pick % 2 === 0 ? { meaning: meaningFor(pick) } : {};
      return { type, question: id, answer: answerFor(question?.about.type, pick), ...meaning };
    }
    case 'interrupted':
    case 'closed':
      return pick % 2 === 0 ? { type } : { type, reason: 'enough' };
    case 'agent-changed':
      return { type, agent: setup.agent };
    case 'agent-setting-chosen':
      return { type, setting: chosen(someSettings, pick) ?? { type: 'mode', mode: 'plan' } };
    case 'agent-setting-settled': {
      const pending = chosen(state.agentSettings?.chosen ?? [], pick)?.effect;
      return {
        type,
        effect: pending ?? effect,
        outcome: chosen(someSettingOutcomes, pick) ?? { type: 'failed', message: '' },
      };
    }
    case 'title-changed':
      return { type, title: `Title ${pick}` };
    case 'mode-changed':
      return { type, mode: setup.mode };
    case 'policy-changed':
      return { type, rules: setup.rules ?? [] };
    case 'limits-changed':
      return { type, limits: setup.limits ?? {} };
    case 'worker-reported':
      return { type, report: chosen(someWorkerReports, pick) ?? { worker: 'w1' as WorkerId, state: 'spawned' } };
    case 'verdict-reached':
      return {
        type,
        verdict: chosen(someVerdicts, pick) ?? { verdict: 'stuck', evidence: 'silence', action: 'note' },
      };
    case 'model-settled':
      return { type, effect, attempt, outcome: outcomeFor(pick, calls) };
    case 'prompt-understood':
      return { type, effect, attempt, outcome: chosen(someUnderstandings, pick) ?? { type: 'cancelled' } };
    case 'tool-settled':
    case 'job-settled':
      return { type, effect, attempt, result: chosen(someResults, pick) ?? { type: 'cancelled' } };
    case 'tool-asked':
      return { type, effect, attempt, key: String(pick), title: 'Which?', schema: {} };
    case 'agent-reported':
      return { type, effect, attempt, report: chosen(someAgentReports, pick) ?? { type: 'mode', mode: 'plan' } };
    case 'agent-asked':
      return { type, effect, attempt, request: agentRequest(pick) };
    case 'agent-withdrew':
      return { type, effect, attempt, key: agentRequest(pick).key };
    case 'agent-turn-settled':
      return { type, effect, attempt, outcome: chosen(someAgentOutcomes, pick) ?? { type: 'completed' } };
    case 'time-reached':
      return { type, effect: (isStray ? undefined : chosen(state.waits, pick)?.effect) ?? effect };
    case 'session-recovered':
      return { type, epoch: pick, ...(!isStray && { calls: describedAgain(state, pick) }) };
    case 'files-saved':
      return { type, saved: { commit: `c${pick}`, bundle: someBundle, leftOut: [] } };
    case 'place-moved':
      return { type, cwd: `/other/${pick}`, home: `home-${pick}`, missing: [] };
    case 'push-settled':
      return { type, branch: 'rondo/work', commit: `c${pick}` };
    case 'session-imported':
      return { type, session: 'ses_0' as SessionId, head: state.seq, role: 'main' };
    case 'session-continued':
      return { type, agent: setup.agent, mode: setup.mode, cwd: setup.cwd };
  }
}

const someBundle = { blob: 'ab'.repeat(32) as BlobHash, length: 3, preview: '' };

const someSettings: readonly AgentSetting[] = [
  { type: 'mode', mode: 'plan' },
  { type: 'mode', mode: 'nowhere' },
  { type: 'option', option: 'model', value: 'large' },
  { type: 'option', option: 'fast', value: true },
];

const someSettingOutcomes: readonly SettingOutcome[] = [
  { type: 'taken', report: { type: 'mode', mode: 'plan' } },
  { type: 'taken', report: { type: 'options', options: [{ id: 'fast', name: 'Fast', value: true }] } },
  { type: 'failed', message: 'it is locked' },
];

const clarify = { text: 'Fix or explain?', options: ['a', 'b'] } as const;

function meaningFor(pick: number): Meaning {
  const meanings: readonly Meaning[] = [
    {},
    {},
    { intent: { verb: 'fix' }, rules: [{ verdict: 'deny', tool: 'change', origin: 'agent' }] },
    { intent: { verb: 'fix' }, clarify },
    { intent: { verb: 'fix' }, understand: 'model' },
    { intent: { verb: 'fix' }, understand: 'model', clarify },
  ];
  return chosen(meanings, pick) ?? {};
}

const someUnderstandings: readonly Understanding[] = [
  { type: 'understood', meaning: { intent: { verb: 'test' } }, usage: testUsage, model: 'small' },
  { type: 'understood', meaning: { intent: { verb: 'test' }, clarify }, usage: testUsage },
  { type: 'unclear', problem: 'no answer of the asked form', usage: testUsage },
  { type: 'unclear', problem: 'no answer' },
  { type: 'cancelled' },
];

function goingOn(state: State, pick: number): InputType {
  const { phase } = state;
  if (phase.type === 'restoring')
    return phase.restore.before === undefined ? 'restore-prepared' : 'restore-settled';
  switch (turnOf(state)?.activity.type) {
    case 'calling-model':
      return 'model-settled';
    case 'understanding':
      return 'prompt-understood';
    case 'compacting':
      return 'summary-settled';
    case 'prompting-agent':
      if (state.questions.length > 0 && pick % 2 === 0) return 'question-answered';
      return (
        (['agent-reported', 'agent-asked', 'agent-asked', 'agent-turn-settled'] as const)[pick % 4] ??
        'agent-asked'
      );
    case 'pausing':
      return 'time-reached';
    case 'reviewing-reply':
    case 'clarifying':
    case 'asking-loop':
    case 'asking-repeat':
      return 'question-answered';
    case 'running-calls':
      return state.questions.length === 0 || pick % 2 === 0 ? 'tool-settled' : 'question-answered';
    case 'ready':
    case 'replied':
    case undefined:
      if (phase.type === 'new') return 'session-requested';
      if (pick % 7 === 0) return 'compaction-requested';
      return pick % 3 === 0 ? 'task-received' : 'prompt-received';
  }
}

interface Aim {
  readonly isStray: boolean;
  readonly pick: number;
}

function aim(state: State, { isStray, pick }: Aim): { readonly effect: EffectId; readonly attempt: number } {
  const activity = turnOf(state)?.activity;
  const stray = { effect: effectIdOf(testSession, pick % (state.seq + 2)), attempt: 1 + (pick % 3) };
  if (!isStray && state.phase.type === 'restoring') return state.phase.restore;
  if (isStray || activity === undefined) return stray;
  switch (activity.type) {
    case 'calling-model':
    case 'understanding':
    case 'compacting':
    case 'prompting-agent':
      return activity;
    case 'running-calls':
      return (
        chosen(
          activity.calls.filter((progress) => progress.type === 'running'),
          pick,
        ) ?? stray
      );
    case 'asking-repeat':
      return activity.of;
    case 'asking-loop':
    case 'ready':
    case 'replied':
    case 'reviewing-reply':
    case 'clarifying':
    case 'pausing':
      return stray;
  }
}

function changeFor({ queue }: State, { isStray, pick }: Aim): QueueChange {
  const prompt = (isStray ? undefined : chosen(queue.prompts, pick)?.seq) ?? pick;
  const changes: readonly QueueChange[] = [
    { type: 'edited', prompt, text: 'edited' },
    { type: 'moved', prompt, to: (pick % 5) - 1 },
    { type: 'removed', prompt },
    { type: 'cleared' },
    { type: 'paused' },
    { type: 'resumed' },
    { type: 'resumed' },
  ];
  return chosen(changes, pick) ?? { type: 'cleared' };
}

const someAnswers: readonly Answer[] = [
  { type: 'allow-once' },
  { type: 'allow-session' },
  { type: 'allow-always' },
  { type: 'reject' },
  { type: 'reject', reason: 'not like this' },
  { type: 'option', option: 'a' },
  { type: 'option', option: 'z' },
  { type: 'text', text: 'that one' },
  { type: 'form', form: { name: 'ann' } },
];

function answerFor(about: string | undefined, pick: number): Answer {
  // usually a fitting answer, sometimes any
  if (pick % 5 > 0 && (about === 'approval' || about === 'reply-review' || about === 'repeat')) {
    return pick % 3 === 0 ? { type: 'reject' } : { type: 'allow-once' };
  }
  return chosen(someAnswers, pick) ?? { type: 'allow-once' };
}

function outcomeFor(pick: number, calls: readonly Call[]): ModelOutcome {
  const outcomes: readonly ModelOutcome[] = [
    reply('', calls),
    reply('Looking.', calls),
    reply('So.', calls),
    reply('Done.'),
    reply(''),
    { ...reply('No.'), type: 'completed', stop: 'refusal', text: 'No.', calls: [], usage: testUsage },
    { type: 'failed', code: 'model-unavailable', message: 'busy', retryable: true, partial: 'Half a' },
    {
      type: 'failed',
      code: 'model-rate-limited',
      message: 'later',
      retryable: true,
      retryAt: timeAt(testTime + 90_000),
    },
    { type: 'failed', code: 'model-auth', message: 'no key', retryable: false },
    { type: 'timed-out', message: 'silence', partial: '' },
    { type: 'cancelled', partial: 'Half', usage: testUsage },
  ];
  return chosen(outcomes, pick) ?? reply('Done.');
}

const someCheckpoint: FileCheckpoint = {
  label: 'turn 3',
  at: testTime,
  root: '/work',
  kept: { type: 'copies', number: 1 },
};

function summaryFor(state: State, pick: number): SummaryOutcome {
  const kept = { constraints: [], open: [], files: [] };
  const rest = { from: 1 + (pick % (state.seq + 2)), messages: 1, tokens: 3 };
  const outcomes: readonly SummaryOutcome[] = [
    { type: 'completed', summary: 'So far.', kept, rest },
    { type: 'failed', message: 'no answer', rest },
    { type: 'failed', message: 'no answer' },
    { type: 'unneeded', message: 'nothing there' },
    { type: 'cancelled' },
  ];
  return chosen(outcomes, pick) ?? { type: 'cancelled' };
}

const someResults: readonly ToolResult[] = [
  { type: 'success', output: 'ok' },
  { type: 'success', output: 'ok', data: { lines: 2 } },
  { type: 'error', code: 'exit', message: 'exit 1' },
  { type: 'error', code: 'fault', message: 'disk full', fault: true },
  { type: 'cancelled' },
];

/** A few different ones, so that a restarted agent may repeat a request or make another. */
function agentRequest(pick: number): AgentRequest {
  const key = `key ${pick % 3}`;
  if (pick % 5 === 0) return { type: 'form', key: `form ${pick % 2}`, message: 'Which?', schema: {} };
  const facts = [
    {},
    { access: 'execute', segments: [{ text: `make ${pick % 2}` }] },
    { access: 'write' },
  ] as const;
  return {
    type: 'permission',
    key,
    call: call(`agent-${pick % 3}`, ['look', 'shell', 'change'][pick % 3], facts[pick % 3]),
    options: [
      { id: 'yes', kind: 'allow-once', name: 'Yes' },
      ...(pick % 4 === 0 ? [] : [{ id: 'no', kind: 'reject-once', name: 'No' } as const]),
    ],
  };
}

const someAgentReports: readonly AgentReport[] = [
  { type: 'message', text: 'Working on it.' },
  { type: 'thought', text: 'Hm.' },
  { type: 'usage', usage: testUsage },
];

const someAgentOutcomes: readonly Extract<InputBody, { type: 'agent-turn-settled' }>['outcome'][] = [
  { type: 'completed', usage: testUsage },
  { type: 'completed' },
  { type: 'failed', code: 'agent-failed', message: 'crashed' },
  { type: 'cancelled' },
  { type: 'timed-out', message: 'silence' },
];

const someWorkerReports: readonly WorkerReport[] = (
  ['spawned', 'progressed', 'completed', 'failed', 'stalled', 'cancelled'] as const
).map((state) => ({
  worker: 'w1' as WorkerId,
  state,
  text: 'news',
  ...(state === 'spawned' && { allotment: { tokens: 50 } }),
  ...(state === 'completed' && { usage: testUsage }),
}));

const someVerdicts: readonly LivenessVerdict[] = (['stuck', 'looping', 'crash-looping'] as const).flatMap(
  (verdict) => (['note', 'warn', 'stop'] as const).map((action) => ({ verdict, evidence: 'seen', action })),
);

function chosen<T>(list: readonly T[], pick: number): T | undefined {
  return list[pick % list.length];
}

/** Possible results of describing calls again: the same facts, others, or none. */
function describedAgain(state: State, pick: number): readonly DescribedCall[] {
  const activity = turnOf(state)?.activity;
  if (activity?.type !== 'running-calls') return [];
  return activity.calls.flatMap((progress, index): readonly DescribedCall[] => {
    if (progress.type === 'settled' || (pick + index) % 4 === 3) return [];
    const { id, facts } = progress.call;
    return [{ call: id, facts: (pick + index) % 4 === 2 ? { ...facts, access: 'execute' } : facts }];
  });
}
