import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { createChatPlace } from './chat-place.ts';

test('[C126] line mode says Markdown without its marks, wraps at words, and a question once', async () => {
  await using place = await createChatPlace();
  const screen = place.chat(['--agent', 'testing', '--line'], { columns: 60 });
  await screen.saw(/Mode ask\. .*\nyou> /s);
  screen.type('say The **deploy** step copies all of `dist`, which has more than anybody needs\r');
  await screen.saw(/done: .*\n\nyou> /);
  expect(screen.whole()).toContain(
    'agent: The deploy step copies all of dist, which has more\nthan anybody needs\n',
  );
  screen.type('call ask_user {"question":"Which one?","options":["a.ts","b.ts"]}\r');
  await screen.saw('NEEDS YOU: Which one?');
  await screen.saw('answer> ');
  await sleep(400);
  screen.type('2\r');
  await screen.saw('answer: Chose “b.ts”\n');
  await screen.saw(/answer: [^]*done: .*\n\nyou> /);
  expect(screen.whole()).not.toContain('called ask_user');
});

test('[C128] in line mode a line that was typed before a question answers nothing', async () => {
  await using place = await createChatPlace();
  const screen = place.chat(['--agent', 'testing', '--line']);
  await screen.saw('you> ');
  screen.type('call shell {"command":"mkdir one"}\ry\rsay later\r');
  await screen.saw('NEEDS YOU: creates one');
  await screen.saw('Not answered: typed before the question.');
  await screen.saw(/answer> [^]*answer> /);
  await sleep(400);
  screen.type('n\r');
  await screen.saw('answer: Rejected');
  await screen.saw('refused: mkdir one. ');
  await screen.saw('agent: later');
  await expect(stat(path.join(place.project, 'one'))).rejects.toThrow('ENOENT');
});

/** The terminal was asked what has been typed, also on a busy machine. */
const afterLook = 1500;

test('[C128] in line mode a line that was begun before a request and ended after it denies nothing', async () => {
  await using place = await createChatPlace();
  await place.write('old/a.txt', 'a');
  const screen = place.chat(['--agent', 'testing', '--line']);
  await screen.saw('you> ');
  screen.type('call shell {"command":"rm -rf old"}\rsay ');
  await screen.saw('NEEDS YOU: deletes old');
  await screen.saw('answer> ');
  await sleep(afterLook);
  screen.type('later\r');
  await screen.saw('Begun before the question, so it is a prompt.');
  await screen.saw(/answer> [^]*answer> /);
  screen.type('say too\r');
  await screen.saw('Not an answer, so it is a prompt. To deny with a reason, type r.');
  screen.type('allow\r');
  await screen.saw("It can't be undone. Type yes to run it.");
  screen.type('yes\r');
  await screen.saw('answer: Allowed once');
  await screen.saw('agent: later');
  await expect(stat(path.join(place.project, 'old'))).rejects.toThrow('ENOENT');
});

test('[C128] in line mode a line that was begun before a question answers nothing, one begun after it does', async () => {
  await using place = await createChatPlace();
  const screen = place.chat(['--agent', 'testing', '--line']);
  await screen.saw('you> ');
  screen.type('call ask_user {"question":"Which one?","options":["a.ts","b.ts"]}\rsay ');
  await screen.saw('NEEDS YOU: Which one?');
  await screen.saw('answer> ');
  await sleep(afterLook);
  screen.type('later\r');
  await screen.saw('Begun before the question, so it is a prompt.');
  await screen.saw(/answer> [^]*answer> /);
  await sleep(afterLook);
  screen.type('rather c.ts\r');
  await screen.saw('answer: Answered “rather c.ts”');
  await screen.saw('agent: later');
  await screen.saw(/agent: later\ndone: .*\n\nyou> /);
  // A letter that was typed before, and Enter after.
  screen.type('call shell {"command":"mkdir two"}\ry');
  await screen.saw('NEEDS YOU: creates two');
  await sleep(afterLook);
  screen.type('\r');
  await screen.saw('Not answered: typed before the question.');
  await expect(stat(path.join(place.project, 'two'))).rejects.toThrow('ENOENT');
});

test('[C126] in line mode a list marks the current row, and a command typed there is one', async () => {
  await using place = await createChatPlace();
  const screen = place.chat(['--agent', 'testing', '--line']);
  await screen.saw('you> ');
  screen.type('/mode\r');
  await screen.saw(/1 {2}ask, current\n[^]*answer> /);
  screen.type('/status\r');
  await screen.saw(/state +New/);
  screen.type('/mode\r');
  await screen.saw(/answer> [^]*answer> /);
  screen.type('\r');
  await screen.saw('Nothing chosen.');
  // A session that isn't stored yet has no age.
  expect(screen.whole()).not.toContain('updated');
});

test('[C126] in line mode /sessions lists neither workers nor archived sessions', async () => {
  await using place = await createChatPlace();
  const screen = place.chat(['--agent', 'testing', '--line']);
  await screen.saw('you> ');
  screen.type('call delegate {"workers":[{"name":"scout","objective":"say done"}]}\r');
  await screen.saw(/done: .*\n\nyou> /);
  screen.type('/sessions\r');
  await screen.saw(/Sessions:\n {2}1 {2}call delegate .*\nType a number/);
  expect(screen.whole()).not.toMatch(/^ {2}\d {2}scout/m);
});
