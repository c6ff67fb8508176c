import { describe, expect, test } from 'vitest';

import { given, stepSoundly } from '../testing/given.ts';
import { call, chat, created, replied, toolSettled } from '../testing/inputs.ts';
import type { Call } from './call.ts';
import type { Event } from './event.ts';
import type { Limits } from './limits.ts';
import { loopVerdict, resultsKept } from './loop-watch.ts';
import { modes } from './mode.ts';
import type { ToolResult } from './outcome.ts';
import { turnOf, type State } from './state.ts';

type Round = readonly [made: Call, result: ToolResult];

const seen = (output: string): ToolResult => ({ type: 'success', output });
const failed = (message: string): ToolResult => ({ type: 'error', code: 'not-found', message });
const look = (round: number): Call => call(`c${round}`);
const change = (round: number): Call => call(`c${round}`, 'edit', { access: 'write' }, { args: `{"n":${round}}` });
const allowed = { rules: [{ verdict: 'allow', tool: 'edit', origin: 'user' }] } as const;

/** One model call and one tool call per round, until the turn ends, asks, or the rounds are over. */
function played(
  limits: Partial<Limits>,
  rounds: readonly Round[],
  mode = modes.interactive,
): { state: State; rounds: number; verdicts: readonly string[] } {
  let { state } = given(
    created({ limits: { toolCalls: 100, steps: 100, ...limits }, mode, ...allowed }),
    chat('go'),
  );
  const verdicts: string[] = [];
  let count = 0;
  for (const [made, result] of rounds) {
    const calling = turnOf(state)?.activity;
    if (calling?.type !== 'calling-model') break;
    const steps = [replied(calling.effect, '', [made])];
    for (const input of steps) ({ state } = noted(stepSoundly(state, input), verdicts));
    const running = turnOf(state)?.activity;
    const progress = running?.type === 'running-calls' ? running.calls[0] : undefined;
    if (progress?.type !== 'running') break;
    count += 1;
    ({ state } = noted(stepSoundly(state, toolSettled(progress.effect, result)), verdicts));
  }
  return { state, rounds: count, verdicts };
}

function noted<Made extends { readonly events: readonly { readonly event: Event }[] }>(
  made: Made,
  verdicts: string[],
): Made {
  for (const { event } of made.events) {
    if (event.type === 'verdict-reached') verdicts.push(`${event.verdict.action}: ${event.verdict.evidence}`);
  }
  return made;
}

const rounds = (count: number, of: (round: number) => Round) =>
  Array.from({ length: count }, (_, round) => of(round));
const times = (count: number) =>
  `look was called ${count} times with the same arguments and gave the same result.`;

test('[P7][C137] a limit of one repeat stops at the first result', () => {
  const { rounds: count, verdicts } = played(
    { repeats: 1 },
    rounds(3, (round) => [look(round), seen('same')]),
  );
  expect({ count, verdicts }).toEqual({ count: 1, verdicts: [`stop: ${times(1)}`] });
});

