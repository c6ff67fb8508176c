// Questions on the command line, through the real binary: it first shows what a yes would run or change.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { createCliPlace, type CliPlace } from './cli-process.ts';
import { keys, openPty, type PtyScreen } from './pty-screen.ts';
import { rondoBinary } from '../fixtures/rondo-binary.ts';

const place = await createCliPlace();
afterAll(() => place[Symbol.asyncDispose]());

const chain = 'call shell {"command":"ls && rm -rf build | tee clean.log"}\nsay cleaned';
const edit = 'call edit {"path":"a.txt","edits":[{"old_text":"two","new_text":"2"}]}\nsay edited';

const onPty = (own: CliPlace, words: readonly string[]): PtyScreen =>
  onTerminal(own, process.execPath, [rondoBinary, ...words]);

/** Several commands at one terminal. */
const onShell = (own: CliPlace, commands: string): PtyScreen => onTerminal(own, 'sh', ['-c', commands]);

const onTerminal = (own: CliPlace, program: string, words: readonly string[]): PtyScreen =>
  openPty(program, words, {
    cwd: own.project,
    columns: 120,
    rows: 40,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: own.home,
      RONDO_HOME: path.join(own.home, '.rondo'),
      TERM: 'xterm-256color',
      NO_COLOR: '1',
      OLLAMA_HOST: '127.0.0.1:9',
      RONDO_BWRAP: 'none',
      LANG: 'C.UTF-8',
    },
  });

test('[P8][P9] a run without a person shows every part of the command and the rule that each answer saves', async () => {
  const { code, err } = await place.rondo('run', '--agent', 'testing', chain);
  expect({ code, err: place.masked(err) }).toEqual({
    code: 3,
    err: `Session ses_X is waiting for your answer.
Allow shell: rm -rf build (1 of 3 parts)?  (q_X)
  $ ls && rm -rf build | tee clean.log
  3 parts, a yes runs all of them:
     1  ls             allowed by reads
  !! 2  rm -rf build   deletes files
  !  3  tee clean.log  changes files in this folder
  Why: No rule covers it, so it needs your approval. (default)
  Answer with:
    rondo answer q_X allow-once --yes-delete     saves no rule
    rondo answer q_X allow-session --yes-delete  saves shell(rm -rf build) [delete] (deletes files); shell(tee clean.log) [edit] until the session ends
    rondo answer q_X reject                      tells the agent no
Resume with: rondo run --session ses_X
`,
  });
});

test('[C158] inbox lists the questions of all sessions, shows one whole by its id, and says how to answer', async () => {
  await using own = await createCliPlace();
  expect(await own.rondo('inbox')).toEqual({ code: 0, out: '', err: '' });
  await own.write('a.txt', 'one\ntwo\nthree\n');
  await own.rondo('run', '--agent', 'testing', chain);
  await own.rondo('run', '--agent', 'testing', edit);
  const listed = await own.rondo('inbox');
  expect({ code: listed.code, out: own.masked(listed.out) }).toEqual({
    code: 3,
    out: `1\tAllow shell: rm -rf build (1 of 3 parts)?\tcall shell {"command":"ls && rm -rf build | tee clean.log"} · project\t!!\tNs\tq_X
2\tAllow edit on a.txt?\tcall edit {"path":"a.txt","edits":[{"old_text":"two","new_t… · project\t\tNs\tq_X
`,
  });
  const second = /q_\w+$/.exec(listed.out.trim())?.[0] ?? '';
  const shown = await own.rondo('inbox', second);
  expect({ code: shown.code, out: own.masked(shown.out) }).toEqual({
    code: 3,
    out: `Allow edit on a.txt?  (q_X)
  call edit {"path":"a.txt","edits":[{"old_text":"two","new_t… · ~/project · ses_X · Ns ago
  a.txt  +1 −1
     1   one
     2 - two
     2 + 2
     3   three
  Why: No rule covers it, so it needs your approval. (default)
  Answer with:
    rondo answer q_X allow-once     saves no rule
    rondo answer q_X allow-session  saves edit(a.txt) until the session ends
    rondo answer q_X allow-always   saves edit(a.txt) for this project
    rondo answer q_X reject         tells the agent no
`,
  });
  expect(await own.rondo('inbox', '--count')).toEqual({ code: 3, out: '2\n', err: '' });
  expect(JSON.parse((await own.rondo('inbox', '--json')).out)).toMatchObject({
    questions: [
      {
        about: { reason: 'No rule covers it, so it needs your approval.', tool: 'shell' },
        facts: { segments: [{ text: 'ls' }, {}, {}] },
      },
      {
        heading: 'Allow edit on a.txt?',
        choices: [{ effect: 'saves no rule' }, {}, {}, { answer: { type: 'reject' } }],
      },
    ],
  });

  const bare = await own.rondo('answer', second);
  expect({ code: bare.code, err: own.masked(bare.err) }).toMatchObject({
    code: 2,
    err: expect.stringContaining('     2 + 2\n') as string,
  });
  const answered = await own.rondo('answer', second, 'always');
  expect({ ...answered, out: own.masked(answered.out) }).toEqual({
    code: 0,
    err: '',
    out: `Allow edit on a.txt? Always allow (saves edit(a.txt) for this project).
No process runs session ses_X now. Resume with: rondo run --session ses_X
`,
  });
  // Its answer waits for the session; it isn't asked again.
  expect(await own.rondo('inbox', '--count')).toEqual({ code: 3, out: '1\n', err: '' });
  expect((await own.rondo('policy', 'list')).out).toContain('edit(a.txt)');
  expect(await own.rondo('answer', '9', 'allow')).toMatchObject({ code: 2 });
});

