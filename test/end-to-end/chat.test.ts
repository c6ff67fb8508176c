import { execFile, execFileSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { createHeadlessIo, createRondo, serveIo, type Recorded } from '../../src/rondo.ts';
import { testingAgent } from '../../src/testing/testing-agent.ts';
import { createChatPlace, type ChatPlace } from './chat-place.ts';
import { keys, openPty, type PtyScreen } from './pty-screen.ts';
import { rondoBinary } from '../fixtures/rondo-binary.ts';

const ready = 'Ask, or describe a change';

/** The row of the prompt. */
const promptRow = (screen: PtyScreen) => screen.rows().at(-4);

async function say(screen: PtyScreen, text: string): Promise<void> {
  screen.type(text);
  await screen.saw(text.slice(0, 30));
  screen.type(keys.enter);
}

async function rondo({ project, env }: ChatPlace, ...words: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [rondoBinary, ...words], { cwd: project, env });
  return stdout;
}

test('[C129] a prompt is answered, the session can be resumed, and history outlives the run', async () => {
  await using place = await createChatPlace();
  const first = await place.readyChat();
  await say(first, 'hello there');
  await first.saw('You said: hello there');
  first.type(keys.ctrlD);
  expect(await first.exited).toBe(0);
  const [, resume = ''] = /Resume with: rondo --session (ses_\w+)/.exec(first.whole()) ?? [];
  expect(first.whole()).toContain('You said: hello there');
  const file = path.join(place.home, 'history');
  expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).toEqual([
    `${JSON.stringify(['hello there', place.project])}\n`,
    0o600,
  ]);

  const again = place.chat(['--session', resume]);
  await again.saw('You said: hello there');
  again.type(keys.up);
  await again.until(() => promptRow(again) === '❯ hello there', 'the line typed before');
  again.type('!');
  await again.until(() => promptRow(again) === '❯ hello there!', 'the cursor at its end');
  again.type('\u007F');
  await again.until(() => promptRow(again) === '❯ hello there', 'the line as it was');
  again.type(keys.enter);
  await again.until(() => again.text().split('You said: hello there').length === 3, 'a second answer');
  again.type('/exit');
  again.type(keys.enter);
  expect(await again.exited).toBe(0);
});

test('[C128] an approval shows what, why, which rule and each part, and takes a key', async () => {
  await using place = await createChatPlace();
  const screen = await place.readyChat({ rows: 36 });
  await say(screen, 'call shell {"command":"mkdir one && mkdir two"}');
  await screen.saw('Y  Allow once');
  await focused(screen);
  expect(cardOf(screen)).toEqual([
    '▌ Creates one, creates two',
    '▌',
    '▌ 1 command, 2 parts. 2 not covered by a rule.',
    '▌ 1    mkdir one                                                       no rule',
    '▌      !  Creates one',
    '▌ 2 && mkdir two                                                       no rule',
    '▌      !  Creates two',
    '▌',
    '▌ ❯ Y  Allow once          Runs both parts. Saves no rule.',
    '▌   S  Allow this session',
    '▌      shell(mkdir one) [edit]  shell(mkdir two) [edit]  until the session',
    '▌      ends',
    '▌   A  Always allow',
    '▌      shell(mkdir one) [edit]  shell(mkdir two) [edit]  in project',
    '▌   N  Deny                Tells the agent no.   R  Deny with a reason',
  ]);
  screen.type('y');
  await screen.saw('✓ Allowed once: creates one');
  await screen.saw('✓ Ran mkdir one && mkdir two');
  expect((await stat(path.join(place.project, 'two'))).isDirectory()).toBe(true);
});

/** The card has the keys, and counts them. */
async function focused(screen: PtyScreen): Promise<void> {
  await screen.saw('Press Tab to type');
  await sleep(400);
}

/** The lines of the open card. */
function cardOf(screen: PtyScreen): readonly string[] {
  return screen.rows().filter((row) => row.startsWith('▌'));
}

test('a call is rejected with a reason, and the reason reaches the model', async () => {
  await using place = await createChatPlace();
  const screen = await place.readyChat();
  await say(screen, 'call shell {"command":"mkdir one"}');
  await focused(screen);
  screen.type('r');
  await screen.saw('Why not?');
  await say(screen, 'not on a Monday');
  await screen.saw('Rejected (“not on a Monday”): creates one');
  await screen.saw('shell (refused): The user rejected this call: not on a Monday');
  expect(screen.text()).not.toContain('Y  Allow once');
});

