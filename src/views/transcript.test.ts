import { expect, test } from 'vitest';

import { system, type Actor } from '../kernel/actor.ts';
import type { Recorded } from '../kernel/event.ts';
import type { EffectId, WorkerId } from '../kernel/ids.ts';
import type { InputBody } from '../kernel/input.ts';
import { modes } from '../kernel/mode.ts';
import { optional } from '../kernel/optional.ts';
import { testSession, testTime, type GivenInput, played } from '../testing/given.ts';
import {
  agentReported,
  answered,
  call,
  changingCall,
  chat,
  created,
  interrupted,
  modelFailed,
  modelSettled,
  recovered,
  replied,
  task,
  timeReached,
  toolSettled,
} from '../testing/inputs.ts';
import { itemsBetween } from './persistent-list.ts';
import type { Item } from './transcript-item.ts';
import { transcriptOf, type Transcript } from './transcript.ts';

const ann: Actor = { type: 'person', name: 'ann' };
const at = testTime;

const transcript = (...inputs: readonly GivenInput[]): Transcript =>
  transcriptOf(testSession, played(...inputs).events);
const itemsIn = ({ items }: Transcript): readonly Item[] => itemsBetween(items, 0, items.length);
const later = (input: InputBody, ms: number): GivenInput => ({ ...input, at: testTime + ms });
const typesIn = (view: Transcript): readonly string[] => itemsIn(view).map(({ id, type }) => `${id} ${type}`);

test('[C116] a turn with a call reads as prompt, message, call, message, ending', () => {
  const view = transcript(
    created({ agent: { name: 'tester', runs: 'model', model: 'm1' } }),
    { ...chat('look'), by: ann },
    later(replied('ses_1.4', 'Looking.', [call('c1')]), 100),
    later(toolSettled('ses_1.6', 'a file'), 350),
    later(
      modelSettled('ses_1.8', {
        type: 'completed',
        text: 'Done.',
        reasoning: 'Hm.',
        calls: [],
        usage: { inputTokens: 1, outputTokens: 1 },
        stop: 'end',
        model: 'm2',
      }),
      900,
    ),
  );
  const facts = call('c1').facts;
  expect(itemsIn(view)).toEqual([
    {
      type: 'prompt',
      id: '3',
      at,
      prompt: 2,
      receivedAt: at,
      by: ann,
      delivery: 'queue',
      taken: 'turn-started',
      asked: { type: 'chat', text: 'look' },
    },
    {
      type: 'message',
      id: '5',
      at: at + 100,
      effect: 'ses_1.4',
      agent: 'tester',
      model: 'm1',
      attempts: 1,
      durationMs: 100,
      text: 'Looking.',
      outcome: { type: 'completed', stop: 'calls' },
    },
    {
      type: 'call',
      id: '5.1',
      at: at + 100,
      call: 'c1',
      tool: 'look',
      args: '{}',
      facts,
      rule: 'reads',
      run: { seq: 6, at: at + 100 },
      attempts: 1,
      state: { type: 'succeeded', output: 'a file', at: at + 350, durationMs: 250 },
    },
    {
      type: 'message',
      id: '9',
      at: at + 900,
      effect: 'ses_1.8',
      agent: 'tester',
      model: 'm2',
      attempts: 1,
      durationMs: 550,
      text: 'Done.',
      reasoning: 'Hm.',
      outcome: { type: 'completed', stop: 'end' },
    },
    {
      type: 'ending',
      id: '10',
      at: at + 900,
      by: system,
      turn: 3,
      durationMs: 900,
      ending: { type: 'completed' },
    },
  ]);
});

