// The front end of `rondo run`: lists of prompts, slash commands, Ctrl+C, terminals, waiting.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, describe, expect, test } from 'vitest';

import { processesWith } from '../running-processes.ts';
import { typedVerbs } from '../../src/commands/typed-verbs.ts';
import { createCliPlace, type Ended } from './cli-process.ts';

const place = await createCliPlace();
afterAll(() => place[Symbol.asyncDispose]());

function resultIn({ out }: Ended): Readonly<Record<string, unknown>> {
  return JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as Readonly<Record<string, unknown>>;
}
const run = (...words: readonly string[]) => place.rondo('run', '--agent', 'testing', ...words);

describe('[C15] several prompts', () => {
  test('from a file, blank lines between them, in one session, one result', async () => {
    const file = await place.write('prompts.txt', 'say one\n\ncall list {}\nsay two\n   \n\nsay three\n');
    const { err, ...told } = await run('--mode', 'batch', '--prompts', file);
    expect({ ...told, err: place.masked(err) }).toEqual({
      code: 0,
      out: 'one\ntwo\nthree\n',
      err: '✓ Listed (Ns)\n',
    });
    const ended = await run('--mode', 'batch', '--prompts', file, '--json');
    expect(resultIn(ended)).toMatchObject({
      outcome: 'completed',
      text: 'three',
      prompts: { given: 3, completed: 3 },
    });
    expect(ended.out.match(/"type":"result"/g)).toHaveLength(1);
  });

  test('from standard input; the first that is not completed ends the run', async () => {
    const stdin = 'say one\n\nfail away\n\nsay three\n\nsay four';
    const words = ['run', '--agent', 'testing', '--mode', 'batch', '--prompts', '-'];
    const ended = await place.start(words, { stdin }).ended;
    expect({ ...ended, err: place.masked(ended.err) }).toEqual({
      code: 6,
      out: 'one\n',
      err: 'Session ses_X: unavailable — away\n2 of 4 prompts were not sent.\nResume with: rondo run --session ses_X\n',
    });
  });

  test('a rule that says to ask is a question, and a batch ends with the first open one', async () => {
    await using own = await createCliPlace();
    await own.write('rondo.json', { policies: { default: { ask: ['shell'] } } });
    await own.write('prompts.txt', 'call shell {"command":"ls"}\n\nsay never');
    const ended = await own.rondo(
      'run',
      '--agent',
      'testing',
      '--mode',
      'batch',
      '--prompts',
      'prompts.txt',
      '--json',
    );
    expect(ended.code).toBe(3);
    expect(resultIn(ended)).toMatchObject({ outcome: 'needs-input', prompts: { given: 2, completed: 0 } });
  });

  test('mistakes', async () => {
    expect(await run('--prompts', 'nowhere.txt')).toMatchObject({ code: 2, out: '' });
    expect(await run('say x', '--prompts', 'prompts.txt')).toMatchObject({ code: 2, out: '' });
    expect(await place.start(['run', '--prompts', '-'], { stdin: ' \n\n ' }).ended).toMatchObject({
      code: 2,
      out: '',
    });
  });
});

test('in a mode without a model a prompt is a tool and its arguments', async () => {
  await place.write('files/a.txt', 'content\n');
  const listed = await place.rondo('run', '--mode', 'tool-only', 'list {"path":"files"}');
  expect({ code: listed.code, err: place.masked(listed.err) }).toEqual({ code: 0, err: '✓ Listed files (Ns)\n' });
  expect(listed.out).toContain('a.txt');
  expect(await place.rondo('run', '--mode', 'tool-only', 'please list')).toMatchObject({ code: 2, out: '' });
  const unknown = await place.rondo('run', '--mode', 'tool-only', 'lst {}');
  expect(unknown).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no tool lst. The tools are: '),
  });
  expect(await place.rondo('run', '--mode', 'tool-only', 'shell {"command":"touch x"}')).toMatchObject({
    code: 3,
  });
});

