import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { createChatPlace, type ChatPlace } from './chat-place.ts';
import { keys } from './pty-screen.ts';
import { rondoBinary } from '../fixtures/rondo-binary.ts';

interface Served extends AsyncDisposable {
  readonly url: string;
  /** Kills it without a clean shutdown, as a crash does. */
  kill(): Promise<void>;
}

async function serve({ project, env }: ChatPlace, port = '0'): Promise<Served> {
  const child = spawn(process.execPath, [rondoBinary, 'serve', '--port', port], {
    cwd: project,
    env,
    stdio: 'pipe',
  });
  child.stderr.resume();
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    url: /http:\/\/[\d.:]+/.exec(line)?.[0] ?? '',
    async kill() {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
    },
  };
}

test('[C10] where a server runs, the chat is on its session: what others do there shows at once', async () => {
  await using place = await createChatPlace();
  await using server = await serve(place);
  const screen = await place.readyChat();
  screen.type('hello there');
  await screen.saw('❯ hello there');
  screen.type(keys.enter);
  await screen.saw('You said: hello there');

  const token = (await readFile(path.join(place.home, 'token'), 'utf8')).trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const call = async (path: string, body?: object) => {
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${server.url}/api/v1${path}`, init);
    return (await answer.json()) as {
      readonly entries: readonly { readonly session: string }[];
      readonly questions: readonly { readonly id: string }[];
    };
  };
  const [entry] = (await call('/sessions')).entries;
  await call(`/sessions/${entry?.session ?? ''}/inputs`, {
    type: 'chat',
    text: 'call shell {"command":"mkdir from-the-browser"}',
  });
  await screen.saw('Creates from-the-browser');
  const [question] = (await call('/questions')).questions;
  await call(`/questions/${question?.id ?? ''}/answer`, { choice: 'reject', reason: 'not here' });
  // The same person answered elsewhere, so no name is needed.
  await screen.saw('Rejected (“not here”): creates from-the-browser');
  await screen.gone('Y  Allow once');

  // The mode is rules of the session, so it changes on the server.
  screen.type(keys.shiftTab);
  await screen.saw('» accept edits');
  await screen.saw('Mode: accept edits');

  screen.type(keys.ctrlD);
  expect(await screen.exited).toBe(0);
  expect(screen.whole()).toContain(`Resume with: rondo --session ${entry?.session ?? ''}`);
});

test('[C13] over a server /context, /compact and /export work as in its own chat', async () => {
  await using place = await createChatPlace();
  await using _server = await serve(place);
  const screen = await place.readyChat();
  screen.type(`hello there${keys.enter}`);
  await screen.saw('You said: hello there');
  screen.type(`/context${keys.enter}`);
  await screen.saw('size of the window unknown');
  screen.type(`/export talk.md${keys.enter}`);
  await screen.saw('talk.md');
  await expect
    .poll(() => readFile(path.join(place.project, 'talk.md'), 'utf8').catch(() => ''))
    .toContain('hello there');
  screen.type(`/compact the greeting${keys.enter}`);
  await screen.saw('ummar');
  screen.type(keys.ctrlD);
  expect(await screen.exited).toBe(0);
});

test('[C126] Ctrl+X archives in the list of sessions, on a server and alone alike', async () => {
  await using place = await createChatPlace();
  await using server = await serve(place);
  const screen = await place.readyChat({ columns: 100 });
  screen.type(`hello there${keys.enter}`);
  await screen.saw('You said: hello there');
  screen.type(keys.ctrlP);
  await screen.saw('Ctrl+X archive');
  await screen.saw('1 · this folder 1');
  screen.type(keys.ctrlX);
  await screen.saw('0 · this folder 0');
  screen.type(keys.escape);
  await screen.gone('Ctrl+X archive');
  screen.type(keys.ctrlD);
  expect(await screen.exited).toBe(0);
  await server.kill();

  const alone = await place.readyChat({ columns: 100 }, ['--agent', 'testing', '--alone']);
  alone.type(keys.ctrlP);
  await alone.saw('0 · this folder 0 · Tab all folders');
  alone.type(`${keys.tab}${keys.tab}`);
  await alone.saw('1 archived · Tab this folder');
  alone.type(keys.ctrlX);
  await alone.saw('1 · this folder 1 · Tab all folders');
});

test('[P1] a prompt that is sent while the server is gone stays in sight and is delivered once it is back', async () => {
  await using place = await createChatPlace();
  await using first = await serve(place);
  const name = first.url.replace('http://', '');
  const screen = await place.readyChat({ columns: 100 });
  screen.type(`hello there${keys.enter}`);
  await screen.saw('You said: hello there');
  await first.kill();
  await screen.saw('· ◌ local');
  await screen.saw('Reconnecting to local');
  screen.type(`words that wait${keys.enter}`);
  await screen.saw('◌ words that wait');
  await screen.saw('1 prompt will be sent');
  await screen.saw('next try in');
  await screen.saw('The server stopped: `rondo serve` starts it again.');
  await using _second = await serve(place, name.split(':')[1]);
  screen.type(`/reconnect${keys.enter}`);
  await screen.saw('You said: words that wait');
  await screen.saw('Reconnected after');
  await screen.gone('◌ local');
  expect(screen.text()).not.toContain('not sent yet');
  screen.type(keys.ctrlD);
  expect(await screen.exited).toBe(0);
  expect(screen.whole()).not.toContain('Not sent');
});

test('[C128] while the server is away a request stays in sight, and its answer is sent on reconnect', async () => {
  await using place = await createChatPlace();
  await using first = await serve(place);
  const port = first.url.split(':').at(-1);
  const screen = await place.readyChat({ columns: 100, rows: 30 });
  screen.type(`call shell {"command":"mkdir one"}${keys.enter}`);
  await screen.saw('Press Tab to type');
  await sleep(400);
  await first.kill();
  await screen.saw('Reconnecting to local');
  await screen.saw('❯ Y  Allow once');
  screen.type('y');
  await screen.saw(/◌ Answered: Creates one +not sent yet/);
  // What is typed after the answer is a prompt.
  screen.type('yes, go on');
  await screen.saw('❯ yes, go on');
  await using _second = await serve(place, port);
  await screen.saw('✓ Ran mkdir one');
  await screen.saw('Allowed once: creates one');
  await screen.gone('not sent yet');
  expect((await stat(path.join(place.project, 'one'))).isDirectory()).toBe(true);
});

test('[P1] a prompt that the server never got is given back on leaving, with the command that sends it', async () => {
  await using place = await createChatPlace();
  await using server = await serve(place);
  const screen = await place.readyChat({ columns: 100 });
  screen.type(`hello there${keys.enter}`);
  await screen.saw('You said: hello there');
  await server.kill();
  await screen.saw('◌ local');
  screen.type(`it's kept${keys.enter}`);
  await screen.saw("◌ it's kept");
  screen.type(keys.ctrlD);
  expect(await screen.exited).toBe(0);
  expect(screen.whole()).toContain("Not sent, because the server didn't confirm it: it's kept");
  const shown = screen.whole().replaceAll(/\s+/g, ' ');
  expect(shown).toMatch(/Send it with: rondo run --session ses_\w+ 'it'\\''s kept'/);
});
