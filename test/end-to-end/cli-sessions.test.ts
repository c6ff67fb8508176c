// Reading sessions and acting on them from other processes: ls, show, answer, cancel.
import { readdirSync } from 'node:fs';

import { afterAll, describe, expect, test } from 'vitest';

import { createCliPlace } from './cli-process.ts';

const place = await createCliPlace();
afterAll(() => place[Symbol.asyncDispose]());

interface ResultRecord {
  readonly session: string;
  readonly outcome: string;
  readonly questions: readonly { readonly id: string }[];
}

async function asked(prompt: string): Promise<{ readonly session: string; readonly question: string }> {
  const { out } = await place.rondo('run', '--agent', 'testing', prompt, '--json');
  const { session, questions } = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as ResultRecord;
  return { session, question: questions[0]?.id ?? '' };
}

describe('without any session', () => {
  test('ls shows nothing and makes no store; show, answer and cancel say what is not there', async () => {
    await using fresh = await createCliPlace();
    expect(await fresh.rondo('ls')).toEqual({ code: 0, out: '', err: '' });
    expect(await fresh.json('ls')).toEqual({ sessions: [], more: false });
    const none = 'Unknown session ses_1 in this store; `rondo ls` lists them.';
    expect(await fresh.rondo('show', 'ses_1')).toEqual({ code: 2, out: '', err: `rondo show: ${none}\n` });
    expect(await fresh.rondo('cancel', 'ses_1')).toEqual({ code: 2, out: '', err: `rondo cancel: ${none}\n` });
    expect(await fresh.rondo('answer', 'q_12345678', 'reject')).toEqual({
      code: 2,
      out: '',
      err: 'rondo answer: unknown question q_12345678 in this store. List the open ones: rondo inbox\n',
    });
  });
});

test('ls: a line a session with tabs between its columns, filtered and searched', async () => {
  await using own = await createCliPlace();
  await own.rondo('run', '--agent', 'testing', 'say hello there');
  await own.rondo('run', '--agent', 'testing', 'call shell {"command":"touch asked"}');
  const first = 'ses_X\tsay hello there\tidle\ttesting\tNs\t$0\t0\n';
  const second = 'ses_X\tcall shell {"command":"touch asked"}\twaiting\ttesting\tNs\t$0\t1\n';
  const list = async (...words: readonly string[]) => own.masked((await own.rondo('ls', ...words)).out);
  expect(await list()).toBe(second + first);
  expect(await list('--state', 'waiting')).toBe(second);
  expect(await list('-q', 'Hello')).toBe(first);
  expect(await list('--agent', 'nobody')).toBe('');
  expect(await list('--limit', '1')).toBe(second);
  expect(await own.rondo('ls', '--state', 'asleep')).toMatchObject({ code: 2, out: '' });
});

test('show: state, conversation, usage, audit and events; nothing of the session starts or changes', async () => {
  const { session, question } = await asked('call shell {"command":"touch shown"}\nsay done');
  const before = await place.rondo('show', session, '--events');
  const { code, out, err } = await place.rondo('show', session);
  expect({ code, err, out: place.masked(out) }).toEqual({
    code: 0,
    err: '',
    out: `session   ses_X
title     call shell {"command":"touch shown"}
state     Needs you
doing     waiting for approval of shell: touch shown
agent     testing (testing)
mode      interactive
folder    ~/project
updated   Ns ago
usage     1 turn, 1 step, 0 tool calls, 14 tokens, $0
question  Allow shell: touch shown?  (q_X)
            ! changes files in this folder
            Why: No rule covers it, so it needs your approval. (default)
            Answer with:
              rondo answer q_X allow-once     saves no rule
              rondo answer q_X allow-session  saves shell(touch shown) [edit] until the session ends
              rondo answer q_X allow-always   saves shell(touch shown) [edit] for this project
              rondo answer q_X reject         tells the agent no

you:
  call shell {"command":"touch shown"}
  say done

? Needs approval: touch shown

? Allow shell: touch shown?
  Open
`,
  });
  expect(await place.json('show', session)).toMatchObject({
    status: { session, lifecycle: 'waiting', questions: [{ id: question }] },
    transcript: { items: [{ type: 'prompt' }, { type: 'call' }, { type: 'question' }] },
  });
  expect(place.masked((await place.rondo('show', session, '--usage')).out)).toBe(
    'session\t13\t1\t0\t$0\tNs\tNs\nmodel testing\t13\t1\t0\t$0\tNs\tNs\nturn 1 (testing)\t13\t1\t0\t$0\tNs\tNs\n',
  );
  expect(await place.json('show', session, '--audit')).toMatchObject({ entries: [{ seq: 1 }] });
  const events = (await place.rondo('show', session, '--events', '--json')).out.trimEnd().split('\n');
  expect(events.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
    'session-created',
    'prompt-received',
    'turn-started',
    'model-call-intended',
    'model-settled',
    'question-opened',
  ]);
  expect(await place.rondo('show', session, '--events')).toEqual(before);
  expect(await place.rondo('show', session, '--events', '--usage')).toMatchObject({ code: 2 });
});