describe('[C13] [C14] a slash command as the prompt', () => {
  test('shows, changes, and never reaches a model', async () => {
    await using own = await createCliPlace();
    const said = async (...words: readonly string[]) => {
      const ended = await own.rondo('run', ...words);
      return { ...ended, out: own.masked(ended.out), err: own.masked(ended.err) };
    };
    await own.rondo('run', '--agent', 'testing', 'say hello');
    const latest = ['--session', 'latest'];
    expect((await said('/HELP')).out.split('\n').map((line) => line.split(' ')[0])).toEqual([
      '/help',
      '/history',
      '/agent',
      '/agents',
      '/model',
      '/mode',
      '/set',
      '/tools',
      '/skills',
      '/mcp',
      '/permissions',
      '/inbox',
      '/sessions',
      '/fork',
      '/rewind',
      '/undo',
      '/diff',
      '/status',
      '/usage',
      '/context',
      '/compact',
      '/queue',
      '/steer',
      '/interrupt',
      '/workers',
      '/jobs',
      '/approve',
      '/deny',
      '/trust',
      '/answer',
      '/why',
      '/export',
      '/share',
      ...typedVerbs.map(({ name }) => `/${name}`),
      '',
    ]);
    expect(await said('/help', 'mode')).toMatchObject({
      out: expect.stringMatching(/^\/mode \[name\] +show the mode, or change it\n$/),
    });
    expect(await said(...latest, '/mode')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Mode: interactive \(or /),
    });
    expect(await said(...latest, '/mode', 'batch')).toEqual({ code: 0, out: 'Mode: batch.\n', err: '' });
    expect(await said(...latest, '/mode')).toMatchObject({ out: expect.stringMatching(/^Mode: batch /) });
    expect(await said(...latest, '/agent')).toMatchObject({ out: 'testing\n' });
    expect(await said(...latest, '/agent nobody')).toMatchObject({ code: 2, out: '' });
    expect(await said(...latest, '/context')).toMatchObject({
      out: expect.stringMatching(/^5 tokens, size of the window unknown, estimated\n\[▒+▄+\]\n/),
    });
    expect(await said(...latest, '/history')).toMatchObject({
      out: 'you:\n  say hello\n\ntesting:\n  hello\n\n- Completed in Ns\n\n- Mode set to batch by you\n',
    });
    expect(await said('/sessions')).toMatchObject({ out: 'ses_X\tidle\tsay hello\n' });
    expect((await said(...latest, '/status')).out).toMatch(
      /^session {3}ses_X\ntitle {5}say hello\nstate {5}Idle\n/,
    );
    expect(JSON.parse((await own.rondo('run', ...latest, '/mode', '--json')).out)).toMatchObject({
      type: 'result',
      outcome: 'completed',
    });
    expect(await said('/status')).toMatchObject({ code: 2, err: expect.stringContaining('--session ID') });
    expect(await said(...latest, '/stats')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean /status?'),
    });
    expect(await said(...latest, '/workers')).toMatchObject({ code: 0, out: 'No workers.\n' });
    expect(await said(...latest, '/clear')).toMatchObject({
      code: 2,
      err: expect.stringContaining('/clear needs a conversation on a screen: use `rondo chat` or the web app'),
    });
    const { sessions } = (await own.json('ls')) as { sessions: readonly { turns: number }[] };
    expect(sessions.map(({ turns }) => turns)).toEqual([1]);
  });

  test('/model changes the model of the next turn', async () => {
    const script = await place.write('other-model.json', [{ text: 'unused' }, { text: 'from the script' }]);
    const { session } = resultIn(await run('say hello', '--json'));
    expect(await place.rondo('run', '--session', String(session), '/model nothing/known')).toMatchObject({
      code: 2,
    });
    expect(await place.rondo('run', '--session', String(session), `/model scripted:${script}`)).toMatchObject({
      code: 0,
    });
    expect(await place.rondo('run', '--session', String(session), 'go on')).toEqual({
      code: 0,
      out: 'from the script\n',
      err: '',
    });
  });
});

