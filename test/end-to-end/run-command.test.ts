// `rondo run` as used by a script or a person at a terminal: the real binary, a real store, real signals.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { Answer } from '../../src/kernel/question.ts';
import { createTestingModel } from '../../src/models/testing-model.ts';
import { createRondo, type Rondo } from '../../src/rondo.ts';
import { rondoBinary } from '../fixtures/rondo-binary.ts';

let home = '';
let project = '';
const children: ChildProcess[] = [];

beforeAll(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'rondo-run-'));
  project = path.join(home, 'project');
  await mkdir(project);
});
afterEach(async () => {
  const running = children
    .splice(0)
    .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  await Promise.all(running.map((child) => (child.kill('SIGKILL'), once(child, 'close'))));
});
afterAll(() => rm(home, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves with the first line of JSON that has this type. */
  line(type: string): Promise<Readonly<Record<string, unknown>>>;
}

function start(words: readonly string[], stdin = ''): Running {
  const env = { ...process.env, RONDO_HOME: home, NO_COLOR: '1' };
  const child = spawn(process.execPath, [rondoBinary, ...words], { cwd: project, env, stdio: 'pipe' });
  children.push(child);
  child.stdin.end(stdin);
  let out = '';
  let err = '';
  const seen = new Map<string, (record: Readonly<Record<string, unknown>>) => void>();
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  createInterface({ input: child.stdout }).on('line', (text) => {
    if (!text.startsWith('{')) return;
    const record = JSON.parse(text) as Readonly<Record<string, unknown>>;
    seen.get(String(record['type']))?.(record);
  });
  const ended = once(child, 'close').then(([code]: unknown[]): Ended => {
    // Errors never show a stack trace or internals.
    expect(out + err).not.toMatch(/\n\s+at .*\(?(node:|file:|\/).*:\d+/);
    return { code: code as number | null, out, err };
  });
  return { child, ended, line: (type) => new Promise((resolve) => seen.set(type, resolve)) };
}

const rondo = (...words: readonly string[]) => start(words).ended;
const run = (...words: readonly string[]) => rondo('run', '--model', 'testing', ...words);

/** The last line of JSON output. */
function resultIn({ out }: Ended): Readonly<Record<string, unknown>> {
  return JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as Readonly<Record<string, unknown>>;
}

/** Ids differ from run to run; everything else is compared. */
function withoutIds(text: string): string {
  return text
    .replaceAll(/ses_[a-z0-9]+/g, 'ses_X')
    .replaceAll(/q_[a-z0-9]+/g, 'q_X')
    .replaceAll(/\d+\.\ds/g, 'Ns');
}

async function inLibrary<Value>(work: (rondo: Rondo) => Promise<Value>): Promise<Value> {
  await using opened = await createRondo({
    store: `sqlite:${path.join(home, 'rondo.db')}`,
    models: { testing: createTestingModel() },
  });
  return await work(opened);
}

function answerInLibrary(session: string, answer: Answer): Promise<unknown> {
  return inLibrary(async (opened) => {
    const handle = await opened.sessions.open(session);
    const { questions } = await handle.status();
    const receipt = await handle.answer(questions[0]?.id ?? '', answer);
    await handle.wait();
    return receipt.type;
  });
}

const tenDenied = Array.from({ length: 10 }, () => 'call write {"path":"a.txt","content":"x"}').join('\n');

interface Case {
  readonly code: number;
  readonly outcome: string;
  readonly words: readonly string[];
  readonly out: string;
  readonly err: string;
}

const refusedLine =
  'Refused by policy: write (a.txt). No rule allows this and nobody can be asked in this mode.\n';
const goOn = 'Resume with: rondo run --session ses_X\n';
const cases: readonly Case[] = [
  { code: 0, outcome: 'completed', words: ['say hello there'], out: 'hello there\n', err: '' },
  {
    code: 1,
    outcome: 'failed',
    words: ['refuse'],
    out: 'I would rather not.\n',
    err: `Session ses_X: failed — The model refused to answer.\n${goOn}`,
  },
  {
    code: 3,
    outcome: 'needs-input',
    words: ['say is this good', '--mode', 'supervised'],
    out: 'is this good\n',
    err: `Session ses_X is waiting for your answer.\nApprove this reply?  (q_X)\n  Answer with:\n    rondo answer q_X allow-once  ends the turn\n    rondo answer q_X reject      tells the agent no\n${goOn}`,
  },
  {
    code: 4,
    outcome: 'refused',
    words: [tenDenied, '--mode', 'batch'],
    out: '',
    err: `${refusedLine.repeat(10)}Session ses_X: refused — The turn reached its limit: denials 10.\n${goOn}`,
  },
  {
    code: 5,
    outcome: 'limit',
    words: ['call list {}\nsay too late', '--max-steps', '1'],
    out: '',
    err: `✓ Listed (Ns)\nSession ses_X: limit — The turn reached its limit: steps 1.\n${goOn}`,
  },
  {
    code: 6,
    outcome: 'unavailable',
    words: ['fail the provider is away'],
    out: '',
    err: `Session ses_X: unavailable — the provider is away\n${goOn}`,
  },
  {
    code: 7,
    outcome: 'timed-out',
    words: ['hang', '--timeout', '0.3'],
    out: '',
    err: `Session ses_X: timed-out — The turn reached its limit of 300 ms.\n${goOn}`,
  },
];

describe.each(cases)('[C124] a run that ends $outcome exits with $code', ({ code, outcome, words, out, err }) => {
  test('and tells a person so', async () => {
    const ended = await run(...words);
    expect({ ...ended, out: withoutIds(ended.out), err: withoutIds(ended.err) }).toEqual({ code, out, err });
  });

  test('and a program, in its last line', async () => {
    const ended = await run(...words, '--json');
    const result = resultIn(ended);
    const session = String(result['session']);
    expect({ code: ended.code, err: ended.err }).toEqual({ code, err: '' });
    expect(result).toMatchObject({ type: 'result', outcome, resume: `rondo run --session ${session}` });
    expect(Object.keys(result)).toEqual(
      expect.arrayContaining([
        'session',
        'text',
        'usage',
        'steps',
        'toolCalls',
        'questions',
        'refusals',
        'resume',
      ]),
    );
    const sequences = ended.out
      .trimEnd()
      .split('\n')
      .flatMap((line) => (JSON.parse(line) as { seq?: number }).seq ?? []);
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  });
});

test('[C124] the result record of a completed run is whole', async () => {
  const result = resultIn(await run('say hello', '--json'));
  const session = String(result['session']);
  expect(result).toEqual({
    type: 'result',
    session,
    outcome: 'completed',
    text: 'hello',
    usage: { inputTokens: 3, outputTokens: 2, cost: 0, costIsKnown: true },
    steps: 1,
    toolCalls: 0,
    questions: [],
    refusals: [],
    resume: `rondo run --session ${session}`,
  });
});

test('"-" reads the prompt from standard input', async () => {
  const words = ['run', '--model', 'testing', '-'];
  expect(await start(words, 'say from the pipe\n').ended).toEqual({ code: 0, out: 'from the pipe\n', err: '' });
  expect(await start(words, '  \n').ended).toMatchObject({ code: 2, out: '' });
});

describe('[P3] [P9] a question outlives the run that asked it', () => {
  test('answered in another process, the run is resumed and completes', async () => {
    const asked = resultIn(await run('say a careful reply', '--mode', 'supervised', '--json'));
    const session = String(asked['session']);
    const [question] = asked['questions'] as readonly { id: string }[];
    expect(await answerInLibrary(session, { type: 'allow-once' })).toBe('accepted');
    expect(await rondo('run', '--session', session)).toEqual({ code: 0, out: 'a careful reply\n', err: '' });
    expect(await inLibrary((opened) => opened.questions())).not.toContainEqual(
      expect.objectContaining({ id: question?.id }),
    );
  });

  test('resumed before anybody answered, it is still open and the run ends with 3 again', async () => {
    const { session } = resultIn(await run('say not yet', '--mode', 'supervised', '--json'));
    expect(await rondo('run', '--session', String(session), '--json')).toMatchObject({ code: 3 });
  });

  test('[C5] rejected as often as the limit allows, the run ends as refused', async () => {
    const { session } = resultIn(await run('say no good', '--mode', 'supervised', '--json'));
    await answerInLibrary(String(session), { type: 'reject' });
    await answerInLibrary(String(session), { type: 'reject' });
    expect(await rondo('run', '--session', String(session), '--json')).toMatchObject({ code: 4 });
  });
});

describe('a session is resumed', () => {
  test('by id, by a prefix and as the latest, with its history', async () => {
    const { session } = resultIn(await run('say first', '--json'));
    const id = String(session);
    expect(await rondo('run', '--session', id.slice(0, -2), 'say second')).toMatchObject({
      code: 0,
      out: 'second\n',
    });
    expect(await rondo('run', '--session', 'latest', 'say third')).toMatchObject({ code: 0, out: 'third\n' });
    const { events } = await inLibrary(async (opened) => (await opened.sessions.open(id)).events({ after: 0 }));
    expect(events.filter(({ event }) => event.type === 'turn-started')).toHaveLength(3);
  });

  test('[P1] [P2] after kill -9 in the middle of a turn', async () => {
    const script = path.join(home, 'killed.json');
    await writeFile(script, JSON.stringify([{ text: 'I was ab', hang: true }]));
    const running = start(['run', '--model', `scripted:${script}`, 'think', '--json']);
    await running.line('progress');
    running.child.kill('SIGKILL');
    await running.ended;
    await writeFile(script, JSON.stringify([{ text: 'I am back.' }]));
    const ended = await rondo('run', '--session', 'latest', '--json');
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(resultIn(ended)).toMatchObject({ outcome: 'completed', text: 'I am back.' });
    const { events } = await inLibrary(async (opened) =>
      (await opened.sessions.open('latest')).events({ after: 0 }),
    );
    expect(events.map(({ event }) => event.type)).toEqual([
      'session-created',
      'prompt-received',
      'turn-started',
      'model-call-intended',
      'session-recovered',
      'effect-repeated',
      'model-settled',
      'turn-ended',
    ]);
  });
});

test('[P6] [C17] one Ctrl+C cancels the turn: exit 130, the session intact and usable', async () => {
  const running = start(['run', '--model', 'testing', 'hang', '--json']);
  await running.line('model-call-intended');
  running.child.kill('SIGINT');
  const ended = await running.ended;
  const result = resultIn(ended);
  expect({ code: ended.code, err: ended.err, outcome: result['outcome'] }).toEqual({
    code: 130,
    err: '',
    outcome: 'cancelled',
  });
  expect(await rondo('run', '--session', String(result['session']), 'say still here')).toMatchObject({
    code: 0,
    out: 'still here\n',
  });
});

test('a reader that leaves does not end the run, and nobody sees a stack trace', async () => {
  const words = Array.from({ length: 20_000 }, (_, index) => `word${index}`).join(' ');
  const running = start(['run', '--model', 'testing', '-', '--json'], `say ${words}`);
  running.child.stdout?.destroy();
  expect(await running.ended).toMatchObject({ code: 0, err: '' });
  const page = await inLibrary((opened) => opened.sessions.list({ limit: 1 }));
  expect(page.entries[0]).toMatchObject({ state: 'idle', turns: 1 });
});

describe('what was written wrongly is reported in words and exits with 2', () => {
  const mistakes: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['an unknown option', ['run', 'hello', '--frob'], ['--frob']],
    ['an unknown command', ['rnu', 'hello'], ['"rnu"', 'did you mean "run"']],
    ['a missing prompt', ['run'], ['prompt missing']],
    ['two prompts', ['run', 'hello', 'there'], ['quotes']],
    ['an unknown mode', ['run', 'hello', '--mode', 'quick'], ['quick', 'supervised']],
    ['a limit that is no number', ['run', 'hello', '--max-steps', 'many'], ['--max-steps', 'many']],
    ['an unknown session', ['run', 'hello', '--session', 'ses_none'], ['ses_none']],
    ['an unknown kind of store', ['run', 'hello', '--store', 'mysql://localhost'], ['mysql://', 'nats://']],
    ['a script that is missing', ['run', 'hello', '--model', 'scripted:/nowhere/a.json'], ['/nowhere/a.json']],
  ];
  test.each(mistakes)('%s', async (_, words, parts) => {
    const ended = await rondo(...words);
    expect({ code: ended.code, out: ended.out }).toEqual({ code: 2, out: '' });
    for (const part of parts) expect(ended.err).toContain(part);
  });

  const scripts: readonly (readonly [string, string, string])[] = [
    ['is no JSON', '[{"text":', 'JSON'],
    ['is no list', '{"text":"hello"}', 'list of steps'],
    ['has an unknown key', '[{"txt":"hello"}]', 'txt'],
  ];
  test.each(scripts)('a script that %s: the file and the problem are named', async (_, content, problem) => {
    const script = path.join(home, 'bad-script.json');
    await writeFile(script, content);
    const ended = await rondo('run', 'hello', '--model', `scripted:${script}`);
    expect({ code: ended.code, out: ended.out }).toEqual({ code: 2, out: '' });
    expect(ended.err).toContain(script);
    expect(ended.err).toContain(problem);
  });
});
