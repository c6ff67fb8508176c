/** [P10] One event costs a view the same after 20,000 events as after 200: counted in copied entries, not in time. */
import { expect, test } from 'vitest';

import { system } from '../kernel/actor.ts';
import type { Recorded } from '../kernel/event.ts';
import type { EffectId } from '../kernel/ids.ts';
import type { InputBody } from '../kernel/input.ts';
import { newState } from '../kernel/state.ts';
import { step } from '../kernel/decide/step.ts';
import { testSession, testTime } from '../testing/given.ts';
import { call, chat, created, replied, toolSettled } from '../testing/inputs.ts';
import { auditWith, newAudit } from './audit.ts';
import { newTranscript, transcriptWith } from './transcript.ts';
import { newUsage, usageWith } from './usage.ts';

const turns = chatTurns(20_000);
const agentTurn = oneAgentTurn(20_000);

test.each([
  ['transcript', turns, newTranscript(testSession), transcriptWith],
  ['usage', turns, newUsage(testSession), usageWith],
  ['audit', turns, newAudit(testSession), auditWith],
  ['transcript', agentTurn, newTranscript(testSession), transcriptWith],
  ['usage', agentTurn, newUsage(testSession), usageWith],
  ['audit', agentTurn, newAudit(testSession), auditWith],
] as const)('[P10] the %s shares what it did not change', (_, events, begin, fold) => {
  const costs = costsAt(events, begin, fold as (view: object, recorded: Recorded) => object, [200, 19_900]);
  // One node per level of the 32-way tree is copied. By the end there is at most one more level.
  const [early = 0, late = 0] = costs;
  expect(early).toBeLessThan(300);
  expect(late).toBeLessThan(300);
});

/** The most entries that any of the 50 events after each position copied. */
function costsAt<View extends object>(
  events: readonly Recorded[],
  begin: View,
  fold: (view: View, recorded: Recorded) => View,
  places: readonly number[],
): readonly number[] {
  return places.map((place) => {
    let view = events.slice(0, place).reduce(fold, begin);
    const objects = new Set<object>(events.slice(place, place + 50));
    remember(events.slice(place, place + 50), objects);
    remember(view, objects);
    let most = 0;
    for (const recorded of events.slice(place, place + 50)) {
      view = fold(view, recorded);
      most = Math.max(most, remember(view, objects));
    }
    return most;
  });
}

/** Adds every object within a value to the known ones. Returns how many entries the new ones hold. */
function remember(value: unknown, objects: Set<object>): number {
  if (typeof value !== 'object' || value === null || objects.has(value)) return 0;
  objects.add(value);
  const parts: readonly unknown[] = Object.values(value);
  return parts.reduce<number>((count, part) => count + remember(part, objects), parts.length);
}

function chatTurns(length: number): readonly Recorded[] {
  const events: Recorded[] = [];
  const give = giver(events);
  give(created());
  while (events.length < length) {
    give(chat('go'));
    give(replied(lastEffect(events), 'Looking.', [call('a')]));
    give(toolSettled(lastEffect(events)));
    give(replied(lastEffect(events), 'Done.'));
  }
  return events;
}

function oneAgentTurn(length: number): readonly Recorded[] {
  const events: Recorded[] = [];
  const give = giver(events);
  give(created({ agent: { name: 'codex', runs: 'external' } }));
  give(chat('go'));
  const effect = lastEffect(events);
  while (events.length < length) {
    const report = { type: 'tool-call', call: `call ${events.length >> 1}` } as const;
    give({ type: 'agent-reported', effect, attempt: 1, report: { ...report, state: 'pending', title: 'ls' } });
    give({ type: 'agent-reported', effect, attempt: 1, report: { ...report, state: 'completed' } });
  }
  return events;
}

function giver(events: Recorded[]): (input: InputBody) => void {
  let state = newState(testSession);
  return (input) => {
    const transition = step(state, { at: testTime, by: system, ...input });
    state = transition.state;
    events.push(...transition.events);
  };
}

function lastEffect(events: readonly Recorded[]): EffectId {
  return `ses_1.${events.at(-1)?.seq}` as EffectId;
}
