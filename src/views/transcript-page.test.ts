import { expect, test } from 'vitest';

import { newState } from '../kernel/state.ts';
import { step } from '../kernel/decide/step.ts';
import { stepSoundly, testSession } from '../testing/given.ts';
import { call, created, task } from '../testing/inputs.ts';
import { lastPage, pageBefore } from './transcript-page.ts';
import { newTranscript, transcriptWith } from './transcript.ts';
import { timeAt } from '../kernel/time.ts';

function longTranscript(tasks: number) {
  let { state, events } = stepSoundly(newState(testSession), created());
  let view = events.reduce(transcriptWith, newTranscript(testSession));
  for (let index = 0; index < tasks; index += 1) {
    // The call has a problem, so the whole turn is one step.
    const problem = { code: 'bad', message: 'no' };
    const input = task(call('a', 'look', { problem }), call('b', 'look', { problem }));
    ({ state, events } = step(state, { at: timeAt(index), by: { type: 'person', name: 'ann' }, ...input }));
    view = events.reduce(transcriptWith, view);
  }
  return view;
}

test('pages from the end to the beginning hold every item once, in order', () => {
  const view = longTranscript(100);
  const pages = [lastPage(view, 7)];
  for (let page = pages[0]; page?.before !== undefined;) {
    page = pageBefore(view, page.before, 7);
    pages.unshift(page);
  }
  const items = pages.flatMap((page) => page.items);
  expect(items.length).toBe(view.items.length);
  expect(items).toEqual(lastPage(view, view.items.length).items);
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  expect(pages.every((page, index) => index === 0 || page.items.length === 7)).toBe(true);
});

test('the page before the calls of one event is cut between them', () => {
  const view = longTranscript(1);
  expect(lastPage(view, 100).items.map(({ id }) => id)).toEqual(['3', '3.1', '3.2', '6']);
  expect(pageBefore(view, '3.2', 2)).toEqual({ items: lastPage(view, 100).items.slice(0, 2) });
  expect(pageBefore(view, '3.2', 1)).toEqual({ items: lastPage(view, 100).items.slice(1, 2), before: '3.1' });
});

test('the page before the first item, or before no id, is empty', () => {
  const view = longTranscript(1);
  expect([
    pageBefore(view, '3', 5),
    pageBefore(view, 'nonsense', 5),
    lastPage(newTranscript(testSession), 5),
  ]).toEqual([{ items: [] }, { items: [] }, { items: [] }]);
});