test('[C158] on a terminal the inbox starts with effects, and a number shows its command and how to answer', async () => {
  await using own = await createCliPlace();
  await own.write('a.txt', 'one\ntwo\nthree\n');
  await own.rondo('run', '--agent', 'testing', chain);
  await own.rondo('run', '--agent', 'testing', edit);
  await using shown = onShell(own, `${own.command} inbox; ${own.command} inbox 1`);
  expect(await shown.exited).toBe(3);
  expect(shown.text()).toMatch(
    /^● +1 +Deletes build, writes clean\.log +call shell .* !! +\d+s\n● +2 +Edits a\.txt /m,
  );
  expect(shown.text()).toContain('2 open\nShow one: rondo inbox 1');
  expect(shown.text()).toMatch(/^Deletes build, writes clean\.log\n/m);
  expect(shown.text()).toMatch(/2 {2}&& rm -rf build +!! Deletes build\. Can't be restored +no rule/);
  expect(shown.text()).toMatch(/Allow once +rondo answer 1 allow-once --yes-delete +saves no rule/);
  expect(shown.text()).not.toContain('allow-always');
});

test('[P8][C158] a number answers only what this terminal listed last; another terminal’s list makes it refuse', async () => {
  await using own = await createCliPlace();
  await own.write('a.txt', 'one\ntwo\nthree\n');
  await own.rondo('run', '--agent', 'testing', edit);
  const inbox = `${own.command} inbox`;
  const first = onShell(
    own,
    `${inbox}; read go; ${own.command} answer 1 allow; echo "code $?"; ${inbox}; read again`,
  );
  await using _first = first;
  await first.saw('1 open');
  await using other = onShell(own, `${own.command} answer 1 allow; echo "code $?"; ${inbox}`);
  await other.saw("number 1 isn't in a list of this terminal");
  await other.saw('code 2');
  expect(await other.exited).toBe(3);
  first.type(keys.enter);
  await first.saw('another terminal listed its questions after this one');
  await first.saw(/^ {2}1 {2}q_\w+$/m);
  await first.saw('code 2');
  first.type(keys.enter);
  await first.exited;
  expect(await own.rondo('inbox', '--count')).toEqual({ code: 3, out: '1\n', err: '' });
  expect(await own.rondo('answer', '1', 'allow')).toMatchObject({
    code: 2,
    err: expect.stringContaining('Use the id') as string,
  });
});

test('[C158] inbox -i on a terminal: a card at a time, answered by a key; the session resumes with it', async () => {
  await using own = await createCliPlace();
  await own.write('a.txt', 'one\ntwo\nthree\n');
  await own.rondo('run', '--agent', 'testing', chain);
  await own.rondo('run', '--agent', 'testing', edit);
  await using screen = onPty(own, ['inbox', '-i']);
  await screen.saw(/2 {2}&& rm -rf build +!! Deletes build\. Can't be restored/);
  await screen.saw('Answer (y, s, a, n, r, or why not): Enter skips, q leaves:');
  screen.type(`keep the build${keys.enter}`);
  await screen.saw(/▌ {4}2 {7}- two/);
  await screen.saw('S  Allow this session  edit(a.txt)  until the session ends');
  await screen.until(() => screen.whole().split('Answer (y').length === 3, 'the second prompt');
  screen.type(`y${keys.enter}`);
  await screen.saw('2 answered, 0 open');
  expect(await screen.exited).toBe(0);
  const sessions = (await own.json('ls')) as { sessions: readonly { session: string }[] };
  for (const { session } of sessions.sessions) await own.rondo('run', '--session', session);
  expect(await readFile(path.join(own.project, 'a.txt'), 'utf8')).toBe('one\n2\nthree\n');
});

test('[P3][C158] inbox answers a question of a run that waits at another terminal', async () => {
  await using own = await createCliPlace();
  await own.write('a.txt', 'one\ntwo\nthree\n');
  await using run = onPty(own, ['run', '--agent', 'testing', edit]);
  await run.saw(/▌ {9}2  \+ 2/);
  await run.saw('A  Always allow        edit(a.txt)  in project');
  await using inbox = onPty(own, ['inbox', '-i']);
  await inbox.saw(/▌ {4}2 {7}- two/);
  await inbox.saw('Answer (y');
  inbox.type(`y${keys.enter}`);
  await inbox.saw('1 answered, 0 open');
  await run.saw('edited');
  expect(await run.exited).toBe(0);
});

test('[P8][S14] a run on a terminal shows hidden characters of what it asks about', async () => {
  await using own = await createCliPlace();
  await using run = onPty(own, [
    'run',
    '--agent',
    'testing',
    'call shell {"command":"touch \u202Egpj.exe"}\nsay done',
  ]);
  await run.saw('Creates ‹U+202E›gpj.exe');
  await run.saw('Answer (y, s, a, n, r, or why not):');
  expect(run.raw).not.toContain('\u202E');
  run.type(`s${keys.enter}`);
  await run.saw('done');
});

test('[C128] a line that was typed before a run asks answers nothing', async () => {
  await using own = await createCliPlace();
  await own.write('a.txt', 'one\ntwo\nthree\n');
  await using run = onPty(own, ['run', '--agent', 'testing', edit]);
  run.type(`y${keys.enter}y${keys.enter}`);
  await run.saw('Answer (y, s, a, n, r, or why not):');
  expect(await readFile(path.join(own.project, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
  run.type(`not today${keys.enter}`);
  await run.saw('Rejected (“not today”)');
  expect(await run.exited).toBe(0);
});

test('[P3] a run on a terminal does not ask again what was answered while nobody ran the session', async () => {
  await using own = await createCliPlace();
  const { err } = await own.rondo('run', 'create notes.md with hello');
  await own.rondo('answer', /q_\w+/.exec(err)?.[0] ?? '', 'allow-once');
  await using screen = onPty(own, ['run', '--session', 'latest']);
  expect(await screen.exited).toBe(0);
  expect(screen.whole()).not.toContain('Allow once');
  expect(await readFile(path.join(own.project, 'notes.md'), 'utf8')).toBe('hello\n');
});

test('[P8][C158] what can’t be undone needs a flag named after its effect, and on a terminal the word yes', async () => {
  await using own = await createCliPlace();
  await own.write('build/a.txt', 'a');
  await own.rondo('run', '--agent', 'testing', chain);
  const id = /q_\w+$/.exec((await own.rondo('inbox')).out.trim())?.[0] ?? '';
  const refused = await own.rondo('answer', id, 'allow');
  expect({ code: refused.code, err: own.masked(refused.err) }).toEqual({
    code: 2,
    err: expect.stringContaining("It can't be undone: rm -rf build. It needs --yes-delete.") as string,
  });
  expect(await own.rondo('inbox', '--count')).toMatchObject({ out: '1\n' });
  await using screen = onPty(own, ['inbox', '-i']);
  await screen.saw('Answer (y, s, a, n, r, or why not)');
  screen.type(`y${keys.enter}`);
  await screen.saw("It can't be undone. Type yes to run:");
  screen.type(`y${keys.enter}`);
  await screen.until(() => screen.whole().split('Answer (y').length === 3, 'the question again');
  screen.type(`r${keys.enter}`);
  await screen.saw('Reason:');
  screen.type(`not today${keys.enter}`);
  await screen.saw('1 answered, 0 open');
});

test('[P8][C158] --yes-delete allows what can’t be undone', async () => {
  await using own = await createCliPlace();
  await own.write('build/a.txt', 'a');
  const { err } = await own.rondo('run', '--agent', 'testing', chain);
  const question = /q_\w+/.exec(err)?.[0] ?? '';
  expect(await own.rondo('answer', question, 'allow', '--yes-delete')).toMatchObject({ code: 0, err: '' });
});
