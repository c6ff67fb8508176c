import { expect, expectTypeOf, test } from 'vitest';

import type { DirectoryEntry as KeptEntry } from './directory.ts';
import type { SessionId } from '../kernel/ids.ts';
import { newState } from '../kernel/state.ts';
import { effect, given, testSession, testTime, type GivenInput } from '../testing/given.ts';
import {
  call,
  changingCall,
  chat,
  created,
  interrupted,
  modelFailed,
  modelSettled,
  replied,
} from '../testing/inputs.ts';
import { directoryEntryOf, directoryVersion, type DirectoryEntry } from './directory.ts';

test('a session as the directory shows it', () => {
  const { state } = given(
    created({ parent: 'ses_0' as SessionId }),
    chat('# Look around\nplease'),
    modelSettled('ses_1.4', {
      type: 'completed',
      text: 'Hi.',
      calls: [],
      usage: { inputTokens: 7, outputTokens: 2 },
      stop: 'end',
    }),
    chat('go'),
    { ...chat('then'), at: testTime + 5 },
    { ...replied('ses_1.9', '', [changingCall('c1')]), at: testTime + 9 },
  );
  expect(directoryEntryOf(state)).toEqual({
    session: 'ses_1',
    createdAt: testTime,
    updatedAt: testTime + 9,
    title: 'Look around',
    agent: 'tester',
    mode: 'interactive',
    cwd: '/work',
    parent: 'ses_0',
    state: 'waiting',
    ending: 'completed',
    doing: 'waiting for approval of change',
    workingSince: testTime,
    questions: 1,
    queued: 1,
    turns: 2,
    inputTokens: 17,
    outputTokens: 7,
    cost: 0.001,
    costIsKnown: false,
    view: directoryVersion,
  });
});

test.each<[state: DirectoryEntry['state'], inputs: readonly GivenInput[]]>([
  ['idle', [created()]],
  ['running', [created(), chat('go')]],
  ['running', [created(), chat('go'), modelFailed('ses_1.4')]],
  ['cancelling', [created(), chat('go'), interrupted]],
  ['closed', [created(), { type: 'closed' }]],
])('it is listed as %s', (state, inputs) => {
  expect(directoryEntryOf(given(...inputs).state).state).toBe(state);
});

const shellCall = { ...call('c1', 'shell'), args: '{"command":"npm test\\nnpm run lint"}' };

const outside = { name: 'outside', runs: 'external' } as const;
const agentAsks: GivenInput = {
  type: 'agent-asked',
  effect: effect(4),
  attempt: 1,
  request: { type: 'form', key: 'form', message: 'Which?', schema: { type: 'object' } },
};

test.each<[doing: string | undefined, inputs: readonly GivenInput[]]>([
  [undefined, [created()]],
  ['calling the model', [created(), chat('go')]],
  ['pausing after an error', [created(), chat('go'), modelFailed('ses_1.4')]],
  ['running shell: npm test npm run lint', [created(), chat('go'), replied('ses_1.4', '', [shellCall])]],
  [
    'waiting for approval of change (and 1 more)',
    [created(), chat('go'), replied('ses_1.4', '', [shellCall, changingCall('c2')])],
  ],
  ['running outside', [created({ agent: outside }), chat('go')]],
  ['waiting for a form: Which?', [created({ agent: outside }), chat('go'), agentAsks]],
  ['being cancelled', [created(), chat('go'), interrupted]],
  [undefined, [created(), { type: 'closed' }]],
])('it is listed as doing: %s', (doing, inputs) => {
  const { state } = given(...inputs);
  const entry = directoryEntryOf(state);
  expect({ doing: entry.doing, isWorking: entry.workingSince !== undefined }).toEqual({
    doing,
    isWorking: doing !== undefined,
  });
});

test('a session that was never spoken to has no title yet', () => {
  expect(directoryEntryOf(newState(testSession))).toMatchObject({ title: '', state: 'idle', costIsKnown: true });
});

test('the journal keeps exactly this entry', () => {
  expectTypeOf<DirectoryEntry>().toEqualTypeOf<KeptEntry>();
});
