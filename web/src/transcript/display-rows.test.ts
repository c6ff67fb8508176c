import { expect, test } from 'vitest';

import type { Item } from '../../../src/views/transcript-item.ts';
import { displayRows, type DisplayRow } from './display-rows.ts';

const by = { type: 'person', name: 'ada' } as const;
const item = (id: string, type: string, more: object = {}): Item =>
  ({ id, at: 0, by, type, ...more }) as unknown as Item;
const prompt = (id: string) => item(id, 'prompt', { asked: { type: 'chat', text: 'x' } });
const said = (id: string, text: string, outcome: object = { type: 'completed' }) =>
  item(id, 'message', { text, outcome });
const call = (id: string, tool = 'read') => item(id, 'call', { tool, args: '{}', state: { type: 'succeeded' } });
const notice = (id: string, about: object) => item(id, 'notice', { about });
const ending = (id: string, type: string) => item(id, 'ending', { ending: { type } });
const shape = (rows: readonly DisplayRow[]): readonly unknown[] =>
  rows.map((row) => {
    if (row.type === 'calls') return `calls ${row.calls.map(({ id }) => id).join(' ')}`;
    if (row.type === 'undone')
      return [
        `undone ${row.steps}${row.isRestored ? ' restored' : ''}${row.isLast ? ' last' : ''}`,
        shape(row.rows),
      ];
    return `${row.type} ${row.id}${row.type === 'item' && row.isErrorBelow ? ' quiet' : ''}${row.type === 'ending' && row.stoppedBy !== undefined ? ` by ${row.stoppedBy}` : ''}`;
  });

test('consecutive calls fold into one row, over empty replies and answered approvals', () => {
  const answered = item('5', 'question', { about: { type: 'approval' }, state: { type: 'answered' } });
  const rows = displayRows([
    prompt('1'),
    said('2', ''),
    call('2.1'),
    call('2.2'),
    answered,
    said('6', ''),
    call('6.1'),
    said('8', 'Done.'),
  ]);
  expect(shape(rows)).toEqual(['item 1', 'calls 2.1 2.2 6.1', 'item 8']);
});

test('an error and a stop are shown once, below what they ended', () => {
  expect(shape(displayRows([prompt('1'), said('2', 'Half', { type: 'failed' }), ending('3', 'failed')]))).toEqual([
    'item 1',
    'item 2 quiet',
    'ending 3',
  ]);
  const stopped = notice('3', { type: 'interrupted', ending: { type: 'cancelled' } });
  expect(
    shape(displayRows([prompt('1'), stopped, said('4', 'Half', { type: 'cancelled' }), ending('5', 'cancelled')])),
  ).toEqual(['item 1', 'item 4 quiet', 'ending 5 by ada']);
  expect(shape(displayRows([prompt('1'), stopped]))).toEqual(['item 1', 'item 3']);
});

test('a rewound part collapses with its steps and files; the undo of a rewind shows it again', () => {
  const talk = [
    prompt('1'),
    said('2', 'One'),
    ending('3', 'completed'),
    prompt('4'),
    call('5.1'),
    said('6', 'Two'),
    ending('7', 'completed'),
  ];
  const rewound = [
    ...talk,
    notice('8', { type: 'files-restored', to: 3 }),
    notice('9', { type: 'rewound', to: 3 }),
  ];
  expect(shape(displayRows(rewound))).toEqual([
    'item 1',
    'item 2 quiet',
    'ending 3',
    ['undone 2 restored last', ['item 4', 'calls 5.1', 'item 6 quiet', 'ending 7']],
  ]);
  const undone = [...rewound, notice('10', { type: 'rewound', to: 7 }), prompt('11')];
  expect(shape(displayRows(undone)).slice(3)).toEqual([
    'item 4',
    'calls 5.1',
    'item 6 quiet',
    'ending 7',
    'item 11',
  ]);
});