test('a prompt waits beside the conversation, with its edits, until a turn takes it', () => {
  const inputs = [
    created(),
    chat('one'),
    { ...chat('two'), by: ann },
    chat('three'),
    { type: 'queue-changed', change: { type: 'edited', prompt: 5, text: 'deux' }, by: ann },
    { type: 'queue-changed', change: { type: 'moved', prompt: 6, to: 0 } },
  ] as const;
  expect(transcript(...inputs).waiting).toEqual([
    { seq: 6, at, by: system, delivery: 'queue', request: { type: 'chat', text: 'three' } },
    { seq: 5, at, by: ann, delivery: 'queue', edited: { by: ann, at }, request: { type: 'chat', text: 'deux' } },
  ]);

  const taken = transcript(
    ...inputs,
    { type: 'queue-changed', change: { type: 'removed', prompt: 6 } },
    replied('ses_1.4', 'Un.'),
  );
  expect(taken.waiting).toEqual([]);
  expect(itemsIn(taken).at(-1)).toEqual({
    type: 'prompt',
    id: '12',
    at,
    prompt: 5,
    receivedAt: at,
    by: ann,
    delivery: 'queue',
    taken: 'turn-started',
    edited: { by: ann, at },
    asked: { type: 'chat', text: 'deux' },
  });
});

test('a steering prompt joins the running turn where the agent reads it', () => {
  const view = transcript(created(), chat('one'), chat('also this', 'steer'), replied('ses_1.4', 'Un.'));
  expect(itemsIn(view).map((item) => (item.type === 'prompt' ? item.taken : item.type))).toEqual([
    'turn-started',
    'message',
    'joined',
  ]);
  expect(view.writing).toEqual({ effect: 'ses_1.8', since: at, attempt: 1 });
});

test('a task shows its calls, and a reply of nothing but calls shows no empty message', () => {
  expect(typesIn(transcript(created(), task(call('a'), call('b', 'list'))))).toEqual([
    '3 prompt',
    '3.1 call',
    '3.2 call',
  ]);
  expect(typesIn(transcript(created(), chat('go'), replied('ses_1.4', '', [call('a')])))).toEqual([
    '3 prompt',
    '5.1 call',
  ]);
});

test('an approval shows on the call and as a question, with who answered', () => {
  const asked = transcript(created(), chat('go'), replied('ses_1.4', '', [changingCall('c1')]));
  const about = {
    type: 'approval',
    call: 'c1',
    tool: 'change',
    rule: 'default',
    reason: 'No rule allows this, so a person decides.',
    grants: ['change'],
  };
  const asking = {
    type: 'call',
    id: '5.1',
    at,
    call: 'c1',
    tool: 'change',
    args: '{}',
    facts: changingCall('c1').facts,
    rule: 'default',
    attempts: 0,
    state: { type: 'asking', question: 'q_10000006' },
  };
  const question = { type: 'question', id: '6', at, question: 'q_10000006', about, state: { type: 'open' } };
  expect(itemsIn(asked).slice(1)).toEqual([asking, question]);

  const run = transcript(
    created(),
    chat('go'),
    replied('ses_1.4', '', [changingCall('c1')]),
    { ...later(answered('q_10000006', 'allow-once'), 50), by: ann },
    later(toolSettled('ses_1.8', { type: 'error', code: 'exit', message: 'exit 1' }), 80),
  );
  expect(itemsIn(run).slice(1, 3)).toEqual([
    {
      ...asking,
      approvedBy: ann,
      run: { seq: 8, at: at + 50 },
      attempts: 1,
      state: { type: 'failed', code: 'exit', message: 'exit 1', at: at + 80, durationMs: 30 },
    },
    { ...question, state: { type: 'answered', by: ann, at: at + 50, answer: { type: 'allow-once' } } },
  ]);
});

test('a refused call says who refused it and by which rule', () => {
  const view = transcript(
    created({ mode: modes.batch }),
    chat('go'),
    replied('ses_1.4', '', [changingCall('c1')]),
  );
  expect(itemsIn(view).at(1)).toMatchObject({
    rule: 'default',
    attempts: 0,
    state: {
      type: 'refused',
      code: 'policy',
      reason: 'No rule allows this and nobody can be asked in this mode.',
      at,
    },
  });
});

test('an expired question and its call show that they expired', () => {
  const view = transcript(
    created({ limits: { questionExpiryMs: 1000 } }),
    chat('go'),
    replied('ses_1.4', '', [changingCall('c1')]),
    later(timeReached('ses_1.7'), 1000),
  );
  expect(itemsIn(view).slice(1, 3)).toMatchObject([
    { state: { type: 'refused', code: 'expired', reason: 'Nobody answered in time.', at: at + 1000 } },
    { expiresAt: at + 1000, state: { type: 'expired', by: system, at: at + 1000 } },
  ]);
});

