/** External agents as real processes: the fixture carries out its prompt, correctly or not. */
import { existsSync, symlinkSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { eventsOf, open, processesOf, questionOf, reportsOf, rule, until } from './hosted-scene.ts';

describe('a turn of an external agent [C89]', () => {
  test('is text, thoughts, tool calls, a plan and commands, each recorded once its kind changes', async () => {
    const { session } = await open();

    const reply = await session.chat(
      'say Hello there\nthink Hm\ntool t1 read Look\nplan one|two\ncommands fix\nsay The end',
    );

    expect({ outcome: reply.outcome, text: reply.text }).toEqual({
      outcome: 'completed',
      text: 'Hello thereThe end',
    });
    const effect = `${session.id}.4/1`;
    expect(await reportsOf(session)).toEqual([
      { type: 'session', agent: 'fixture', id: expect.any(String) as string, how: 'started' },
      { type: 'message', text: 'Hello there', effect: `${effect}-1` },
      { type: 'thought', text: 'Hm', effect: `${effect}-2` },
      {
        type: 'tool-call',
        call: 't1',
        title: 'fixture claims: Look',
        kind: 'read',
        state: 'pending',
        counts: true,
      },
      { type: 'tool-call', call: 't1', state: 'in-progress' },
      { type: 'tool-call', call: 't1', state: 'completed', content: 'done' },
      {
        type: 'plan',
        entries: [
          { text: 'one', state: 'pending' },
          { text: 'two', state: 'pending' },
        ],
      },
      { type: 'commands', commands: [{ name: 'fix', description: 'a command' }] },
      { type: 'message', text: 'The end', effect: `${effect}-3` },
    ]);
  });

  test('streams its words to followers as they come, and the record replaces them', async () => {
    const { session } = await open();
    await session.persist();
    const heard: { readonly offset: number; readonly text: string }[] = [];
    const stop = new AbortController();
    const following = (async () => {
      for await (const update of session.follow({ after: 0, signal: stop.signal })) {
        if (update.type === 'progress') heard.push(update);
        if (update.type === 'event' && update.recorded.event.type === 'turn-ended') break;
      }
    })();

    await session.chat('say one two three');
    await following;
    stop.abort();

    // Each piece is passed on as one piece and starts where the previous one ended.
    const whole = heard.map(({ text }) => text).join('');
    expect(whole).toBe('one two three');
    expect(heard.map(({ offset, text }) => whole.startsWith(text, offset))).toEqual(heard.map(() => true));
  });

  test('keeps the process for the next one, and tells each prompt once', async () => {
    const { session } = await open();

    await session.chat('say first');
    const before = await processesOf(session);
    const second = await session.chat('told');

    expect(second.text).toBe('"told"');
    expect(await processesOf(session)).toEqual(before);
  });

  test('is steered with the prompt after it', async () => {
    const { session } = await open();
    const first = session.chat('wait 300\nsay first.');
    await until('the turn runs', async () => (await session.status()).turn !== undefined);

    const steered = await session.chat('say second.', { delivery: 'steer' });

    await first;
    expect(steered.text).toBe('first.second.');
  });

  test('reports diffs, and what it used counts towards the session [P7]', async () => {
    const { session } = await open();

    await session.chat('diff /somewhere/a.txt\nusage 100 0.25\nusage 160 0.75');

    const { usage } = await session.status();
    expect({ tokens: usage.inputTokens, cost: usage.cost }).toEqual({ tokens: 160, cost: 0.75 });
    expect(await reportsOf(session)).toContainEqual({
      type: 'tool-call',
      call: 'diff-1',
      counts: true,
      title: 'fixture claims: Edit /somewhere/a.txt',
      kind: 'edit',
      state: 'completed',
      diffs: [{ path: '/somewhere/a.txt', before: 'old', after: 'new' }],
    });
  });

  test('is stopped at a budget in the middle of the turn [P7]', async () => {
    const { session } = await open({ limits: { cost: 0.5 } });

    const reply = await session.chat('usage 10 0.6\nhang');

    expect(reply.outcome).toBe('limit');
  });

  test('is opened in the mode of its definition; an unknown option is reported', async () => {
    const { session } = await open({ flags: ['--modes'], agent: { mode: 'code', options: { color: 'red' } } });

    const reply = await session.chat('mode');

    expect(reply.text).toBe('code');
    expect(await reportsOf(session)).toContainEqual({
      type: 'notice',
      severity: 'warning',
      text: 'fixture did not take the option color: no such option',
    });
  });

  test('gets the variables it is given and no others', async () => {
    process.env['RONDO_TEST_SECRET'] = 'secret';
    process.env['RONDO_TEST_SHOWN'] = 'shown';
    const { session } = await open({ agent: { env: { GIVEN: 'given' }, envAllowed: ['RONDO_TEST_SH*'] } });

    const reply = await session.chat('env RONDO_TEST_SECRET\nenv RONDO_TEST_SHOWN\nenv GIVEN');

    expect(reply.text).toBe('unsetshowngiven');
  });
});

describe('what it asks [C89]', () => {
  test('is decided by policy first, with the rule on record', async () => {
    const { session, cwd } = await open({ rules: [rule('allow', 'shell(make *)'), rule('deny', 'shell(rm *)')] });

    const reply = await session.chat('ask make test\nask rm x');

    expect(reply.text).toBe('make test: once. rm x: no. ');
    expect(await readFile(path.join(cwd, 'ran.txt'), 'utf8')).toBe('make test\n');
    const answers = (await eventsOf(session)).filter(({ type }) => type === 'agent-answered');
    expect(answers).toMatchObject([{ rule: 'shell(make *)' }, { refused: 'policy', rule: 'shell(rm *)' }]);
  });

  test('becomes a question; an answer "for this session" also covers the next one', async () => {
    const { session } = await open();

    const asked = await session.chat('ask git status\nask git status');
    expect(asked.outcome).toBe('needs-input');
    await session.answer(await questionOf(session), { type: 'allow-session' });

    expect((await session.wait()).text).toBe('git status: once. git status: once. ');
  });

  test('asked twice for the same call is one question', async () => {
    const { session } = await open();

    await session.chat('ask-twice pwd');
    const { questions } = await session.status();
    await session.answer(await questionOf(session), { type: 'allow-once' });

    expect(questions.length).toBe(1);
    expect((await session.wait()).text).toBe('pwd: once. pwd: once. ');
  });

  test('may be a form', async () => {
    const { session } = await open();

    await session.chat('form Your name?');
    await session.answer(await questionOf(session), { type: 'form', form: { name: 'Ada' } });

    expect((await session.wait()).text).toBe('{"action":"accept","content":{"name":"Ada"}}');
  });

  test('may be a form that is declined', async () => {
    const { session } = await open();

    const running = session.chat('form What is your name?');
    await session.answer(await questionOf(session), { type: 'reject' });
    await running;

    expect((await session.wait()).text).toBe('{"action":"decline"}');
  });

  test.for([
    ['a yes', { type: 'allow-once' }, '{"action":"accept","content":{}}'],
    ['a no', { type: 'reject' }, '{"action":"decline"}'],
  ] as const)('may be something to be done at an address: %s', async ([, answer, said]) => {
    const { session } = await open();

    const running = session.chat('url https://example.org/login Please log in');
    const question = await questionOf(session);
    expect((await session.status()).questions[0]?.about).toEqual({
      type: 'form',
      title: 'Please log in',
      schema: { type: 'object' },
      url: 'https://example.org/login',
      request: expect.any(String) as string,
    });
    await session.answer(question, answer);
    await running;

    expect((await session.wait()).text).toBe(said);
  });

  test('at an address is over when the agent reports it, or the turn is cancelled; other addresses are refused', async () => {
    const { session } = await open();

    await session.chat('url https://example.org/login It is done soon');
    await until('the agent has gone on', async () => (await session.status()).lifecycle === 'idle');
    expect((await session.wait()).text).toBe('{"action":"accept"}');
    expect((await session.status()).questions).toEqual([]);
    expect((await session.chat('url file:///etc/passwd Look')).text).toBe(
      `"Elicitation mode url isn't supported."`,
    );
    await session.chat('url https://example.org/login Please log in');
    await session.interrupt();

    expect([(await session.wait()).outcome, (await session.status()).questions]).toEqual(['cancelled', []]);
  });

  test('again about the same call is answered as before; about another call it is asked again', async () => {
    const { session } = await open();

    const running = session.chat('ask-again pwd\nask pwd');
    await session.answer(await questionOf(session), { type: 'allow-once' });
    await until('the next call is asked about', async () => {
      const opened = (await eventsOf(session)).filter(({ type }) => type === 'question-opened');
      return opened.length === 2;
    });
    await session.answer(await questionOf(session), { type: 'reject' });
    await running;

    expect((await session.wait()).text).toBe('pwd: once. pwd: once. pwd: no. ');
  });

  test('of files and commands is served inside the folder only, and through the gate', async () => {
    const { session, cwd } = await open({ rules: [rule('allow', 'write'), rule('allow', 'shell(echo *)')] });
    await writeFile(path.join(cwd, 'note.txt'), 'a note');
    symlinkSync('/etc', path.join(cwd, 'link'));

    const reply = await session.chat(
      [
        'read note.txt\nsay |\nread ../../../../etc/passwd\nsay |\nread link/passwd\nsay |',
        'write new/deep.txt hi\nsay |\nwrite /tmp/rondo-out.txt no\nsay |',
        'terminal echo out\nsay |\nterminal touch x',
      ].join('\n'),
    );
    expect(reply.outcome).toBe('needs-input');
    await session.answer(await questionOf(session), { type: 'reject' });

    const refused = (tool: string) => `The user or the policy does not allow ${tool} here.`;
    expect((await session.wait()).text.split('|')).toEqual([
      'a note',
      `not read: ${refused('read')}`,
      `not read: ${refused('read')}`,
      'written',
      `not written: ${refused('write')}`,
      '{"output":"out\\n","truncated":false,"exitStatus":{"exitCode":0,"signal":null}}',
      `no terminal: ${refused('shell')}`,
    ]);
    expect(await readFile(path.join(cwd, 'new/deep.txt'), 'utf8')).toBe('hi');
    expect(existsSync('/tmp/rondo-out.txt')).toBe(false);
  });

  test('covers the write that follows from it', async () => {
    const { session, cwd } = await open();

    await session.chat('edit a.txt some words');
    await session.answer(await questionOf(session), { type: 'allow-once' });

    expect((await session.wait()).text).toBe('written');
    expect(await readFile(path.join(cwd, 'a.txt'), 'utf8')).toBe('some words');
  });

  test('is answered with no where nobody can be asked', async () => {
    const { session } = await open({ mode: 'batch' });

    expect((await session.chat('ask make')).text).toBe('make: no. ');
  });
});

describe('an agent that misbehaves [C88]', () => {
  test('writes invalid messages: they are ignored', async () => {
    const { session } = await open();
    expect((await session.chat('garbage hello, I am a log line\nsay fine')).text).toBe('fine');
  });

  test('sends a line of 5 MB: it is read; a longer one is left out, and the turn continues', async () => {
    const { session } = await open();
    const reply = await session.chat('long 5000000\nsay .\nlong 8000000\nsay !');
    expect(reply.text.length).toBe(5_000_002);
  });

  test('sends updates after its answer: they are recorded with the next turn', async () => {
    const { session, cwd } = await open();
    await session.chat('say one\nafter late words');
    await writeFile(path.join(cwd, 'turn-is-over'), '');
    await until('they are sent', () => existsSync(path.join(cwd, 'said-after')));
    expect((await session.chat('say two')).text).toBe('late wordstwo');
  });

  test('answers late after a cancel: the turn is cancelled, and the next one is its own', async () => {
    const { session } = await open();
    const running = session.chat('say begun\nslow-cancel 700');
    await until('it has begun', async () => (await reportsOf(session)).length > 0);
    await sleep(200);

    await session.interrupt();

    expect((await running).outcome).toBe('cancelled');
    expect((await session.chat('say next')).text).toBe('next');
  });

  test('ignores the cancel, the end of its input and SIGTERM: it is killed, children and all', async () => {
    const { session } = await open({ flags: ['--ignore-eof', '--ignore-term'], limits: { cancelGraceMs: 300 } });
    const running = session.chat('child 600\nhang-deaf');
    await until('the child runs', async () => (await processesOf(session)).length === 2);

    await session.interrupt();

    expect((await running).outcome).toBe('cancelled');
    await until('nothing of it is left', async () => (await processesOf(session)).length === 0);
  });

  test('exits in the middle of a turn: it is started again and continues where it was', async () => {
    const { session } = await open({ flags: ['--load'] });

    const reply = await session.chat('say before.\nexit-once mark\nsay after.');

    expect(reply.outcome).toBe('completed');
    expect(
      (await reportsOf(session)).flatMap((report) => (report.type === 'session' ? [report.how] : [])),
    ).toEqual(['started', 'loaded']);
    expect(reply.text).toBe('before.before.after.');
  });

  test('is killed with a question open: the question stays, and its answer goes to the next process [A6]', async () => {
    const { session, cwd } = await open({ flags: ['--resume'] });
    await session.chat('ask make test\nsay done');
    const question = await questionOf(session);
    for (const pid of await processesOf(session)) process.kill(pid, 'SIGKILL');
    const isRepeated = async () => (await eventsOf(session)).some(({ type }) => type === 'effect-repeated');
    await until('its turn is repeated', isRepeated);

    await session.answer(question, { type: 'allow-once' });

    expect((await session.wait()).outcome).toBe('completed');
    expect(await readFile(path.join(cwd, 'ran.txt'), 'utf8')).toBe('make test\n');
    const kinds = (await eventsOf(session)).map(({ type }) => type);
    expect(kinds.filter((type) => type.startsWith('question-'))).toEqual(['question-opened', 'question-answered']);
  });

  test('exits every time: the turn fails and says what it wrote', async () => {
    const { session } = await open();

    const reply = await session.chat('stderr \u001B[31mout of\u001B[0m luck\nwait 50\nexit 3');

    expect(reply.outcome).toBe('failed');
    expect(reply.reason).toContain('it exited with code 3. It wrote: out of luck');
    expect(await processesOf(session)).toEqual([]);
  });

  test('is silent for too long: the turn times out', async () => {
    const { session } = await open({ settings: { silenceMs: 1500 } });

    const reply = await session.chat('hang');

    expect(reply).toMatchObject({
      outcome: 'unavailable',
      reason: 'Agent fixture was stopped: it sent nothing for too long. Prompt it again to continue.',
    });
  });

  test('does not greet: starting it fails in time', async () => {
    const { session } = await open({ flags: ['--silent-init'], settings: { initializeMs: 700 } });

    expect(await session.chat('say hi')).toMatchObject({
      outcome: 'unavailable',
      reason: 'Starting agent fixture, greeting it: it did not answer in time.',
    });
    expect(await processesOf(session)).toEqual([]);
  });

  test('is not there: the failure names the command', async () => {
    const { session } = await open({ agent: { command: '/nowhere/agent', args: [] } });

    expect(await session.chat('say hi')).toMatchObject({
      outcome: 'unavailable',
      reason: 'Starting agent fixture: command not found: /nowhere/agent. Check its command: /nowhere/agent.',
    });
  });

  test('leaves a question behind when its turn ends', async () => {
    const { session } = await open();

    const reply = await session.chat('ask-and-leave make\nsay gone', { whenAsked: 'wait' });

    expect(reply.outcome).toBe('completed');
    expect((await session.status()).questions).toEqual([]);
  });
});

describe('after Rondo itself is gone [P5]', () => {
  test('a question stays open, and its answer goes to the agent that is started again', async () => {
    const { rondo, session, cwd, start } = await open({ flags: ['--resume'] });
    await session.chat('ask make test\nsay done');
    const question = await questionOf(session);
    await rondo.close();
    expect(await processesOf(session)).toEqual([]);

    const again = await (await start()).sessions.open(session.id);
    await again.answer(question, { type: 'allow-once' });

    expect((await again.wait()).outcome).toBe('completed');
    expect(await readFile(path.join(cwd, 'ran.txt'), 'utf8')).toBe('make test\n');
    const kinds = (await eventsOf(again)).map(({ type }) => type);
    expect(kinds.filter((type) => type === 'question-opened' || type === 'agent-asked-again')).toEqual([
      'question-opened',
      'agent-asked-again',
    ]);
  });

  test('an agent that can neither load nor resume gets the conversation as text, and the record reports it', async () => {
    const { rondo, session, start } = await open();
    await session.chat('say The word is teapot.');
    await rondo.close();

    const again = await (await start()).sessions.open(session.id);
    const reply = await again.chat('told');

    expect(reply.text).toContain('The word is teapot.');
    const [, replaced] = (await reportsOf(again)).filter(({ type }) => type === 'session');
    expect(replaced).toMatchObject({
      how: 'replaced',
      lost: expect.stringContaining("can't resume a session of an earlier process") as string,
    });
  });

  test('what a load replays is not recorded again', async () => {
    const { rondo, session, start } = await open({ flags: ['--load'] });
    await session.chat('say one');
    await rondo.close();

    const again = await (await start()).sessions.open(session.id);
    await again.chat('say two');

    const texts = (await reportsOf(again)).flatMap((report) => (report.type === 'message' ? [report.text] : []));
    expect(texts).toEqual(['one', 'two']);
  });
});

describe('between turns', () => {
  test('one that can be resumed again is let go when idle; one that cannot is kept until the session ends', async () => {
    const { session } = await open({ flags: ['--load'], settings: { idleMs: 200 } });
    const { session: kept } = await open({ settings: { idleMs: 200 } });
    await session.chat('say hi');
    await kept.chat('say hi');

    await until('the idle one is gone', async () => (await processesOf(session)).length === 0);
    expect((await processesOf(kept)).length).toBe(1);
    expect((await session.chat('say back')).text).toBe('back');

    await kept.terminate();
    await until('the other is gone', async () => (await processesOf(kept)).length === 0);
  });
});