test('an edit is asked about with its diff, and the block opens with the whole of it', async () => {
  await using place = await createChatPlace();
  await place.write('notes.txt', 'one\ntwo\nthree\n');
  const screen = await place.readyChat({ rows: 40 });
  await say(screen, 'call read {"path":"notes.txt"}');
  await screen.saw('✓ Read notes.txt');
  await say(screen, 'call edit {"path":"notes.txt","edits":[{"old_text":"two","new_text":"2"}]}');
  await focused(screen);
  await screen.saw('two');
  expect(cardOf(screen).slice(0, 8)).toEqual([
    '▌ Edits notes.txt',
    '▌ No rule covers it, so it needs your approval.',
    '▌',
    "▌ notes.txt  +1 −1                                     in the session's folder",
    '▌    1    one',
    '▌    2  - two',
    '▌    2  + 2',
    '▌    3    three',
  ]);
  screen.type(keys.enter);
  await screen.saw('✓ Edited notes.txt   +1 −1');
  expect(await readFile(path.join(place.project, 'notes.txt'), 'utf8')).toBe('one\n2\nthree\n');
  screen.type(keys.ctrlO);
  await screen.saw('Enter open');
  screen.type(keys.ctrlO);
  await screen.saw('Allowed by you');
});

test('a question that is answered elsewhere says by whom, and the chat moves on', async () => {
  await using place = await createChatPlace();
  const screen = await place.readyChat();
  await say(screen, 'call shell {"command":"mkdir one"}');
  await screen.saw('Y  Allow once');
  const question = /q_\w+/.exec(await rondo(place, 'show', 'latest'))?.[0] ?? '';
  await rondo(place, 'answer', question, 'reject', 'from outside');
  await screen.saw('Rejected (“from outside”): creates one');
  await screen.gone('Y  Allow once');
  await screen.until(() => promptRow(screen)?.includes('Ask, or') === true, 'the empty prompt');
  expect(cardOf(screen)).toEqual([]);
});

test('[C17] Ctrl+C clears the draft, then stops the turn, then leaves; at the prompt it takes two', async () => {
  await using place = await createChatPlace();
  const screen = await place.readyChat();
  await say(screen, 'hang');
  await screen.saw('◐ Working');
  screen.type('a draft');
  await screen.saw('❯ a draft');
  screen.type(keys.ctrlC);
  await screen.until(() => promptRow(screen)?.includes('Queue a follow-up') === true, 'an empty prompt');
  expect(screen.text()).not.toContain('Stopped');
  screen.type(keys.ctrlC);
  await screen.saw('■ Stopped');
  await sleep(2100);
  screen.type(keys.up);
  await screen.until(() => promptRow(screen) === '❯ a draft', 'the cleared draft');
  screen.type(keys.ctrlC);
  await screen.until(() => promptRow(screen)?.includes('Ask, or') === true, 'an empty prompt again');
  await sleep(2100);
  await say(screen, 'hang');
  await screen.saw('◐ Working');
  screen.type(keys.ctrlC);
  screen.type(keys.ctrlC);
  expect(await screen.exited).toBe(0);
  expect(screen.whole()).toMatch(/Resume with: rondo --session ses_\w+/);

  const prompt = await place.readyChat();
  prompt.type(keys.ctrlC);
  await prompt.saw('Press Ctrl+C again to leave');
  prompt.type(keys.ctrlC);
  expect(await prompt.exited).toBe(0);
  expect(prompt.whole()).not.toContain('Resume with');
});

test('[C17] Esc interrupts a turn and keeps the draft; it folds a request and never answers it', async () => {
  await using place = await createChatPlace();
  const screen = await place.readyChat();
  await say(screen, 'hang');
  await screen.saw('◐ Working');
  screen.type('a draft');
  await screen.saw('❯ a draft');
  screen.type(keys.escape);
  await screen.saw('■ Stopped');
  expect(promptRow(screen)).toBe('❯ a draft');
  screen.type(keys.ctrlC);
  await screen.gone('a draft');
  await say(screen, 'call shell {"command":"mkdir one"}');
  await focused(screen);
  screen.type(keys.escape);
  await screen.saw('Tab answer');
  await screen.gone('Y  Allow once');
  screen.type(keys.tab);
  await screen.saw('Y  Allow once');
  screen.type(keys.escape);
  await screen.gone('Y  Allow once');
  screen.type(keys.escape);
  await screen.saw('Withdrawn: creates one');
  await expect(stat(path.join(place.project, 'one'))).rejects.toThrow('ENOENT');
});

