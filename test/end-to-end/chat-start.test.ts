// Plain `rondo`: the chat on a terminal, the help for scripts.
import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from 'vitest';

import { createChatPlace } from './chat-place.ts';
import { keys, openPty } from './pty-screen.ts';
import { rondoBinary } from '../fixtures/rondo-binary.ts';

test('[C126] plain rondo on a terminal opens the chat, and -c the newest session of the folder', async () => {
  await using place = await createChatPlace();
  const { project: cwd, env } = place;
  await using plain = openPty(process.execPath, [rondoBinary], { cwd, env });
  await plain.saw('Ask, or describe a change');
  plain.type(keys.ctrlD);
  expect(await plain.exited).toBe(0);
  await using first = openPty(process.execPath, [rondoBinary, '--agent', 'testing'], { cwd, env });
  await first.saw('Ask, or describe a change');
  first.type('about zebras');
  await first.saw('about zebras');
  first.type(keys.enter);
  await first.saw('You said: about zebras');
  first.type(keys.ctrlD);
  expect(await first.exited).toBe(0);
  await using again = openPty(process.execPath, [rondoBinary, '-c'], { cwd, env });
  await again.saw('You said: about zebras');
});

test('[C126] plain rondo without a terminal prints the help and exits with 2', async () => {
  await using place = await createChatPlace();
  const { status, stdout, stderr } = spawnSync(process.execPath, [rondoBinary], {
    cwd: place.project,
    env: place.env,
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining('rondo serve'),
  });
});

test('[C129] what was typed in a chat that was killed is in the history of the next one', async () => {
  await using place = await createChatPlace();
  const killed = await place.readyChat();
  killed.type('half a thought');
  await killed.saw('half a thought');
  const kept = () => readdir(path.join(place.home, 'drafts')).catch(() => []);
  await expect.poll(kept, { timeout: 20_000 }).toHaveLength(1);
  process.kill(killed.pid, 'SIGKILL');
  await killed.exited;
  const next = place.chat();
  await next.saw('The last chat here was killed.');
  next.type(keys.up);
  await next.until(() => next.rows().some((row) => row === '❯ half a thought'), 'the draft');
  expect(await kept()).toEqual([]);
});

test('a session whose chat was killed in a turn is listed as interrupted, not as working', async () => {
  await using place = await createChatPlace();
  const killed = await place.readyChat();
  killed.type('hang');
  await killed.saw('❯ hang');
  killed.type(keys.enter);
  await killed.saw('Esc interrupt');
  process.kill(killed.pid, 'SIGKILL');
  await killed.exited;
  const next = place.chat(undefined, { columns: 120 });
  await next.saw('Recent sessions');
  await next.until(() => next.rows().some((row) => row.includes('Interrupted. Opening it')), 'the row');
  expect(next.text()).toMatch(/○ hang .*Interrupted\. Opening it/);
});
