// Workers and jobs from the command line: listed, run from a file, cancelled from other processes.
import { afterAll, describe, expect, test } from 'vitest';

import { createCliPlace, type Ended } from './cli-process.ts';

const place = await createCliPlace();
afterAll(() => place[Symbol.asyncDispose]());

const masked = (text: string) => place.masked(text).replaceAll(/(job|wrk)_[a-z0-9]+/g, '$1_X');
const maskedEnd = ({ code, out, err }: Ended) => ({ code, out: masked(out), err: masked(err) });
const say = (id: string, more: object = {}) => ({ id, agent: 'testing', prompt: `say ${id} said`, ...more });
const hanging = [
  { id: 'hangs', agent: 'testing', worker: 'bob', prompt: 'hang' },
  { id: 'behind', agent: 'testing', worker: 'bob', prompt: 'say behind' },
];

/** Parallel jobs report in any order. */
const sortedLines = (text: string) => text.trimEnd().split('\n').toSorted();

describe('without any job', () => {
  test('empty lists create no store; missing things are named', async () => {
    await using fresh = await createCliPlace();
    const nothing = { code: 0, out: '', err: '' };
    expect(await fresh.rondo('workers')).toEqual(nothing);
    expect(await fresh.rondo('jobs')).toEqual(nothing);
    expect(await fresh.json('workers')).toEqual({ workers: [] });
    expect(await fresh.json('jobs')).toEqual({ jobs: [] });
    expect(await fresh.rondo('jobs', 'cancel', '--all')).toEqual({
      ...nothing,
      out: 'No jobs to cancel\n',
    });
    expect(await fresh.rondo('jobs', 'cancel', 'job_1')).toEqual({
      code: 2,
      out: '',
      err: 'rondo jobs: unknown job job_1 in this store; `rondo jobs` lists them\n',
    });
    expect(await fresh.rondo('workers', 'delete', 'eve')).toEqual({
      code: 2,
      out: '',
      err: 'rondo workers: unknown worker eve in this store; `rondo workers` lists them\n',
    });
    expect(await fresh.rondo('jobs', '--watch')).toMatchObject({ code: 2, out: '' });
    expect(await fresh.rondo('jobs', 'stop')).toMatchObject({ code: 2, out: '' });
  });
});

test('[C54] workers are created, listed, renamed and deleted; a name is taken once', async () => {
  await using own = await createCliPlace();
  const create = (...words: readonly string[]) => own.rondo('workers', 'create', ...words);
  expect(await create('ada', '--agent', 'testing')).toEqual({
    code: 0,
    out: 'Created worker ada. Give it jobs with `rondo jobs run FILE`.\n',
    err: '',
  });
  await create('eve');
  expect(await create('bob', '--agent', 'testin')).toEqual({
    code: 2,
    out: '',
    err: 'rondo workers: unknown agent "testin"; did you mean "testing"?\nRun `rondo workers --help` for its options.\n',
  });
  expect(maskedEnd(await create('ada'))).toEqual({
    code: 1,
    out: '',
    err: "rondo workers: Can't create a worker: The name ada is taken by worker wrk_X; choose another or use that one.\n",
  });
  expect(await own.rondo('workers', 'rename', 'ada', 'eve')).toEqual({
    code: 1,
    out: '',
    err: "rondo workers: Can't rename worker ada: the name eve is taken. Choose another.\n",
  });
  expect((await own.rondo('workers', 'rename', 'ada', 'ann')).out).toBe('Renamed worker ada to ann.\n');
  expect((await own.rondo('workers')).out).toBe('ann\ttesting\t-\tinactive\t0\neve\t(default)\t-\tinactive\t0\n');
  expect((await own.rondo('workers', 'delete', 'eve')).out).toBe('Deleted worker eve.\n');
  expect(await own.json('workers')).toEqual({
    workers: [
      {
        id: expect.stringMatching(/^wrk_/) as string,
        name: 'ann',
        kind: 'persistent',
        agent: 'testing',
        budget: [],
        doing: [],
        state: 'inactive',
        jobs: { active: 0, all: 0 },
      },
    ],
  });
});