test('[C128] an arriving question takes no keystroke, and what can’t be undone needs Y twice', async () => {
  await using place = await createChatPlace();
  await place.write('old/a.txt', 'a');
  const screen = await place.readyChat({ rows: 40 });
  await say(screen, 'call shell {"command":"ls old && rm -rf old"}');
  screen.type('y');
  await screen.saw('Tab to answer');
  await screen.until(() => promptRow(screen) === '❯ y', 'the key in the prompt');
  await sleep(900);
  screen.type('\u007F');
  await focused(screen);
  screen.type(keys.enter);
  // A key that is let go after one repetition isn't pressed twice.
  screen.type('Y');
  screen.type('y');
  await screen.until(
    () => screen.raw.includes('Let go of Y, then press it again to run'),
    'the line that asks to let go',
  );
  await screen.saw('Press Y again to run');
  expect((await stat(path.join(place.project, 'old'))).isDirectory()).toBe(true);
  // A key that is held isn't a second press, whether the terminal says so or not.
  for (const held of ['y', '\u001B[121;1:2u', 'y', 'y', 'y', 'y']) {
    await sleep(60);
    screen.type(held);
  }
  await sleep(400);
  expect((await stat(path.join(place.project, 'old'))).isDirectory()).toBe(true);
  screen.type('y');
  await screen.saw('✓ Ran ls old && rm -rf old');
  await expect(stat(path.join(place.project, 'old'))).rejects.toThrow('ENOENT');
});

test('[C128] a prompt that is typed while a question opens is queued, and words on its card answer it', async () => {
  await using place = await createChatPlace();
  const screen = await place.readyChat({ columns: 100, rows: 30 });
  await say(screen, 'call ask_user {"question":"Which one?","options":["a.ts","b.ts"]}');
  screen.type('say later');
  await screen.saw('Tab to answer');
  await screen.saw('❯ say later');
  screen.type(keys.enter);
  await screen.saw(/^1 say later +queued$/m);
  await focused(screen);
  screen.type('rather c.ts');
  await screen.saw('Your answer  Enter send  Esc back');
  screen.type(keys.enter);
  await screen.saw('Answered “rather c.ts”');
  await screen.saw('later');
  await screen.gone('◐ Working');
  expect(cardOf(screen)).toEqual([]);
});

test('[P8] Shift+Tab cycles presets of rules: accepted edits run unasked, and ask asks again', async () => {
  await using place = await createChatPlace();
  await promisify(execFile)('git', ['init', '-q', place.project]);
  const screen = await place.readyChat({ columns: 100 });
  screen.type(keys.shiftTab);
  await screen.saw('» accept edits');
  await say(screen, 'say hello');
  await screen.saw('Mode: accept edits');
  await screen.gone('◐ Working');
  await say(screen, 'call write {"path":"made.txt","content":"one"}');
  await screen.saw('✓ Created made.txt');
  expect(await readFile(path.join(place.project, 'made.txt'), 'utf8')).toBe('one');
  await screen.gone('◐ Working');
  const show = await rondo(place, 'show', 'latest', '--events', '--json');
  expect(show).toContain('"type":"policy-changed"');
  screen.type(keys.shiftTab);
  await screen.gone('» accept edits');
  for (let press = 0; press < 2 && screen.text().includes('» auto'); press += 1) screen.type(keys.shiftTab);
  await screen.gone('»');
  await screen.saw('Mode: ask');
  await say(screen, 'call write {"path":"made.txt","content":"two"}');
  await screen.saw('Y  Allow once');
});

test('[P8] /mode lists the presets of Shift+Tab first, and applies the chosen one', async () => {
  await using place = await createChatPlace();
  await promisify(execFile)('git', ['init', '-q', place.project]);
  const screen = await place.readyChat({ columns: 100 });
  await say(screen, '/mode');
  await screen.saw(/❯ ask .*✓ current/);
  screen.type('edits');
  await screen.saw(/❯ accept edits/);
  screen.type(keys.enter);
  await screen.saw('» accept edits');
  await say(screen, '/mode auto');
  await screen.saw('Auto needs the sandbox: rondo doctor');
  await say(screen, '/mode supervised');
  await say(screen, 'call write {"path":"made.txt","content":"one"}');
  await screen.saw('Y  Allow once');
  await focused(screen);
  screen.type(keys.escape);
  screen.type(keys.escape);
  await screen.saw('■ Stopped');
  await say(screen, '/mode accept-edits');
  await screen.saw('» accept edits');
  await say(screen, 'call write {"path":"made.txt","content":"two"}');
  await screen.saw('✓ Created made.txt');
  expect(await readFile(path.join(place.project, 'made.txt'), 'utf8')).toBe('two');
});