test('an interrupt keeps what was said, cancels what ran and ends the turn', () => {
  const view = transcript(
    created(),
    chat('go'),
    { ...later(interrupted, 10), by: ann },
    later(replied('ses_1.4', 'Half a', []), 20),
  );
  expect(itemsIn(view).slice(1)).toEqual([
    {
      type: 'notice',
      id: '5',
      at: at + 10,
      by: ann,
      about: { type: 'interrupted', ending: { type: 'cancelled' } },
    },
    {
      type: 'message',
      id: '7',
      at: at + 20,
      effect: 'ses_1.4',
      agent: 'tester',
      attempts: 1,
      durationMs: 20,
      text: 'Half a',
      outcome: { type: 'cancelled' },
    },
    { type: 'ending', id: '8', at: at + 20, by: system, turn: 3, durationMs: 20, ending: { type: 'cancelled' } },
  ]);
});

test('an error and the pause after it are seen, and when the pause is over', () => {
  const inputs = [created(), chat('go'), modelFailed('ses_1.4')];
  const pausing = {
    type: 'notice',
    id: '6',
    at,
    by: system,
    about: { type: 'waiting', why: 'error-pause', until: at + 3000 },
  };
  const failed = {
    text: '',
    outcome: { type: 'failed', code: 'model-unavailable', message: 'no answer', retryable: true },
  };
  expect(itemsIn(transcript(...inputs))[1]).toMatchObject(failed);
  expect(itemsIn(transcript(...inputs)).at(-1)).toEqual(pausing);
  expect(itemsIn(transcript(...inputs, later(timeReached('ses_1.6'), 3000))).at(-1)).toEqual({
    ...pausing,
    about: { ...pausing.about, endedAt: at + 3000 },
  });
  expect(itemsIn(transcript(...inputs, later(interrupted, 500))).at(-2)).toEqual({
    ...pausing,
    about: { ...pausing.about, endedAt: at + 500 },
  });
});

test('after a crash a repeated call counts its attempts and an unsure one asks', () => {
  const view = transcript(
    created({ rules: [{ verdict: 'allow', tool: '*', origin: 'user' }] }),
    chat('go'),
    replied('ses_1.4', '', [call('a'), call('b', 'send', { repeat: 'ask' })]),
    recovered,
  );
  expect(typesIn(view)).toEqual(['3 prompt', '5.1 call', '5.2 call', '8 notice', '10 question']);
  expect(itemsIn(view).slice(1, 3)).toMatchObject([
    { attempts: 2, run: { seq: 6, at }, state: { type: 'running' } },
    { attempts: 1, run: { seq: 7, at }, state: { type: 'asking' } },
  ]);
  const again = transcript(
    created(),
    task(call('b', 'send', { repeat: 'ask' })),
    recovered,
    answered('q_10000006', 'allow-once'),
  );
  expect(itemsIn(again)[1]).toMatchObject({ attempts: 2, run: { seq: 4, at }, state: { type: 'running' } });
  const model = transcript(created(), chat('go'), recovered, later(replied('ses_1.4', 'Hi.', [], 2), 5));
  expect(itemsIn(model)[2]).toMatchObject({ type: 'message', attempts: 2, durationMs: 5 });
});

test('changes of agent, mode, policy and limits are noticed, with who made them; closing drops the queue', () => {
  const rules = [{ verdict: 'allow', tool: 'look', origin: 'user' }] as const;
  const view = transcript(
    created(),
    { type: 'agent-changed', agent: { name: 'other', runs: 'model', model: 'm9' }, by: ann },
    { type: 'mode-changed', mode: modes.batch, by: ann },
    { type: 'policy-changed', rules, by: ann },
    { type: 'limits-changed', limits: { steps: 3 }, by: ann },
    { type: 'closed', reason: 'done', by: ann },
  );
  const notice = (id: string, about: unknown) => ({ type: 'notice', id, at, by: ann, about });
  expect(itemsIn(view)).toEqual([
    notice('2', { type: 'agent-changed', agent: 'other', model: 'm9' }),
    notice('3', { type: 'mode-changed', mode: 'batch' }),
    notice('4', { type: 'policy-changed', rules }),
    notice('5', { type: 'limits-changed', limits: { steps: 3 } }),
    notice('6', { type: 'closed', reason: 'done' }),
  ]);
});