describe('[P3] answer', () => {
  test('of a session that nobody runs, with a server on its store: the server is named, and continues it', async () => {
    await using own = await createCliPlace();
    const asking = await own.rondo(
      'run',
      '--agent',
      'testing',
      '--json',
      'call shell {"command":"touch served"}\nsay finished',
    );
    const { session, questions } = JSON.parse(asking.out.trimEnd().split('\n').at(-1) ?? '') as ResultRecord;
    const server = own.start(['serve', '--port', '0', '--node', 'one']);
    await server.saw('#token=');
    expect(await own.rondo('answer', questions[0]?.id ?? '', 'allow-once')).toEqual({
      code: 0,
      out: `Allow shell: touch served? Allow once (saves no rule).\nThe server one continues session ${session}.\n`,
      err: '',
    });
    await expect.poll(() => readdirSync(own.project), { timeout: 15_000 }).toContain('served');
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
  });

  test('an answer to an idle session is kept, names how to continue, and applies then; the first one counts', async () => {
    const { session, question } = await asked('call shell {"command":"touch kept && ls kept"}\nsay finished');
    expect(await place.rondo('answer', question, '--text', 'yes')).toEqual({
      code: 2,
      out: '',
      err: `rondo answer: ${question} takes allow-once, allow-session, allow-always or reject, not text\nRun \`rondo answer --help\` for its options.\n`,
    });
    expect(await place.rondo('answer', question, 'allow-once')).toEqual({
      code: 0,
      out: `Allow shell: touch kept (1 of 2 parts)? Allow once (saves no rule).\nNo process runs session ${session} now. Resume with: rondo run --session ${session}\n`,
      err: '',
    });
    expect(await place.rondo('answer', question, 'reject', 'too late')).toEqual({
      code: 1,
      out: '',
      err: `rondo answer: question ${question} was already answered "allow-once" by you. The first answer stands.\n`,
    });
    expect((await place.rondo('show', session)).out).toContain('inbox     1 pending');
    const resumed = await place.rondo('run', '--session', session);
    expect({ ...resumed, err: place.masked(resumed.err) }).toEqual({
      code: 0,
      out: 'finished\n',
      err: '✓ Ran touch kept && ls kept (Ns)\n',
    });
    const late = await place.rondo('answer', question, 'reject');
    expect({ ...late, err: place.masked(late.err) }).toEqual({
      code: 1,
      out: '',
      err: 'rondo answer: question q_X was already answered "allow-once" by you at DATE. The first answer stands.\n',
    });
  });

  test('"always" is saved for the project with everything the question proposed, and can be revoked', async () => {
    const { session, question } = await asked('call shell {"command":"touch one && mkdir two"}\nsay finished');
    await place.rondo('answer', question.slice(0, -2), 'allow-always');
    const { saved } = (await place.json('policy', 'list')) as { saved: readonly { id: string; rule: string }[] };
    expect(saved.map(({ rule }) => rule)).toEqual(['shell(touch one) [edit]', 'shell(mkdir two) [edit]']);
    expect(await place.rondo('run', '--session', session)).toMatchObject({ code: 0 });
    const again = ['run', '--agent', 'testing', 'call shell {"command":"touch one"}\nsay again'];
    const { err, ...ended } = await place.rondo(...again);
    expect({ ...ended, err: place.masked(err) }).toEqual({
      code: 0,
      out: 'again\n',
      err: '✓ Ran touch one (Ns)\n',
    });
    const [first] = saved;
    expect(await place.rondo('policy', 'revoke', first?.id ?? '')).toMatchObject({ code: 0, err: '' });
    expect(await place.rondo(...again)).toMatchObject({ code: 3 });
    expect(await place.rondo('policy', 'revoke', first?.id ?? '')).toMatchObject({ code: 2, out: '' });
  });

  test('a clarification takes an option or words of your own', async () => {
    const { session, question } = await asked('call ask_user {"question":"Which?","options":["red","blue"]}');
    expect(await place.rondo('answer', question, 'allow-once')).toMatchObject({ code: 2 });
    expect(await place.rondo('answer', question, '--option', 'green')).toMatchObject({ code: 2 });
    expect(await place.rondo('answer', question, '--option', 'blue', '--text', 'or red')).toMatchObject({
      code: 2,
    });
    expect(await place.rondo('answer', question, '--option', 'blue')).toMatchObject({ code: 0 });
    expect(await place.rondo('run', '--session', session)).toMatchObject({
      code: 0,
      out: 'ask_user (success): blue\n',
    });
  });

  test('of a session that another process runs: it continues there', async () => {
    const script = await place.write('slow.json', [
      {
        calls: [
          { tool: 'shell', args: { command: 'sleep 8' } },
          { tool: 'shell', args: { command: 'touch live' } },
        ],
      },
      { text: 'finished' },
    ]);
    const words = ['run', '--model', `scripted:${script}`, 'go', '--json', '--allow', 'shell(sleep*)'];
    const running = place.start(words);
    await running.saw('"type":"question-opened"');
    const [waiting] = ((await place.json('ls', '--limit', '1')) as { sessions: readonly { session: string }[] })
      .sessions;
    const shown = (await place.json('show', waiting?.session ?? '')) as {
      status: { questions: readonly { id: string }[] };
    };
    const question = shown.status.questions[0]?.id ?? '';
    const answered = await place.rondo('answer', question, 'allow-once');
    expect({ ...answered, out: place.masked(answered.out) }).toEqual({
      code: 0,
      out: 'Allow shell: touch live? Allow once (saves no rule).\nSession ses_X continues in process N.\n',
      err: '',
    });
    expect(await running.ended).toMatchObject({ code: 0, err: '' });
    expect(await place.rondo('answer', question, 'reject')).toMatchObject({ code: 1 });
  });
});