test('[C126] ? shows all keys, and any key closes it', async () => {
  await using place = await createChatPlace();
  const screen = await place.readyChat({ columns: 120, rows: 36 });
  screen.type('?');
  await screen.saw('▌ Prompt                                Turn                                  Requests');
  screen.type('x');
  await screen.gone('deny with a reason');
  // As xterm sends it.
  screen.type('\u001B[27;2;63~');
  await screen.saw('deny with a reason');
  screen.type('x');
  await screen.gone('deny with a reason');
  expect(promptRow(screen)).toBe('❯ Ask, or describe a change');
});

test('a prompt sent while one runs waits in the queue, is edited there, and a steered one joins the turn', async () => {
  await using place = await createChatPlace();
  const screen = await place.readyChat({ rows: 30 });
  await say(screen, 'hang');
  await screen.saw('◐ Working');
  await say(screen, 'second');
  await screen.saw(/^1 second +queued$/m);
  screen.type(keys.up);
  await screen.saw('Queued prompt');
  screen.type(' thoughts');
  await screen.saw('❯ second thoughts');
  screen.type(keys.enter);
  await screen.saw(/^1 second thoughts +queued$/m);
  screen.type('look here');
  await screen.saw('❯ look here');
  screen.type(keys.ctrlS);
  await screen.saw(/^↳ look here +steer · joins at the next step$/m);
  screen.type(keys.escape);
  await screen.saw('2 queued · paused');
  screen.type(keys.enter);
  await screen.saw('❯ second thoughts');
  await screen.saw(/^↳ look here +steered · taken in \d\d:\d\d/m);
  await screen.saw('You said: look here');
  expect(screen.text()).not.toContain('queued');
});

test('[C150] !command runs unasked and !! repeats it; @ completes a file that git does not ignore, / completes with help', async () => {
  await using place = await createChatPlace();
  await place.write('.gitignore', 'secret-notes.md\n');
  await place.write('open-notes.md', '');
  await place.write('secret-notes.md', '');
  const screen = await place.readyChat();
  screen.type('!mkdir made');
  await screen.until(() => promptRow(screen) === '! mkdir made', 'the shell prompt');
  screen.type(keys.enter);
  await screen.saw('✓ Ran mkdir made');
  expect((await stat(path.join(place.project, 'made'))).isDirectory()).toBe(true);
  await screen.gone('◐ Working');
  screen.type(`!rmdir made${keys.enter}`);
  await screen.saw('✓ Ran rmdir made');
  await screen.gone('◐ Working');
  screen.type(`!!${keys.enter}`);
  await screen.saw('✗ Ran rmdir made   exit 1');
  await screen.gone('◐ Working');
  expect(screen.whole()).not.toContain('Allowed once');
  screen.type('see @notes');
  await screen.saw('open-notes.md');
  expect(screen.text()).not.toContain('secret-notes.md');
  screen.type(keys.tab);
  await screen.saw('see @open-notes.md');
  screen.type('\u0015');
  await screen.gone('see @open');
  screen.type('/us');
  await screen.saw('Show tokens, cost and time');
  screen.type(keys.enter);
  await screen.saw('model time');
  await say(screen, '/frobnicate');
  await screen.saw('Unknown command /frobnicate.');
  await say(screen, '/stats');
  await screen.saw('Did you mean /status?');
});