test('[P7] a limit that is near and a verdict on the turn are noticed', () => {
  const verdict = { verdict: 'looping', evidence: 'look was called 3 times.', action: 'warn' } as const;
  const view = transcript(
    created({ limits: { totalToolCalls: 5 } }),
    {
      type: 'worker-reported',
      report: { worker: 'wrk_1' as WorkerId, state: 'spawned', allotment: { toolCalls: 4 } },
    },
    chat('go'),
    { type: 'verdict-reached', verdict },
  );
  const notices = itemsIn(view).flatMap((item) => (item.type === 'notice' ? [item.about] : []));
  expect(notices).toEqual([
    { type: 'limit-neared', name: 'tool-calls', used: 4, limit: 5 },
    { type: 'verdict-reached', ...verdict },
  ]);
});

test('[C71] worker reports without news are not shown', () => {
  const report = (state: 'spawned' | 'progressed' | 'completed', text?: string): GivenInput => ({
    type: 'worker-reported',
    report: { worker: 'wrk_1' as WorkerId, state, ...optional({ text }) },
  });
  const view = transcript(
    created(),
    report('spawned'),
    report('spawned'),
    report('progressed'),
    report('progressed', 'half'),
    report('progressed', 'half'),
    report('progressed', 'nearly'),
    report('completed', 'all'),
  );
  const item = (id: string, state: string, text?: string) => ({
    type: 'worker',
    id,
    at,
    worker: 'wrk_1',
    state,
    ...optional({ text }),
  });
  expect(itemsIn(view)).toEqual([
    item('2', 'spawned'),
    item('5', 'progressed', 'half'),
    item('7', 'progressed', 'nearly'),
    item('8', 'completed', 'all'),
  ]);
});

test("an external agent's calls and plan are updated in place", () => {
  const view = transcript(
    created({ agent: { name: 'codex', runs: 'external' } }),
    chat('go'),
    agentReported({ type: 'thought', text: 'Hm.' }),
    agentReported({ type: 'plan', entries: [{ text: 'look', state: 'pending' }] }),
    agentReported({ type: 'tool-call', call: '__proto__', title: 'ls', kind: 'execute', state: 'pending' }),
    agentReported({ type: 'tool-call', call: 'b', state: 'in-progress' }),
    agentReported({ type: 'tool-call', call: '__proto__', state: 'completed', content: 'a.txt' }),
    agentReported({ type: 'plan', entries: [{ text: 'look', state: 'completed' }] }),
    agentReported({ type: 'message', text: 'Done.' }),
    { type: 'agent-turn-settled', effect: 'ses_1.4' as EffectId, attempt: 1, outcome: { type: 'completed' } },
  );
  const agent = 'codex';
  expect(itemsIn(view).slice(1)).toEqual([
    { type: 'agent-thought', id: '5', at, agent, text: 'Hm.' },
    { type: 'agent-plan', id: '6', at, agent, entries: [{ text: 'look', state: 'completed' }] },
    {
      type: 'agent-call',
      id: '7',
      at,
      agent,
      call: '__proto__',
      title: 'ls',
      kind: 'execute',
      state: 'completed',
      content: 'a.txt',
    },
    { type: 'agent-call', id: '8', at, agent, call: 'b', state: 'unknown' },
    { type: 'agent-message', id: '11', at, agent, text: 'Done.' },
    { type: 'ending', id: '13', at, by: system, turn: 3, durationMs: 0, ending: { type: 'completed' } },
  ]);
});

test('custom events are passed over', () => {
  const events = played(created()).events;
  const custom: Recorded = { seq: 2, at, by: system, event: { type: 'custom', name: 'own', data: 1 } };
  expect(transcriptOf(testSession, [...events, custom])).toEqual({ ...transcriptOf(testSession, events), seq: 2 });
});