describe('[C17] Ctrl+C', () => {
  // A command that ignores SIGTERM runs until it is killed, two seconds after the cancel.
  const stubborn = `call shell {"command":"trap '' TERM; echo started; sleep 20 & wait; sleep 20"}`;
  const start = async () => {
    const running = place.start(['run', '--agent', 'testing', stubborn, '--allow', 'shell', '--json']);
    await running.saw('"text":"started');
    return running;
  };

  test('pressed twice within a second exits at once, leaves nothing running, and the session can be resumed', async () => {
    const { child, ended, saw } = await start();
    child.kill('SIGINT');
    await saw('"type":"turn-interrupted"');
    child.kill('SIGINT');
    const result = await ended;
    expect(result.code).toBe(130);
    expect(resultIn(result)).toMatchObject({
      outcome: 'cancelled',
      reason: 'The run stopped before its turn ended.',
    });
    expect(result.out).not.toContain('"type":"turn-ended"');
  });

  test('pressed again after a second and a half only cancels again: the run ends in order', async () => {
    const { child, ended, saw } = await start();
    child.kill('SIGINT');
    await saw('"type":"turn-interrupted"');
    await sleep(1500);
    child.kill('SIGINT');
    const result = await ended;
    expect(result.code).toBe(130);
    expect(resultIn(result)).toMatchObject({ outcome: 'cancelled', reason: 'interrupted from the terminal' });
    expect(result.out).toContain('"type":"turn-ended"');
  });
});

describe('[P9] a provider that names a time', () => {
  const script = (inMs: number) => [
    { fail: { code: 'model-rate-limited', message: 'too many requests', retryAt: Date.now() + inMs } },
  ];

  test('beyond a minute: the run ends with 6 at once, and the session is parked until then', async () => {
    const file = await place.write('far.json', script(3_600_000));
    const ended = await place.rondo('run', '--model', `scripted:${file}`, 'hello', '--json');
    expect(ended.code).toBe(6);
    expect(resultIn(ended)).toMatchObject({
      outcome: 'unavailable',
      reason: expect.stringContaining('a run waits at most 60 s'),
    });
    expect((await place.rondo('show', 'latest')).out).toContain('state     Pausing\n');
  });

  test('within a minute: it is waited for', async () => {
    const file = await place.write('near.json', script(2_000));
    const ended = await place.rondo('run', '--model', `scripted:${file}`, 'hello', '--json');
    expect(ended.code).toBe(6);
    expect(ended.out.match(/"type":"wait-ended"/g)?.length).toBeGreaterThan(0);
    expect(resultIn(ended)).toMatchObject({
      outcome: 'unavailable',
      reason: expect.stringContaining('3 errors in a row'),
    });
  });
});

test("a session of another folder resumes with that folder's configuration", async () => {
  await using own = await createCliPlace();
  await own.write('.rondo/agents/echo.md', '---\nmodel: offline\n---\nYou repeat.');
  await own.write('rondo.json', { policies: { default: { deny: ['shell'] } } });
  await own.rondo('trust', '--yes');
  const { session } = resultIn(await own.rondo('run', '--agent', 'testing', 'say hello', '--json'));
  const words = [
    'run',
    '--session',
    String(session),
    '--cwd',
    own.home,
    'call shell {"command":"ls"}\nsay done',
    '--auto-approve',
  ];
  expect(await own.rondo(...words)).toMatchObject({
    code: 0,
    err: expect.stringContaining('Refused by policy: shell (ls).'),
  });
});

