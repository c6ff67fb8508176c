/**
 * Random walks: every phase meets every kind of input, sensible or not, and each step is checked against all
 * invariants. A failure prints its seed and path. RONDO_SEED chooses another walk, RONDO_WALKS more of them.
 */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { stepSoundly, testSession, testTime, type GivenInput } from '../testing/given.ts';
import { extend, newConversation, type Conversation } from './conversation/conversation.ts';
import type { Decision } from './decision.ts';
import { effectsInFlight } from './decide/end-turn.ts';
import type { Recorded } from './event.ts';
import { evolve } from './evolve/evolve.ts';
import { effectIdOf, type CallId, type EffectId } from './ids.ts';
import type { Message } from './message.ts';
import { newState, turnOf, type State } from './state.ts';
import type { Transition } from './decide/step.ts';
import {
  firstMove,
  inputFor,
  inputTypes,
  moves,
  person,
  setups,
  type InputType,
} from '../../test/fixtures/kernel-moves.ts';

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
  const entry = situations.find((one) => one === situation);
  if (entry === undefined) throw new Error(`A session came to rest in a situation nobody knows: ${situation}`);
  return entry;
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
    const entries = [...unsettled].filter(([effect, of]) => matches(effect, of));
    expect(entries.length, `settlements for ${what}`).toBe(1);
    for (const [effect] of entries) unsettled.delete(effect);
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