describe('[P7][C137] a turn of any session that repeats itself', () => {
  test('40 equal calls: the model is warned after 5 and the turn ends after 10', () => {
    const { state, ...rest } = played(
      {},
      rounds(40, (round) => [look(round), seen('nothing')]),
    );
    expect(rest).toEqual({ rounds: 10, verdicts: [`warn: ${times(5)}`, `stop: ${times(10)}`] });
    expect(state.lastEnding?.ending).toEqual({
      type: 'failed',
      code: 'looping',
      message: `The turn was stopped as looping: ${times(10)}`,
    });
  });

  test('equal errors count whatever the arguments were', () => {
    const { verdicts } = played(
      { repeats: 4 },
      rounds(9, (round) => [change(round), failed('no such text')]),
    );
    expect(verdicts).toEqual([
      'warn: edit failed 2 times with the same error.',
      'stop: edit failed 4 times with the same error.',
    ]);
  });

  test('several calls in turn that bring nothing new are a loop, too', () => {
    const other = (round: number) => call(`c${round}`, 'list');
    const { rounds: made, state } = played(
      { repeats: 4 },
      rounds(20, (round) => [round % 2 === 0 ? look(round) : other(round), seen('nothing')]),
    );
    expect({ made, code: endingCode(state) }).toEqual({ made: 7, code: 'looping' });
  });

  test('different results are not a loop', () => {
    const { rounds: made, verdicts } = played(
      {},
      rounds(40, (round) => [look(round), seen(`row ${round}`)]),
    );
    expect({ made, verdicts }).toEqual({ made: 40, verdicts: [] });
  });

  test('a change not made before is progress, and counting starts over', () => {
    const { rounds: made, verdicts } = played(
      { repeats: 4 },
      rounds(40, (round) => [round % 3 === 2 ? change(round) : look(round), seen('ok')]),
    );
    expect({ made, verdicts: verdicts.filter((verdict) => verdict.startsWith('stop')) }).toEqual({
      made: 40,
      verdicts: [],
    });
  });

  test('0 switches it off', () => {
    expect(
      played(
        { repeats: 0 },
        rounds(40, (round) => [look(round), seen('nothing')]),
      ).rounds,
    ).toBe(40);
  });

  test('counts are part of the state: read back from JSON it continues counting', () => {
    const { state } = played(
      { repeats: 4 },
      rounds(3, (round) => [look(round), seen('nothing')]),
    );
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    expect(turnOf(state)?.loop?.seen.map(({ count }) => count)).toEqual([3]);
  });

  test('[P10] its memory is bounded', () => {
    const { state } = played(
      {},
      rounds(60, (round) => [look(round), seen(`row ${round}`)]),
    );
    expect(turnOf(state)?.loop?.seen).toHaveLength(resultsKept);
  });
});

describe('[P7][C137] with `repeatsToAsk` a person decides', () => {
  const asking = () =>
    played(
      { repeatsToAsk: 3 },
      rounds(9, (round) => [look(round), seen('nothing')]),
    );

  test('the turn waits, continues with a yes and counts from there', () => {
    const { state, rounds: made } = asking();
    const [question] = state.questions;
    expect({ made, about: question?.about }).toEqual({
      made: 3,
      about: { type: 'repeat', what: 'same call', reason: `${times(3)} Go on?` },
    });
    if (question === undefined) throw new Error('nothing was asked');
    const next = stepSoundly(state, {
      type: 'question-answered',
      question: question.id,
      answer: { type: 'allow-once' },
    });
    expect(turnOf(next.state)).toMatchObject({ activity: { type: 'calling-model' } });
    expect(turnOf(next.state)?.loop).toBeUndefined();
  });

  test('a no ends it', () => {
    const { state } = asking();
    const [question] = state.questions;
    if (question === undefined) throw new Error('nothing was asked');
    const answer = { type: 'reject' } as const;
    const next = stepSoundly(state, { type: 'question-answered', question: question.id, answer });
    expect(endingCode(next.state)).toBe('looping');
  });

  test('without a person to ask, the turn ends at `repeats`', () => {
    const { state, rounds: made } = played(
      { repeatsToAsk: 3 },
      rounds(40, (round) => [look(round), seen('nothing')]),
      modes.batch,
    );
    expect({ made, code: endingCode(state) }).toEqual({ made: 10, code: 'looping' });
  });
});

function endingCode({ lastEnding }: State): string | undefined {
  return lastEnding?.ending.type === 'failed' ? lastEnding.ending.code : undefined;
}

test('[P7] a loop is warned about at half of the limit, never at the first call, and not at all without a limit', () => {
  const watch = (count: number) => ({ seen: [{ key: 'k', tool: 'look', count }] });
  const actionAt = (count: number, repeats: number) => loopVerdict(watch(count), { repeats })?.action;
  expect([actionAt(4, 10), actionAt(5, 10), actionAt(10, 10)]).toEqual([undefined, 'warn', 'stop']);
  expect([actionAt(1, 2), actionAt(5, 0), actionAt(100, 0)]).toEqual([undefined, undefined, undefined]);
});
