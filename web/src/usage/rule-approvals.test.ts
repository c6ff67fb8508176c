import { expect, test } from 'vitest';

import { system, type Actor } from '../../../src/kernel/actor.ts';
import type { Recorded } from '../../../src/kernel/event.ts';
import { newState } from '../../../src/kernel/state.ts';
import { stepSoundly, testSession, type GivenInput } from '../../../src/testing/given.ts';
import { answered, changingCall, chat, created, replied } from '../../../src/testing/inputs.ts';
import { auditOf } from '../../../src/views/audit.ts';
import { itemsBetween } from '../../../src/views/persistent-list.ts';
import { approvalsByRule, type AuditedDecision } from './rule-approvals.ts';

const ann: Actor = { type: 'person', name: 'ann' };

/** As the server lists them: newest first. */
function decisions(...inputs: readonly GivenInput[]): readonly AuditedDecision[] {
  let state = newState(testSession);
  const events: Recorded[] = [];
  for (const input of inputs) {
    const transition = stepSoundly(state, input);
    state = transition.state;
    events.push(...transition.events);
  }
  const { entries } = auditOf(testSession, events);
  return itemsBetween(entries, 0, entries.length)
    .map((entry) => ({ session: testSession, ...entry }))
    .toReversed();
}

const asked = [created(), chat('go'), replied('ses_1.4', '', [changingCall('c1')])] as const;

test("counts a person's decision once, under the rule that asked", () => {
  const allowed = decisions(...asked, { ...answered('q_10000006', 'allow-once'), by: ann });
  expect(allowed.map(({ decided }) => decided.type)).toEqual([
    'call-allowed',
    'question-answered',
    'session-created',
  ]);
  expect(approvalsByRule(allowed)).toEqual([{ rule: 'default', byRule: 0, byPerson: 1, denied: 0 }]);

  const denied = decisions(...asked, { ...answered('q_10000006', { type: 'reject' }), by: ann });
  expect(approvalsByRule(denied)).toEqual([{ rule: 'default', byRule: 0, byPerson: 0, denied: 1 }]);
});

test('the same call id in another session is another call', () => {
  const ours = decisions(...asked, { ...answered('q_10000006', 'allow-once'), by: ann });
  const other = {
    session: 'ses_2',
    seq: 8,
    at: 0,
    by: system,
    decided: { type: 'call-allowed', call: 'c1', tool: 'change', rule: 'edits' },
  } as const;
  expect(approvalsByRule([other as unknown as AuditedDecision, ...ours])).toEqual([
    { rule: 'default', byRule: 0, byPerson: 1, denied: 0 },
    { rule: 'edits', byRule: 1, byPerson: 0, denied: 0 },
  ]);
});
