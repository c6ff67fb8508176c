// What an editor sees of plans, and of a rewind that a person types there.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from 'vitest';

import { newSession, openEditor, say, openEditorOnAgent } from './acp-editor.ts';
import { createCliPlace } from './cli-process.ts';

test("[C157] a hosted agent's plan reaches the editor, each version of it whole", async () => {
  await using place = await createCliPlace();
  await using editor = await openEditorOnAgent(place);
  const sessionId = await newSession(editor, place);
  await say(editor, sessionId, 'plan Read the tests|Fix the parser\nplan Fix the parser');
  const entry = (content: string) => ({ content, priority: 'medium', status: 'pending' });
  expect(editor.updates.filter(({ sessionUpdate }) => sessionUpdate === 'plan')).toEqual([
    { sessionUpdate: 'plan', entries: [entry('Read the tests'), entry('Fix the parser')] },
    { sessionUpdate: 'plan', entries: [entry('Fix the parser')] },
  ]);
});

test('[C119] [C157] /rewind and /undo in an editor restore conversation and files', async () => {
  await using place = await createCliPlace();
  await place.write('notes.txt', 'before\n');
  await using editor = await openEditor(place);
  const sessionId = await newSession(editor, place);
  const text = () => readFile(path.join(place.project, 'notes.txt'), 'utf8');
  await say(editor, sessionId, 'say first');
  await say(editor, sessionId, 'call write {"path":"notes.txt","content":"after\\n"}');
  expect(await text()).toBe('after\n');
  await say(editor, sessionId, '/rewind #2');
  expect(await text()).toBe('before\n');
  await say(editor, sessionId, '/undo');
  expect(await text()).toBe('after\n');
  const restored =
    '1 file restored: notes.txt\nRondo saved what they held, including changes of your own. Undo brings it back.\nUndo: /undo';
  const [, reports = ''] = editor.said().split('(6 bytes).');
  expect(reports).toBe(
    `Rewound to before "call write {"path":"notes.txt","content":"after\\n"}".\n${restored}Rewound to event 21.\n${restored}`,
  );
});
