import { expect, test } from 'vitest';

import type { CallId } from '../kernel/ids.ts';
import { type GivenInput, played } from '../testing/given.ts';
import { call, chat, created, replied, task } from '../testing/inputs.ts';
import { currentCallsWith, newCurrentCalls, toolOf, type CurrentCalls } from './current-calls.ts';

function callsAfter(...inputs: readonly GivenInput[]): CurrentCalls {
  return played(...inputs).events.reduce(currentCallsWith, newCurrentCalls());
}

const waiting = [created(), chat('go'), task(call('a')), task(call('b'))] as const;

test('a call id means the call of the newest reply or task', () => {
  const view = callsAfter(created(), chat('go'), replied('ses_1.4', '', [call('a', 'list')]));
  expect([toolOf(view, 'a' as CallId), toolOf(view, 'z' as CallId)]).toEqual(['list', 'tool']);
  expect(callsAfter(created(), task(call('a')))).toEqual({ calls: [call('a')], tasks: [] });
});

test('a task is kept while it waits, and no longer', () => {
  const [first, second] = [
    { prompt: 5, calls: [call('a')] },
    { prompt: 6, calls: [call('b')] },
  ];
  const change = (change: Extract<GivenInput, { type: 'queue-changed' }>['change']): CurrentCalls =>
    callsAfter(...waiting, { type: 'queue-changed', change });
  expect(callsAfter(...waiting).tasks).toEqual([first, second]);
  expect(change({ type: 'removed', prompt: 5 }).tasks).toEqual([second]);
  expect(change({ type: 'cleared' }).tasks).toEqual([]);
  expect(callsAfter(...waiting, replied('ses_1.4', 'Hi.'))).toEqual({ calls: [call('a')], tasks: [second] });
  expect(callsAfter(...waiting, { type: 'closed' }, replied('ses_1.4', ''))).toEqual(newCurrentCalls());
});
