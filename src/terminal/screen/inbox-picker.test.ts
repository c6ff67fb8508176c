import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import type { InboxRequest } from '../../commands/command-result.ts';
import type { RondoClient } from '../../ports/rondo-client.ts';
import { plainLook } from '../../testing/plain-look.ts';
import { createInboxPicker } from './inbox-picker.ts';

const request = (id: string, command: string, effect: string): InboxRequest =>
  ({
    question: {
      id,
      openedAt: 0,
      about: {
        type: 'approval',
        tool: 'shell',
        rule: 'default',
        reason: '',
        grants: [`shell(${command})`],
        unit: command,
      },
      facts: { segments: [{ text: command, effect }] },
      args: JSON.stringify({ command }),
    },
    session: `ses_${id}`,
    title: `Session ${id}`,
    cwd: '/srv/shop',
  }) as unknown as InboxRequest;

test('[C128] X selects requests of one kind, which Y allows once each; what can’t be undone is never among them', async () => {
  const answers: unknown[] = [];
  const said: string[] = [];
  const rondo = {
    open: async (session: string) => ({
      answer: async (question: string, answer: unknown) => {
        answers.push([session, question, answer]);
        return { type: 'accepted' };
      },
    }),
  } as unknown as RondoClient;
  const picker = createInboxPicker(
    {
      requests: [
        request('q_1', 'mkdir one', 'edit'),
        request('q_2', 'rm -rf dist', 'delete'),
        request('q_3', 'mkdir two', 'edit'),
        request('q_4', 'mkdir three', 'edit'),
      ],
      rondo,
      snoozed: new Map(),
      open: () => undefined,
      say: (text) => said.push(text),
    },
    { changed: () => undefined, closed: () => undefined, onProblem: (error) => said.push(String(error)) },
  );
  const press = (...given: readonly string[]) => {
    for (const key of given) {
      picker.lines(plainLook(120), 24, 30);
      picker.handle(key);
    }
  };
  // It has just opened: a key that was meant for something else answers nothing.
  press('y');
  await sleep(350);
  press('x', 'j', 'x', 'j', 'x');
  expect(picker.lines(plainLook(120), 24, 30).slice(0, 6)).toEqual([
    '▌ Inbox  4 open requests · 2 selected',
    '▌',
    expect.stringMatching(/^▌ {3}✓ Creates one /),
    expect.stringMatching(/^▌ {3}● Deletes dist /),
    expect.stringMatching(/^▌ ❯ ✓ Creates two /),
    expect.stringMatching(/^▌ {3}● Creates three /),
  ]);
  press('s', 'j', 'y', 'k');
  expect([answers, said]).toEqual([
    [],
    [
      "Questions and what can't be undone are answered one by one.",
      'Several requests are allowed once or denied.',
      "This request isn't among the selected ones. X adds it.",
    ],
  ]);
  press('y');
  await expect.poll(() => answers.length).toBe(2);
  expect(answers).toEqual([
    ['ses_q_1', 'q_1', { type: 'allow-once' }],
    ['ses_q_3', 'q_3', { type: 'allow-once' }],
  ]);
  picker.close();
});