describe.skipIf(!existsSync('/usr/bin/script'))('[C40] on a terminal', () => {
  /** Types each line once the text before it has appeared. */
  async function type(words: readonly string[], lines: readonly (readonly [string, string])[]): Promise<Ended> {
    const quoted = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
    const command = `${process.execPath} ${path.resolve('bin/rondo.cjs')} ${quoted}`;
    const running = place.onTerminal(command);
    for (const [seen, line] of lines) {
      await running.saw(seen);
      running.child.stdin?.write(line);
    }
    return running.ended;
  }
  const prompt = 'call shell {"command":"touch typed"}\nsay done';

  test('an answer from another window ends the wait and is shown', async () => {
    // The shared one has questions of runs before.
    await using own = await createCliPlace();
    const quoted = `'${prompt.replace('typed', 'elsewhere')}'`;
    const running = own.onTerminal(`${own.command} run --agent testing ${quoted}`);
    await running.saw('or why not): ');
    const inbox = await own.rondo('inbox', '--json');
    const [question = ''] = /q_\w+/.exec(inbox.out) ?? [];
    expect((await own.rondo('answer', question, 'allow-once')).code).toBe(0);
    const { code, out } = await running.ended;
    expect(code).toBe(0);
    expect(out).toContain('✓ Allowed once: creates elsewhere (answered elsewhere)\r\n');
  });

  test('y runs the call once; progress is shown as lines', async () => {
    const { code, out } = await type(['run', '--agent', 'testing', prompt], [['or why not): ', 'y\n']]);
    expect(code).toBe(0);
    expect(out).toContain('✓ Ran touch typed');
    expect(out).toMatch(/done\r\n\r\nCompleted in [^\n]+\r\nResume with: rondo --session ses_\w+\r\n$/);
    expect((await place.rondo('show', 'latest', '--audit')).out).toMatch(
      /\tterminal\tquestion-answered\t.*"allow-once"/,
    );
  });

  test('words are the reason of a no; the model is notified', async () => {
    const { code, out } = await type(
      ['run', '--agent', 'testing', 'call shell {"command":"touch typed"}'],
      [['or why not): ', 'use a file tool\n']],
    );
    expect(code).toBe(0);
    expect(out).toContain('The user rejected this call: use a file tool');
  });

  test('s allows for this session, where the same is not asked again', async () => {
    const twice = `call shell {"command":"touch typed"}\nsay between`;
    await type(['run', '--agent', 'testing', twice], [['or why not): ', 's\n']]);
    expect(await place.rondo('run', '--session', 'latest', twice)).toMatchObject({ code: 0, out: 'between\n' });
    expect(await run(twice)).toMatchObject({ code: 3 });
  });

  test('Ctrl+D leaves the question open: exit 3; Ctrl+C cancels: exit 130', async () => {
    expect(await type(['run', '--agent', 'testing', prompt], [['or why not): ', '\u0004']])).toMatchObject({
      code: 3,
    });
    expect(await type(['run', '--agent', 'testing', prompt], [['or why not): ', '\u0003']])).toMatchObject({
      code: 130,
    });
  });
});

test('[O6] a run that is killed takes its command along, with a grandchild in its own session', async () => {
  const command = 'echo epoch $RONDO_EPOCH of $RONDO_SESSION; setsid sleep 600 & sleep 600 & wait';
  const call = `call shell ${JSON.stringify({ command })}`;
  const running = place.start(['run', '--agent', 'testing', call, '--allow', 'shell', '--json']);
  await running.saw('"text":"epoch 1 of ses_');
  const { sessions } = (await place.json('ls')) as { readonly sessions: readonly { readonly session: string }[] };
  const left = () => processesWith('RONDO_SESSION', sessions[0]?.session ?? '');
  await expect.poll(async () => (await left()).length, { timeout: 10_000 }).toBe(3);
  running.child.kill('SIGKILL');
  await expect.poll(left, { timeout: 10_000 }).toEqual([]);
});

test('[O5] [O6] a run that is stopped loses its command before its lease is over', async () => {
  const call = `call shell ${JSON.stringify({ command: 'echo started; setsid sleep 600 & sleep 600 & wait' })}`;
  const running = place.start(['run', '--agent', 'testing', call, '--allow', 'shell', '--json']);
  await running.saw('"text":"started');
  const { sessions } = (await place.json('ls')) as { readonly sessions: readonly { readonly session: string }[] };
  const left = () => processesWith('RONDO_SESSION', sessions[0]?.session ?? '');
  await expect.poll(async () => (await left()).length, { timeout: 10_000 }).toBe(3);
  running.child.kill('SIGSTOP');
  await expect.poll(left, { timeout: 20_000 }).toEqual([]);
  running.child.kill('SIGKILL');
});

test('[C150] in mode repl a line that parses as a tool call runs as one, and `_` is the last result', async () => {
  await using own = await createCliPlace();
  await own.write('src/a.ts', 'one\nfoo two\n');
  const once = await own.rondo('run', '--mode', 'repl', 'grep foo src');
  expect([once.code, once.out]).toEqual([0, 'src/a.ts:2:foo two\n']);
  const stdin = 'glob src/*.ts\nread _\nlist files of src\nshell touch x\nnever reached\n';
  const lines = await own.start(['run', '--mode', 'repl', '-'], { stdin }).ended;
  expect([lines.code, lines.out.split('\n').slice(0, 3)]).toEqual([3, ['src/a.ts', '1\tone', '2\tfoo two']]);
  expect(lines.out).toContain('1 file');
  expect(lines.err).toContain('touch x');
  const chat = await own.start(['chat'], { stdin: '/mode repl\ngrep foo src\n' }).ended;
  expect(chat.out).toMatch(/✓ Searched foo in src \(\S+\)\nsrc\/a\.ts:2:foo two\n/);
});