describe('[P6] cancel', () => {
  test('of a session that nobody runs: its turn ends, its question is closed, nothing is started', async () => {
    const { session, question } = await asked('call shell {"command":"touch never"}\nsay done');
    expect(await place.rondo('cancel', session, '--reason', 'changed my mind')).toEqual({
      code: 0,
      out: `Cancelled session ${session}. No process was running it.\n`,
      err: '',
    });
    expect((await place.rondo('show', session)).out).toContain('last turn Stopped: changed my mind\n');
    expect(await place.rondo('answer', question, 'allow-once')).toMatchObject({ code: 1 });
    expect(await place.rondo('cancel', session)).toEqual({
      code: 0,
      out: `Session ${session} is idle. Nothing to cancel.\n`,
      err: '',
    });
  });

  test('of a session whose process was killed in the middle of a model call: the call is not made again', async () => {
    const running = place.start(['run', '--agent', 'testing', 'hang', '--json']);
    await running.saw('"type":"model-call-intended"');
    running.child.kill('SIGKILL');
    await running.ended;
    expect(await place.rondo('cancel', 'latest')).toMatchObject({ code: 0, err: '' });
    expect((await place.rondo('show', 'latest')).out).toContain('state     Idle\n');
  });

  test('of a session that another process runs: that process ends as cancelled', async () => {
    const running = place.start(['run', '--agent', 'testing', 'hang', '--json']);
    await running.saw('"type":"model-call-intended"');
    const { code, out } = await place.rondo('cancel', 'latest');
    expect({ code, out: place.masked(out) }).toEqual({
      code: 0,
      out: 'Process N is cancelling session ses_X.\n',
    });
    expect(await running.ended).toMatchObject({ code: 130 });
  });
});

test('a session whose process was killed is listed and shown as interrupted', async () => {
  await using place = await createCliPlace();
  const running = place.start(['run', '--json', '--agent', 'testing', 'hang']);
  await running.saw('"model-call-intended"');
  expect((await place.rondo('ls')).out).toContain('\trunning\t');
  running.child.kill('SIGKILL');
  await running.ended;
  expect((await place.rondo('ls')).out).toContain('\tinterrupted (owner gone)\t');
  expect((await place.rondo('show', 'latest')).out).toContain(
    'state     interrupted (owner gone); resume with: rondo run --session ses_',
  );
});

const impossibleHomes: readonly (readonly [home: string, problem: string])[] = [
  ['/dev/null/x', "/dev/null isn't a folder"],
  ...(process.platform === 'linux'
    ? [['/proc/1/x', "/proc/1 belongs to the kernel and can't hold files"] as const]
    : []),
];

test.each(impossibleHomes)(
  'a RONDO_HOME that can be no folder (%s) is reported at once',
  async (home, problem) => {
    await using place = await createCliPlace();
    const { code, err } = await place.start(['run', '--agent', 'testing', 'say hi'], { env: { RONDO_HOME: home } })
      .ended;
    expect([code, err]).toEqual([
      2,
      `rondo run: can't use the configuration\nRONDO_HOME is ${home}: ${problem}; set it to a folder that you can write to\n`,
    ]);
  },
);
