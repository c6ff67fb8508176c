// `rondo inbox` on a terminal, stored as files. Change them only on purpose.
import { stripVTControlCharacters } from 'node:util';

import { visibleWidth } from '@earendil-works/pi-tui';
import { expect, test } from 'vitest';

import { clearOutRequest } from '../../testing/clear-out-request.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import { noPaint } from '../../wording/terminal-style.ts';
import { inboxTable, inboxQuestionText } from './inbox-text.ts';
import type { WaitingQuestion } from './waiting-questions.ts';

const minute = 60_000;
const now = 60 * minute;

const waiting = (title: string, cwd: string, age: number, question: object): WaitingQuestion =>
  ({
    title,
    cwd,
    state: { id: 'ses_7hwre' },
    question: { openedAt: now - age * minute, ...question } as unknown as OpenQuestion,
  }) as unknown as WaitingQuestion;

const chain = waiting('Clear out old builds', '/srv/lumen-shop', 2, { id: 'q_1hwre1', ...clearOutRequest });
const clarification = waiting('Cart total is off by a cent', '/srv/lumen-shop', 4, {
  id: 'q_1hwre2',
  about: {
    type: 'clarification',
    text: 'How should old orders be rounded?',
    options: ['Keep', 'Round again'],
    mayAnswerFreely: true,
  },
});
const edit = waiting('請求書のダークモード', '/srv/tidepool', 11, {
  id: 'q_1hwre3',
  about: {
    type: 'approval',
    call: 'c2',
    tool: 'edit',
    rule: 'default',
    reason: '',
    grants: ['edit(src/ingest/writer.ts)'],
  },
  args: JSON.stringify({ path: 'src/ingest/writer.ts', edits: [{ old_text: 'two', new_text: '2' }] }),
  facts: { paths: [{ path: 'src/ingest/writer.ts', inside: true }] },
});
const questions = [chain, clarification, edit];

test.each([60, 100, 200])('[C126] `rondo inbox` and a request of it, %i columns wide', async (width) => {
  const terminal = { isTerminal: true, width, paint: noPaint };
  const place = { terminal, env: { NO_COLOR: '1', LANG: 'C.UTF-8' }, now, answerBy: 'command' } as const;
  const read = async () => '';
  const texts = [
    `$ rondo inbox\n${inboxTable(questions, terminal, now)}`,
    ...(await Promise.all(
      questions.map(
        async (one, index) =>
          `$ rondo inbox ${index + 1}\n${await inboxQuestionText(one, { ...place, read, name: `${index + 1}` })}`,
      ),
    )),
    `$ rondo inbox -i\n${await inboxQuestionText(chain, { ...place, read, answerBy: 'key' })}`,
  ];
  const lines = texts
    .join('\n\n')
    .split('\n')
    .map((line) => stripVTControlCharacters(line).trimEnd());
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`../frames/inbox-${width}.txt`);
  const [table = ''] = texts;
  expect(table.split('\n').filter((line) => visibleWidth(line) > width)).toEqual([]);
});
