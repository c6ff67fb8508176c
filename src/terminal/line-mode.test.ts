// What line mode prints, stored as files. Change them only on purpose.
import { expect, test } from 'vitest';

import type { SessionId } from '../kernel/ids.ts';
import { clearOutCommand, clearOutRequest } from '../testing/clear-out-request.ts';
import type { Item } from '../views/transcript-item.ts';
import { newChatView, type ChatView } from './chat/chat-view.ts';
import { createLinePrinter } from './lines/line-printer.ts';

const me = { type: 'person', name: 'terminal' };
const call = (id: string, tool: string, args: object, state: object = {}) => ({
  id,
  type: 'call',
  call: id,
  tool,
  args: JSON.stringify(args),
  facts: {},
  state: { type: 'succeeded', output: '', at: 0, durationMs: 300, ...state },
});
const said = (id: string, text: string) => ({ id, type: 'message', text, outcome: { type: 'completed' } });

const asked = [
  {
    id: '1',
    type: 'prompt',
    by: me,
    taken: 'turn-started',
    asked: { type: 'chat', text: 'The deploy takes four minutes. Clear out what nobody needs.' },
    receivedAt: 0,
    at: 0,
  },
  call('2', 'read', { path: 'scripts/deploy.sh' }),
  said(
    '3',
    "The deploy step copies all of `dist`. Old bundles in dist/old make it 1.2 GB. The current ones are 96 MB. I'll delete the old ones and log the sizes before and after.",
  ),
];
const request = { id: 'q_1', openedAt: 0, ...clearOutRequest };
const answered = [
  {
    id: '4',
    type: 'question',
    question: 'q_1',
    about: request.about,
    state: { type: 'answered', by: me, answer: { type: 'allow-once' }, at: 0 },
  },
  call('5', 'shell', { command: clearOutCommand }, { data: { exitCode: 0 }, durationMs: 1900 }),
  call('6', 'shell', { command: 'npm run deploy' }, { data: { exitCode: 1 }, output: 'no network' }),
  call('7', 'write', { path: '.env' }, { type: 'refused', reason: 'A rule denies it.' }),
  said('8', 'Deleted 412 files. `dist` went from 1.2 GB to 96 MB.'),
  { id: '9', type: 'ending', by: me, ending: { type: 'completed' }, durationMs: 41_000, at: 0 },
];

function viewOf(items: readonly object[], questions: readonly object[]): ChatView {
  const status = { cwd: '/srv/lumen-shop', lifecycle: 'idle', questions, queue: { paused: false, prompts: [] } };
  return {
    ...newChatView('ses_1' as SessionId, items as readonly Item[]),
    status: status as unknown as ChatView['status'],
    costs: new Map([['9', 0.12]]),
  };
}

test.each([60, 120, 200])('[C126] line mode %i columns wide', async (width) => {
  let text = '';
  const printer = createLinePrinter((part) => (text += part), {
    isSpoken: true,
    self: () => 'terminal',
    columns: () => width,
  });
  printer.print(viewOf(asked, [request]), 0);
  printer.print(viewOf([...asked, ...answered], []), 0);
  printer.end();
  expect(text.split('\n').filter((line) => line.length >= width)).toEqual([]);
  await expect(text).toMatchFileSnapshot(`frames/line-mode-${width}.txt`);
});