describe('jobs run', () => {
  test('[C56] runs each job after its dependencies, in whatever order they are named', async () => {
    await using own = await createCliPlace();
    await own.write('list.json', [
      say('sum', { after: ['first', 'second'] }),
      say('first', { worker: 'ada' }),
      say('second', { after: ['first'], priority: 'high' }),
    ]);
    const { code, out, err } = maskedEnd(await own.rondo('jobs', 'run', 'list.json'));
    expect({ code, err, lines: sortedLines(out) }).toEqual({
      code: 0,
      err: '',
      lines: [
        '3 jobs: 3 completed. 19 tokens, $0',
        'first: completed — first said',
        'first: running',
        'second: completed — second said',
        'second: running',
        'sum: completed — sum said',
        'sum: running',
      ],
    });
    const starts = out.split('\n').filter((line) => line.endsWith(': running'));
    expect(starts).toEqual(['first: running', 'second: running', 'sum: running']);
    expect(masked((await own.rondo('jobs')).out)).toBe(
      'job_X\tada\tcompleted\tnormal\tsay first said\tNs\t$0\n' +
        'job_X\tsecond\tcompleted\thigh\tsay second said\tNs\t$0\n' +
        'job_X\tsum\tcompleted\tnormal\tsay sum said\tNs\t$0\n',
    );
    expect((await own.rondo('workers')).out).toBe('ada\ttesting\ttesting\tinactive\t1\n');
  });

  test('a failure is reported, passed on as each job says, and ends with 1', async () => {
    await place.write('fail.json', [
      { id: 'bad', agent: 'testing', prompt: 'fail no luck' },
      say('skipped', { after: ['bad'] }),
      say('failing', { after: ['bad'], onFailure: 'fail' }),
      say('anyway', { after: ['bad'], onFailure: 'run-anyway' }),
      { id: 'late', agent: 'testing', prompt: 'hang', deadlineMs: 700 },
    ]);
    const { code, out, err } = await place.rondo('jobs', 'run', 'fail.json');
    const lines = out.trimEnd().split('\n');
    expect({ code, err, last: lines.at(-1) }).toEqual({
      code: 1,
      err: '',
      last: expect.stringMatching(
        /^5 jobs: 1 completed, 2 failed, 1 timed-out, 1 cancelled\. [\d.]+k? tokens/,
      ) as string,
    });
    expect(lines).toContain('bad: failed — no luck');
    expect(lines).toContain('anyway: completed — anyway said');
    expect(lines).toContain('skipped: cancelled — skipped: job bad, which it waits for, ended as failed');
    expect(lines.find((line) => line.startsWith('failing: '))).toMatch(/^failing: failed — .*bad/);
    expect(lines.find((line) => line.startsWith('late: timed-out'))).toMatch(/deadline/);
  });

  test('--json: a line for each change, the result as the last one, in the order of the file', async () => {
    await place.write('two.json', [say('z', { after: ['a'] }), say('a')]);
    const { code, out } = await place.rondo('jobs', 'run', 'two.json', '--json');
    const ended = (id: string) => ({
      id,
      job: 'job_X',
      state: 'completed',
      text: `${id} said`,
      spent: { tokens: 5, outputTokens: 2, cost: 0, toolCalls: 0, costIsKnown: true },
      session: 'ses_X',
    });
    expect({ code, lines: sortedLines(masked(out)).map((line) => JSON.parse(line) as unknown) }).toEqual({
      code: 0,
      lines: [
        { type: 'ended', ...ended('a') },
        { type: 'ended', ...ended('z') },
        {
          type: 'result',
          outcome: 'completed',
          jobs: [ended('z'), ended('a')],
          questions: [],
          resume: 'rondo jobs run',
        },
        { type: 'state', id: 'a', state: 'running' },
        { type: 'state', id: 'z', state: 'running' },
      ],
    });
    expect(out.trimEnd().split('\n').at(-1)).toMatch(/^\{"type":"result"/);
  });

  test('nothing runs where the list has a mistake: it is named, exit code 2', async () => {
    await using own = await createCliPlace();
    const help = 'Run `rondo jobs --help` for its options.\n';
    const refused = async (list: unknown) => {
      await own.write('wrong.json', list);
      const { code, out, err } = await own.rondo('jobs', 'run', 'wrong.json');
      expect({ code, out, help: err.endsWith(help) }).toEqual({ code: 2, out: '', help: true });
      return err.slice('rondo jobs: wrong.json'.length, -help.length - 1);
    };
    const cycle = [say('a', { after: ['c'] }), say('b', { after: ['a'] }), say('c', { after: ['b'] }), say('d')];
    expect(await refused(cycle)).toBe(': jobs wait for each other: a → c → b → a');
    expect(await refused([say('one', { after: ['tow'] }), say('two')])).toBe(
      ': job "one" waits for "tow", which isn\'t in the list; did you mean "two"?',
    );
    expect(await refused([say('one'), say('two', { agent: 'testin' })])).toBe(
      ': job "two": unknown agent "testin"; did you mean "testing"?',
    );
    expect(await refused([say('one'), say('one')])).toBe(': two jobs have the id "one"');
    expect(await refused([say('one', { worker: 'w' }), say('two', { worker: 'w', agent: 'assistant' })])).toBe(
      ': worker "w" needs one agent, but job "one" wants testing and "two" wants assistant',
    );
    expect(await refused([say('one', { priority: 'soon' })])).toContain('job "one", priority: ');
    expect(await refused([])).toBe(" isn't a list of jobs: it has no jobs");
    expect(await refused('[')).toMatch(/^ is not valid JSON: /);
    expect(await own.rondo('jobs', '--all')).toEqual({ code: 0, out: '', err: '' });
    expect(await own.rondo('workers')).toEqual({ code: 0, out: '', err: '' });
  });

  test('[P9] [P3] an open question ends it with 3 and the way to answer; `jobs run` continues', async () => {
    await using own = await createCliPlace();
    await own.write('ask.json', [
      { id: 'asks', agent: 'testing', prompt: 'call shell {"command":"touch asked"}\nsay done' },
      say('next', { after: ['asks'] }),
      say('other'),
    ]);
    const first = await own.rondo('jobs', 'run', 'ask.json');
    const { code, out, err } = maskedEnd(first);
    expect({ code, err, lines: sortedLines(out) }).toEqual({
      code: 3,
      err: `asks asks q_X: Allow shell: touch asked? No rule covers it, so it needs your approval.
  Show and answer it with: rondo inbox q_X
Then resume with: rondo jobs run
`,
      lines: [
        '3 jobs: 1 completed, 1 waiting, 1 queued. 7 tokens, $0',
        'asks: running',
        'asks: waiting',
        'other: completed — other said',
        'other: running',
      ],
    });
    const question = /q_[a-z0-9]+/.exec(first.err)?.[0] ?? '';
    const before = await own.json('jobs');
    expect(await own.json('jobs')).toMatchObject({ jobs: [{ state: 'waiting' }, { state: 'queued' }, {}] });
    expect(before).toMatchObject({ jobs: [{ worker: 'asks' }, { worker: 'next' }, { worker: 'other' }] });
    expect(maskedEnd(await own.rondo('answer', question, 'allow-once'))).toEqual({
      code: 0,
      out: 'Allow shell: touch asked? Allow once (saves no rule).\nNo process runs session ses_X now. Resume with: rondo jobs run\n',
      err: '',
    });
    const again = await own.rondo('jobs', 'run');
    expect({ code: again.code, err: again.err, last: again.out.trimEnd().split('\n').at(-1) }).toEqual({
      code: 0,
      err: '',
      last: expect.stringMatching(/^2 jobs: 2 completed\. \d+ tokens, \$0$/) as string,
    });
    expect(await own.rondo('jobs', 'run')).toEqual({ code: 0, out: 'No jobs left to run\n', err: '' });
  });

  test('--auto-approve answers the questions', async () => {
    await place.write('yes.json', [
      { id: 'asks', agent: 'testing', prompt: 'call shell {"command":"touch yes"}\nsay done' },
    ]);
    expect(await place.rondo('jobs', 'run', 'yes.json', '--auto-approve')).toMatchObject({ code: 0, err: '' });
  });

  test('[P6] Ctrl+C cancels all of them: 130', async () => {
    await using own = await createCliPlace();
    await own.write('hang.json', hanging);
    const running = own.start(['jobs', 'run', 'hang.json']);
    await running.saw('hangs: running');
    running.child.kill('SIGINT');
    const { code, out } = await running.ended;
    expect({ code, lines: sortedLines(out) }).toEqual({
      code: 130,
      lines: [
        expect.stringMatching(/^2 jobs: 2 cancelled\./) as string,
        'behind: cancelled — interrupted from the terminal',
        'hangs: cancelled — interrupted from the terminal',
        'hangs: running',
      ],
    });
  });
});

describe('[P6] from another process', () => {
  test('jobs are seen while they run, and cancelled one by one or all at once', async () => {
    await using own = await createCliPlace();
    await own.write('hang.json', hanging);
    const running = own.start(['jobs', 'run', 'hang.json']);
    await running.saw('hangs: running');
    const { jobs } = (await own.json('jobs')) as { jobs: readonly { id: string; state: string }[] };
    expect(jobs).toMatchObject([
      { worker: 'bob', state: 'running', priority: 'normal', prompt: 'hang' },
      { worker: 'bob', state: 'queued', priority: 'normal', prompt: 'say behind' },
    ]);
    await expect
      .poll(async () => (await own.rondo('workers')).out, { timeout: 10_000 })
      .toBe('bob\ttesting\ttesting\trequesting\t2 (2 active)\n');
    const behind = jobs[1]?.id ?? '';
    const cancel = ['jobs', 'cancel', behind, '--reason', 'not needed'];
    expect((await own.rondo(...cancel)).out).toBe(`Cancelled job ${behind}.\n`);
    expect((await own.rondo(...cancel)).out).toBe(`Job ${behind} is cancelled. Nothing to cancel.\n`);
    expect((await own.rondo('jobs', 'cancel', 'bob')).out).toBe(
      `The process of job ${jobs[0]?.id} is cancelling it.\n`,
    );
    const { code, out } = await running.ended;
    expect({ code, lines: sortedLines(out).slice(1) }).toEqual({
      code: 1,
      lines: [
        'behind: cancelled — not needed',
        'hangs: cancelled — cancelled with rondo jobs cancel',
        'hangs: running',
      ],
    });
  });

  test('deleting a worker cancels its jobs; those of a process that is gone are settled by the next run', async () => {
    await using own = await createCliPlace();
    await own.write('hang.json', hanging);
    const running = own.start(['jobs', 'run', 'hang.json']);
    await running.saw('hangs: running');
    while (!(await own.rondo('workers')).out.includes('requesting'));
    running.child.kill('SIGKILL');
    await running.ended;
    expect(maskedEnd(await own.rondo('workers', 'delete', 'bob'))).toEqual({
      code: 1,
      out: '',
      err: "rondo workers: Can't delete worker bob: job job_X is cancelled, but its process died. Run `rondo jobs run` to settle it, then delete the worker again.\n",
    });
    expect(masked((await own.rondo('jobs')).out)).toMatch(/^job_X\tbob\tcancelling\t/);
    expect(await own.rondo('jobs', 'run')).toMatchObject({ code: 1 });
    expect((await own.rondo('workers', 'delete', 'bob')).out).toBe('Deleted worker bob.\n');
    expect(await own.json('workers')).toEqual({ workers: [] });
  });

  test('--watch draws the table again as things change, until Ctrl+C', async () => {
    await using own = await createCliPlace();
    await own.write('hang.json', hanging);
    const running = own.start(['jobs', 'run', 'hang.json']);
    await running.saw('hangs: running');
    const binary = `${process.execPath} ${process.cwd()}/bin/rondo.cjs`;
    const watching = own.onTerminal(`stty cols 120; exec ${binary} jobs --watch`);
    await watching.saw('Ctrl+C leaves.');
    running.child.kill('SIGINT');
    await running.ended;
    await watching.saw('cancelled');
    watching.child.stdin?.write('\u0003');
    const { code, out } = await watching.ended;
    expect({ code, head: /id +worker +state +priority +prompt +elapsed +cost/.test(out) }).toEqual({
      code: 0,
      head: true,
    });
    expect(out).toContain('\u001B[4A\r\u001B[J');
  });
});
