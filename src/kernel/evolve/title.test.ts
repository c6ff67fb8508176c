import { expect, test } from 'vitest';

import { given } from '../../testing/given.ts';
import { call, chat, created, replied, task } from '../../testing/inputs.ts';
import { titleFrom } from './title.ts';

test.for([
  { text: 'Fix the build', title: 'Fix the build' },
  { text: '\n  ## Fix the build\nIt is red.', title: 'Fix the build' },
  { text: ' \n ', title: '' },
  {
    text: 'Please have a look at why the build of the web app has been red since Tuesday',
    title: 'Please have a look at why the build of the web app has been…',
  },
  { text: 'x'.repeat(80), title: `${'x'.repeat(59)}…` },
])('[S9] a title is the first line, cut at a word: $title', ({ text, title }) => {
  expect(titleFrom(text)).toBe(title);
});

test('[S9] a session is called by its first chat, unless it was given a name', () => {
  expect(given(created(), task(call('a')), chat('one'), chat('two')).state.title).toBe('one');
  expect(given(created({ title: 'Mine' }), chat('one'), replied('ses_1.4', 'Hi.')).state.title).toBe('Mine');
});