test('a paste is inserted as it is and sends nothing; Alt+Enter adds a line', async () => {
  await using place = await createChatPlace();
  const screen = await place.readyChat();
  screen.type('\u001B[200~first line\rsecond line\u001B[201~');
  await screen.saw('second line');
  expect(screen.rows().slice(-5, -2)).toEqual(['❯ first line', '  second line', '─'.repeat(80)]);
  screen.type(keys.altEnter);
  screen.type('third 日本語');
  await screen.saw('  third 日本語');
  screen.type(keys.enter);
  await screen.saw('You said: first line');
  await screen.saw('third 日本語');
  await screen.until(() => promptRow(screen)?.includes('Ask, or') === true, 'the empty prompt');
  // While a request has the keys, a paste goes to the draft: its letters answer nothing.
  await say(screen, 'call shell {"command":"mkdir one"}');
  await screen.saw('Y  Allow once');
  await focused(screen);
  screen.type(`\u001B[200~${'y\n'.repeat(10_000)}\u001B[201~`);
  await screen.until(() => promptRow(screen) === '❯ [Pasted 10,000 lines]', 'the mark of a long paste');
  expect(cardOf(screen)[0]).toBe('▌ Creates one');
  screen.type('\u007F');
  await screen.until(() => promptRow(screen) !== '❯ [Pasted 10,000 lines]', 'the mark removed as one');
  expect(screen.text()).not.toContain('[Pasted');
});

test('a resize leaves no mess, narrow or wide', async () => {
  await using place = await createChatPlace();
  const screen = await place.readyChat();
  await say(screen, 'some words that will have to be wrapped when there is little room for them');
  await screen.saw('You said: some words');
  await screen.gone('◐ Working');
  for (const [columns, rows] of [
    [40, 16],
    [140, 40],
    [80, 24],
  ] as const) {
    screen.resize(columns, rows);
    await screen.until(() => screen.rows().includes('─'.repeat(columns)), `a screen of ${columns} columns`);
    expect(screen.rows().filter((row) => row.startsWith('──')).length).toBe(2);
    expect(screen.text().replaceAll(/\s+/g, ' ')).toContain(
      'You said: some words that will have to be wrapped when there is little room for them',
    );
  }
});

test('[C126] a resize in the middle of a running command keeps its output and the prompt', async () => {
  await using place = await createChatPlace();
  const screen = await place.readyChat();
  screen.type('!for n in 1 2 3 4 5 6 7 8; do echo line $n; sleep 0.2; done');
  await screen.saw('sleep 0.2; done');
  screen.type(keys.enter);
  await screen.saw('line 2');
  for (const columns of [44, 100]) {
    screen.resize(columns, 24);
    await screen.until(() => screen.rows().includes('─'.repeat(columns)), `a screen of ${columns} columns`);
  }
  await screen.saw('line 8');
  await screen.saw('✓ Finished');
  expect(screen.rows().filter((row) => row.startsWith('──')).length).toBe(2);
});

