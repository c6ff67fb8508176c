import { expect, test } from 'vitest';

import { system, type Actor } from '../kernel/actor.ts';
import { modes } from '../kernel/mode.ts';
import { newState } from '../kernel/state.ts';
import { stepSoundly, testSession, testTime, type GivenInput, played } from '../testing/given.ts';
import {
  agentReported,
  answered,
  call,
  changingCall,
  chat,
  created,
  interrupted,
  modelFailed,
  recovered,
  replied,
  task,
  testAgent,
  timeReached,
} from '../testing/inputs.ts';
import { auditOf, type AuditEntry } from './audit.ts';
import { itemsBetween } from './persistent-list.ts';

const ann: Actor = { type: 'person', name: 'ann' };
const at = testTime;

/** All entries after the session's creation. */
function auditAfter(...inputs: readonly GivenInput[]): readonly AuditEntry[] {
  const { entries } = auditOf(testSession, played(...inputs).events);
  return itemsBetween(entries, 1, entries.length);
}

const about = {
  type: 'approval',
  call: 'c1',
  tool: 'change',
  rule: 'default',
  reason: 'No rule allows this, so a person decides.',
  grants: ['change'],
};

test('an approval: the rule that asked, the answer, who gave it and when', () => {
  const entries = auditAfter(created(), chat('go'), replied('ses_1.4', '', [changingCall('c1')]), {
    ...answered('q_10000006', 'allow-session'),
    by: ann,
    at: at + 9,
  });
  expect(entries).toEqual([
    {
      seq: 7,
      at: at + 9,
      by: ann,
      decided: {
        type: 'question-answered',
        question: 'q_10000006',
        about,
        openedAt: at,
        answer: { type: 'allow-session' },
      },
    },
    { seq: 8, at: at + 9, by: ann, decided: { type: 'call-allowed', call: 'c1', tool: 'change', rule: 'change' } },
  ]);
});

test('refusals: by a person, by the policy, by nobody having answered', () => {
  const refused = (code: string, reason: string) => ({
    type: 'call-refused',
    call: 'c1',
    tool: 'change',
    code,
    reason,
    rule: 'default',
  });
  const asked = [chat('go'), replied('ses_1.4', '', [changingCall('c1')])] as const;

  const byPerson = auditAfter(created(), ...asked, {
    ...answered('q_10000006', { type: 'reject', reason: 'no' }),
    by: ann,
  });
  expect(byPerson[1]).toEqual({
    seq: 8,
    at,
    by: ann,
    decided: refused('person', 'The user rejected this call: no'),
  });

  const byPolicy = auditAfter(created({ mode: modes.batch }), task(changingCall('c1')));
  expect(byPolicy[0]).toEqual({
    seq: 4,
    at,
    by: system,
    decided: refused('policy', 'No rule allows this and nobody can be asked in this mode.'),
  });

  const byTime = auditAfter(created({ limits: { questionExpiryMs: 10 } }), ...asked, {
    ...timeReached('ses_1.7'),
    at: at + 10,
  });
  expect(byTime).toEqual([
    {
      seq: 9,
      at: at + 10,
      by: system,
      decided: { type: 'question-closed', question: 'q_10000006', about, openedAt: at, reason: 'expired' },
    },
    { seq: 10, at: at + 10, by: system, decided: refused('expired', 'Nobody answered in time.') },
  ]);
});

test('changes of what is allowed, and the close, with who made them', () => {
  const rules = [{ verdict: 'allow', tool: 'look', origin: 'user' }] as const;
  const other = { name: 'other', runs: 'model' } as const;
  const entries = auditAfter(
    created(),
    { type: 'agent-changed', agent: other, by: ann },
    { type: 'mode-changed', mode: modes.batch, by: ann },
    { type: 'policy-changed', rules, by: ann },
    { type: 'limits-changed', limits: { steps: 3 }, by: ann },
    { type: 'closed', reason: 'done', by: ann },
  );
  expect(entries.map(({ by, decided }) => [by.name, decided])).toEqual([
    ['ann', { type: 'agent-changed', agent: other }],
    ['ann', { type: 'mode-changed', mode: 'batch' }],
    ['ann', { type: 'policy-changed', rules }],
    ['ann', { type: 'limits-changed', limits: { steps: 3 } }],
    ['ann', { type: 'closed', reason: 'done' }],
  ]);
});

test('a stop is entered once, whether or not something was in flight', () => {
  const stopped = [[ann, { type: 'turn-stopped', ending: { type: 'cancelled', reason: 'enough' } }]];
  const stop: GivenInput = { ...interrupted, reason: 'enough', by: ann };
  const [running, pausing] = [
    auditAfter(created(), chat('go'), stop, replied('ses_1.4', 'late')),
    auditAfter(created(), chat('go'), modelFailed('ses_1.4'), stop),
  ].map((entries) => entries.map(({ by, decided }) => [by, decided]));
  expect(running).toEqual(stopped);
  expect(pausing).toEqual(stopped);
  const again = auditAfter(
    created(),
    chat('go'),
    stop,
    replied('ses_1.4', ''),
    chat('more'),
    stop,
    replied('ses_1.10', ''),
  );
  expect(again.length).toBe(2);
});

test('a recovery, what it repeated, and what each call is about', () => {
  const args = JSON.stringify({ path: 'src/cart.ts' });
  const entries = auditAfter(created(), task(call('c1', 'look', {}, { args })), recovered);
  expect(entries.map(({ decided }) => decided)).toEqual([
    { type: 'call-allowed', call: 'c1', tool: 'look', part: 'src/cart.ts', rule: 'reads' },
    { type: 'recovered', epoch: 2 },
    { type: 'repeated', effect: 'ses_1.4', attempt: 2 },
  ]);
});

test('[P2] unsupervised work of an external agent is marked, once for each reported step', () => {
  const entries = auditAfter(
    created({ agent: { name: 'codex', runs: 'external' } }),
    chat('go'),
    agentReported({ type: 'message', text: 'Hm.' }),
    agentReported({ type: 'tool-call', call: 'a', title: 'rm x', kind: 'execute', state: 'in-progress' }),
    agentReported({ type: 'tool-call', call: 'a', state: 'in-progress', content: 'some output' }),
    agentReported({ type: 'tool-call', call: 'a', state: 'completed', content: 'more' }),
  );
  expect(entries.map(({ seq, decided }) => [seq, decided])).toEqual([
    [6, { type: 'unsupervised', call: 'a', title: 'rm x', kind: 'execute', state: 'in-progress' }],
    [8, { type: 'unsupervised', call: 'a', state: 'completed' }],
  ]);
});

test('the first entry says what the session was set up with', () => {
  const { events } = stepSoundly(newState(testSession), { ...created(), by: ann });
  const { entries } = auditOf(testSession, events);
  expect(itemsBetween(entries, 0, 9)).toEqual([
    {
      seq: 1,
      at,
      by: ann,
      decided: { type: 'session-created', agent: testAgent, mode: 'interactive', rules: [] },
    },
  ]);
});