test('a crash and a signal leave the terminal as it was', async () => {
  await using place = await createChatPlace();
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    const screen = await place.readyChat();
    process.kill(screen.pid, signal);
    await screen.exited;
    expectRestored(screen);
  }
  const crashing = await place.readyChat({
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(crashOnSignal)}` },
  });
  process.kill(crashing.pid, 'SIGUSR2');
  expect(await crashing.exited).toBe(1);
  expectRestored(crashing);
  expect(crashing.whole()).toContain('told to crash');
});

const crashOnSignal = `process.on('SIGUSR2',()=>{throw new Error('told to crash')});`;

function expectRestored(screen: PtyScreen): void {
  const after = (on: string, off: string) => screen.raw.lastIndexOf(off) > screen.raw.lastIndexOf(on);
  expect({
    screen: screen.terminal.buffer.active.type,
    cursor: after('\u001B[?25l', '\u001B[?25h'),
    paste: screen.terminal.modes.bracketedPasteMode,
    mouse: screen.terminal.modes.mouseTrackingMode,
    wrap: screen.terminal.modes.wraparoundMode,
  }).toEqual({ screen: 'normal', cursor: true, paste: false, mouse: 'none', wrap: true });
}

test('[C126] with NO_COLOR no color is written, and on a dumb terminal nothing but text', async () => {
  await using place = await createChatPlace();
  const plain = await place.readyChat({ env: { NO_COLOR: '1' } });
  await say(plain, 'say **bold** `code`');
  await plain.saw('bold code');
  const styles = plain.raw.split('\u001B[').flatMap((part) => /^[\d;]*m/.exec(part) ?? []);
  // Reverse (the cursor) and bold; no other style is used.
  expect([...new Set(styles)].toSorted()).toEqual(['0m', '1m', '22m', '7m']);
  const dumb = place.chat(['--agent', 'testing'], { env: { TERM: 'dumb' } });
  await dumb.saw('you> ');
  dumb.type('hello\r');
  await dumb.saw('agent: You said: hello');
  dumb.type('/exit\r');
  expect(await dumb.exited).toBe(0);
  expect(dumb.raw).not.toContain('\u001B');
});

test('[C11] switching agents shows each with its own conversation, colors and prompt', async () => {
  await using place = await createChatPlace();
  const config = {
    themes: { night: { prompt: 'night>', user: 'magenta' } },
    agents: { owl: { model: 'offline', theme: 'night' } },
  };
  await place.write('../home/config.json', JSON.stringify(config));
  const screen = await place.readyChat();
  await say(screen, 'for the first');
  await screen.saw('You said: for the first');
  await say(screen, '/agent owl');
  await screen.saw('night>');
  expect(screen.text()).not.toContain('You said: for the first');
  await say(screen, '/agent nobody');
  await screen.saw('unknown agent nobody');
  await say(screen, '/agent testing');
  await screen.saw('You said: for the first');
  await screen.until(() => promptRow(screen)?.startsWith('❯') === true, 'the first prompt');
});

test('[C126] /theme lists the themes and applies the chosen one', async () => {
  await using place = await createChatPlace();
  const screen = await place.readyChat({}, ['--agent', 'testing', '--theme', 'dark']);
  await say(screen, '/theme');
  await screen.saw('light-safe');
  screen.type('light-s');
  await screen.until(() => !screen.text().includes('dark-safe'), 'the list narrows');
  screen.type('\r');
  await screen.until(() => !screen.text().includes('light-safe'), 'the list closes');
  await say(screen, 'still here');
  await screen.saw('You said: still here');
  expect(screen.text()).not.toContain('Unknown command');
});

test('the picker finds a session by its title and opens it; --continue takes the newest of the folder', async () => {
  await using place = await createChatPlace();
  await rondo(place, 'run', 'say about zebras', '--agent', 'testing');
  await rondo(place, 'run', 'say about lions', '--agent', 'testing');
  const screen = place.chat(['--agent', 'testing', '--pick']);
  await screen.saw('Search titles and text');
  await screen.until(() => cardOf(screen).join('\n').includes('lions'), 'the sessions');
  screen.type('zebra');
  await screen.saw(/Sessions +zebra +1 of 1/);
  screen.type(keys.enter);
  await screen.gone('Sessions  zebra');
  await screen.saw('❯ say about zebras');
  screen.type('a draft');
  await screen.saw('❯ a draft');
  screen.type(keys.ctrlP);
  await screen.saw('Search titles and text');
  screen.type('lions');
  await screen.saw(/Sessions +lions +1 of 1/);
  screen.type(keys.enter);
  await screen.saw('❯ say about lions');
  expect(screen.text()).not.toContain('a draft');
  screen.type(keys.ctrlP);
  await screen.until(() => cardOf(screen).some((row) => row.includes('❯ ✓ say about zebras')), 'zebras chosen');
  screen.type(keys.enter);
  await screen.saw('❯ say about zebras');
  expect(promptRow(screen)).toBe('❯ a draft');
  screen.type(keys.ctrlC);
  await screen.gone('❯ a draft');
  screen.type(keys.ctrlD);
  await screen.exited;
  const newest = place.chat(['--continue']);
  await newest.saw('❯ say about lions');
  expect(newest.text()).toContain('about lions');
});

test('[C61] [C128] two workers that ask at once are both answered, in order, beside the conversation', async () => {
  await using place = await createChatPlace();
  const screen = await place.readyChat({ columns: 130, rows: 36 });
  const workers = [
    { name: 'scout', objective: 'call shell {"command":"mkdir one"}' },
    { name: 'smith', objective: 'call shell {"command":"mkdir two"}' },
  ];
  await say(screen, `call delegate ${JSON.stringify({ workers })}`);
  await focused(screen);
  await screen.saw('1 more');
  expect(screen.text()).toContain('Workers  2 · 2 need you');
  const asker = () => /▌ Creates \w+ .*?(\w+) · now/.exec(screen.text())?.[1];
  const first = asker();
  screen.type('y');
  await screen.until(() => asker() !== undefined && asker() !== first, 'the second question');
  await focused(screen);
  await sleep(700);
  expect(new Set([first, asker()])).toEqual(new Set(['scout', 'smith']));
  screen.type('y');
  await screen.gone('Workers  2');
  expect((await stat(path.join(place.project, 'one'))).isDirectory()).toBe(true);
  expect((await stat(path.join(place.project, 'two'))).isDirectory()).toBe(true);
});

test('/fork continues in a copy, /rewind goes back, and the first session stays as it was', async () => {
  await using place = await createChatPlace();
  const screen = await place.readyChat();
  await say(screen, 'first');
  await screen.saw('You said: first');
  await screen.gone('◐ Working');
  await say(screen, '/fork');
  await screen.saw('Forked to ses_');
  // The fork shows the history that it continues.
  await screen.saw('You said: first');
  const [, original = ''] = /\/resume (ses_\w+) goes back/.exec(screen.whole().replaceAll(/\s+/g, ' ')) ?? [];
  await say(screen, 'only in the copy');
  await screen.saw('You said: only in the copy');
  await screen.gone('◐ Working');
  screen.type(`/resume ${original}`);
  screen.type(keys.enter);
  await screen.gone('You said: only in the copy');
  expect(screen.text()).toContain('You said: first');
  await say(screen, '/rewind 1');
  await screen.saw(/^ {2}Rewound$/m);
});

test('[C119] the rewind picker previews which files change back, restores them, and /undo reverts it', async () => {
  await using place = await createChatPlace();
  await place.write('notes.txt', 'old\n');
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
      cwd: place.project,
      stdio: 'pipe',
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  const content = () => readFile(path.join(place.project, 'notes.txt'), 'utf8');
  const screen = await place.readyChat({ columns: 120, rows: 36 }, ['--agent', 'testing', '--allow', 'write']);
  await say(screen, 'hello');
  await screen.saw('You said: hello');
  await screen.gone('◐ Working');
  await say(screen, 'call write {"path":"notes.txt","content":"new\\nlines\\n"}');
  await screen.saw(/Edited notes.txt/);
  await screen.gone('◐ Working');
  expect(await content()).toBe('new\nlines\n');

  await say(screen, '/diff');
  await screen.saw('Changes  1 file  +2 −1');
  screen.type(keys.escape);
  await screen.gone('Changes  1 file');

  screen.type(keys.escape);
  screen.type(keys.escape);
  await screen.saw('Rewind to before');
  await screen.saw('1 file changes back');
  await screen.saw(/notes\.txt +\+1 −2/);
  await screen.saw('1  Rewind chat and files');
  screen.type('d');
  await screen.saw(/1 {2}- new/);
  await screen.saw(/1 {2}\+ old/);
  screen.type('d');
  screen.type(keys.enter);
  await screen.saw('1 file restored: notes.txt');
  expect(await content()).toBe('old\n');
  // The prompt is back in the composer, and its turn is gone from the conversation.
  await screen.saw('❯ call write');
  await screen.gone('Edited notes.txt');
  screen.type(keys.ctrlC);
  await say(screen, '/undo');
  await screen.saw('Edited notes.txt');
  expect(await content()).toBe('new\nlines\n');
});

test('[C10] the same script through the terminal and headless gives equal transcripts', async () => {
  const replies = { hello: 'You said: hello', 'say some **words**': 'some words', goodbye: 'You said: goodbye' };
  const script = Object.keys(replies);
  await using place = await createChatPlace();
  const screen = await place.readyChat();
  for (const [line, reply] of Object.entries(replies)) {
    await say(screen, line);
    await screen.saw(reply);
    await screen.gone('◐ Working');
  }
  screen.type(keys.ctrlD);
  await screen.exited;
  const lines = (await rondo(place, 'show', 'latest', '--events', '--json')).trim().split('\n');
  const shown = lines.map((line) => JSON.parse(line) as { readonly session?: string } & Recorded['event']);

  await using library = await createRondo(testingAgent());
  const session = await library.sessions.create();
  const io = createHeadlessIo();
  for (const line of script) io.enqueueInput(line);
  io.end();
  await serveIo(session, io);
  const { events } = await session.events({ after: 0 });
  const masked = (event: object) =>
    JSON.parse(JSON.stringify(event).replaceAll(/ses_\w+/g, 'ses')) as Readonly<Record<string, unknown>>;
  const outside = new Set(['seq', 'at', 'by', 'session']);
  const said = (event: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(event).filter(([name]) => !outside.has(name)));
  expect(shown.map((event) => said(masked(event))).filter(isConversation)).toEqual(
    events.map(({ event }) => said(masked(event))).filter(isConversation),
  );
});

/** Events about its creation differ: folder, rules, title. */
function isConversation({ type }: Readonly<Record<string, unknown>>): boolean {
  return type !== 'session-created';
}

test('[O5] Ctrl+Z gives the terminal back, stops, and the screen returns after SIGCONT', async () => {
  await using place = await createChatPlace();
  const screen = await place.readyChat();
  screen.type('a draft');
  await screen.saw('❯ a draft');
  screen.type(keys.ctrlZ);
  await screen.until(() => screen.terminal.buffer.active.type === 'normal', 'the normal screen');
  await expect.poll(async () => processState(screen.pid), { timeout: 20_000 }).toBe('T');
  process.kill(screen.pid, 'SIGCONT');
  await screen.until(() => screen.terminal.buffer.active.type === 'alternate', 'the chat');
  await screen.saw('❯ a draft');
  screen.type(' and more');
  await screen.saw('❯ a draft and more');
});

test('[C129] Ctrl+G opens the draft in the editor, and Ctrl+C there ends the editor, not the chat', async () => {
  await using place = await createChatPlace();
  const editor = await place.write('editor.sh', 'echo editing; read line; echo "$line" > "$1"\n');
  const screen = await place.readyChat({ env: { EDITOR: `sh ${editor}` } });
  screen.type('\u0007');
  await screen.saw('editing');
  screen.type('by hand\r');
  await screen.until(() => promptRow(screen) === '❯ by hand', 'the edited draft');
  screen.type('\u0007');
  await screen.until(() => screen.terminal.buffer.active.type === 'normal', 'the editor');
  await sleep(300);
  screen.type(keys.ctrlC);
  await screen.saw('The editor failed');
  expect(promptRow(screen)).toBe('❯ by hand');
});

test("[O5] after Ctrl+Z, the shell's fg gives the chat its keys back", async () => {
  await using place = await createChatPlace();
  const options = { cwd: place.project, env: { ...place.env, PS1: '$ ' } };
  await using screen = openPty('bash', ['--norc', '--noprofile', '-i'], options);
  screen.type(`'${process.execPath}' '${rondoBinary}' chat --agent testing${keys.enter}`);
  await screen.saw(ready);
  screen.type('a draft');
  await screen.saw('❯ a draft');
  screen.type(keys.ctrlZ);
  await screen.saw('Stopped');
  screen.type(`fg${keys.enter}`);
  await screen.until(() => promptRow(screen) === '❯ a draft', 'the draft');
  // Without raw mode, the terminal would show these keys itself.
  screen.type(' and more\u0001x');
  await screen.until(() => promptRow(screen) === '❯ xa draft and more', 'the edited draft');
  expect(screen.text()).not.toContain('^');
});

test('[O5] an editor that is stopped and continued keeps the terminal until it ends', async () => {
  await using place = await createChatPlace();
  const editor = await place.write('editor.sh', 'kill -TSTP 0; sleep 1; read line; echo "got $line" > "$1"\n');
  const env = { ...place.env, PS1: '$ ', EDITOR: `sh ${editor}` };
  await using screen = openPty('bash', ['--norc', '--noprofile', '-i'], { cwd: place.project, env });
  screen.type(`'${process.execPath}' '${rondoBinary}' chat --agent testing${keys.enter}`);
  await screen.saw(ready);
  screen.type('\u0007');
  await screen.saw('Stopped');
  screen.type(`fg${keys.enter}`);
  await screen.saw('chat --agent testing');
  await sleep(500);
  expect(screen.terminal.buffer.active.type).toBe('normal');
  screen.type(`by hand${keys.enter}`);
  await screen.until(() => promptRow(screen) === '❯ got by hand', 'the edited draft');
});

/** `T` for a stopped process. */
async function processState(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
}

test('[C126] Esc clears a draft at its second press, as long as the line asks for it, unless more was typed', async () => {
  await using place = await createChatPlace();
  const screen = place.chat(['--agent', 'testing'], { columns: 100 });
  await screen.saw(ready);
  screen.type('one');
  await screen.saw('❯ one');
  screen.type(keys.escape);
  await screen.saw('Esc again clears the draft');
  screen.type(' two');
  await screen.saw('❯ one two');
  screen.type(keys.escape);
  await sleep(1200);
  expect(promptRow(screen)).toBe('❯ one two');
  screen.type(keys.escape);
  await screen.saw('❯ Ask, or describe a change');
});
