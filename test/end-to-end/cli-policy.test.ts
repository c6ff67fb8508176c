// What may run: explained, changed by flags, and never loosened past a deny.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createCliPlace, type CliPlace } from './cli-process.ts';

let place: CliPlace;
beforeAll(async () => {
  place = await createCliPlace();
  await place.write('rondo.json', {
    policies: {
      default: { allow: ['shell(git status*)'], ask: ['write(docs/**)'], deny: ['shell(npm publish*)'] },
    },
  });
  await place.rondo('trust', '--yes');
});
afterAll(() => place[Symbol.asyncDispose]());

describe('[C42] [C43] policy explain', () => {
  interface Explained {
    readonly verdict: string;
    readonly decidedBy: { readonly rule: string; readonly origin: string };
    readonly parts: readonly { readonly part: string; readonly judgement: { readonly verdict: string } }[];
  }
  const cases: readonly (readonly [string, readonly string[], string, string])[] = [
    ['an allowed command', ['git status -s'], 'allow', 'project shell(git status*)'],
    ['one that no rule names', ['touch x'], 'ask', 'built-in default'],
    ['the same where nobody can be asked', ['touch x', '--mode', 'batch'], 'deny', 'built-in default'],
    ['a denied one behind an allowed one', ['git status && npm publish'], 'deny', 'project shell(npm publish*)'],
    ['one hidden in a substitution', ['echo $(npm publish)'], 'deny', 'project shell(npm publish*)'],
    ['a destructive one', ['rm -rf /'], 'deny', 'built-in delete-top-level'],
    ['a file that is asked about', ['--tool', 'write', '--path', 'docs/a.md'], 'ask', 'project write(docs/**)'],
    ['a file outside', ['--tool', 'write', '--path', '../a.md'], 'deny', 'built-in roots'],
    ['reading inside', ['--tool', 'read', '--path', 'a.md'], 'allow', 'built-in reads'],
    ['an address', ['--tool', 'web_fetch', '--url', 'https://example.org/a'], 'ask', 'built-in default'],
  ];
  test.each(cases)('%s', async (_, words, verdict, decidedBy) => {
    const explained = (await place.json('policy', 'explain', ...words)) as Explained;
    expect(explained.verdict).toBe(verdict);
    expect(`${explained.decidedBy.origin} ${explained.decidedBy.rule}`).toBe(decidedBy);
  });

  test('for people: the verdict, its rule, and every part with its own', async () => {
    expect(await place.rondo('policy', 'explain', 'git status | tee docs.txt')).toEqual({
      code: 0,
      err: '',
      out: `ask   it would need approval; without a person the run ends with exit code 3
      built-in rule default: No rule covers it, so it needs your approval.

allow git status
      project rule shell(git status*): The project rule shell(git status*) allows this.
ask   tee docs.txt
      built-in rule default: No rule covers it, so it needs your approval.

"For this session" and "always" would allow: shell(tee docs.txt) [edit]
`,
    });
  });

  test('names the grants that the question would offer: of the parts that ask, and no lasting one for what can’t be undone', async () => {
    await using own = await createCliPlace();
    const prompt = ['run', '--agent', 'testing', '--json'];
    const told = async (command: string) => {
      const { grants } = (await own.json('policy', 'explain', command)) as { readonly grants: readonly string[] };
      await own.rondo(...prompt, `call shell ${JSON.stringify({ command })}`);
      const { questions } = (await own.json('inbox')) as {
        readonly questions: readonly { readonly about: { readonly grants: readonly string[] } }[];
      };
      return { grants, asked: questions.at(-1)?.about.grants };
    };
    const dated = await told('ls; touch x > when.txt');
    expect(dated).toEqual({ grants: dated.asked, asked: dated.grants });
    const { out } = await own.rondo('policy', 'explain', 'seq 1 3 > other.txt; rm a.txt');
    expect(out).toMatch(/\n"For this session" would allow: shell\(seq 1 3\) \[unknown\]/);
  });

  test('the agent and the model for tests are known by name, in options and in the configuration', async () => {
    await using own = await createCliPlace();
    await own.write('rondo.json', { defaultAgent: 'testing', agents: { x: { model: 'testing' } } });
    await own.rondo('trust', '--yes');
    expect(await own.rondo('policy', 'explain', 'ls')).toMatchObject({ code: 0, err: '' });
    expect(await own.rondo('policy', 'explain', 'ls', '--agent', 'testing')).toMatchObject({ code: 0, err: '' });
    expect(await own.rondo('run', '--agent', 'x', 'say hello')).toMatchObject({ code: 0, out: 'hello\n' });
  });

  test('what cannot be explained is reported', async () => {
    for (const words of [
      [],
      ['x', '--tool', 'read'],
      ['--tool', 'nothing', '--path', 'a'],
      ['a', '--agent', 'nobody'],
    ]) {
      expect(await place.rondo('policy', 'explain', ...words)).toMatchObject({ code: 2, out: '' });
    }
    expect(await place.rondo('policy')).toMatchObject({ code: 2, out: '' });
  });
});

test('policy list: what is configured, with its place', async () => {
  const { code, out } = await place.rondo('policy', 'list');
  expect({ code, out: place.masked(out) }).toEqual({
    code: 0,
    out: [
      'deny\tshell(npm publish*)\tproject\t~/project/rondo.json:1\t\n',
      'ask\twrite(docs/**)\tproject\t~/project/rondo.json:1\t\n',
      'allow\tshell(git status*)\tproject\t~/project/rondo.json:1\t\n',
    ].join(''),
  });
});

test('policy list: without rules it says that the built-in ones apply, also in a pipe', async () => {
  await using fresh = await createCliPlace();
  expect(await fresh.rondo('policy', 'list')).toMatchObject({
    code: 0,
    out: '',
    err: expect.stringMatching(/^No configured or saved rules: the built-in ones apply\./) as string,
  });
});

describe('[C41] the switches of a run: --auto-approve answers every ask and never lifts a deny', () => {
  const prompt = 'call shell {"command":"touch ran"}';
  const ran = { code: 0, outcome: 'succeeded' };
  const asked = { code: 3, outcome: 'asked' };
  const refused = { code: 0, outcome: 'refused' };
  const ended = { code: 4, outcome: 'refused' };
  const matrix: readonly (readonly [readonly string[], typeof ran])[] = [
    [[], asked],
    [['--allow', 'shell(touch*)'], ran],
    [['--allow', 'shell'], ran],
    [['--allow', 'shell(ls*)'], asked],
    [['--deny', 'shell'], refused],
    [['--allow', 'shell', '--deny', 'shell(touch*)'], refused],
    [['--auto-approve'], ran],
    [['--auto-approve', '--allow', 'shell'], ran],
    [['--auto-approve', '--deny', 'shell'], refused],
    [['--auto-approve', '--allow', 'shell', '--deny', 'shell(touch*)'], refused],
    [['--mode', 'batch'], ended],
    [['--mode', 'batch', '--allow', 'shell'], ran],
    [['--mode', 'batch', '--auto-approve'], ended],
    [['--mode', 'supervised', '--allow', 'shell'], asked],
    [['--mode', 'supervised', '--auto-approve'], ran],
    [['--mode', 'supervised', '--auto-approve', '--deny', 'shell'], refused],
  ];
  test.each(matrix)('%j', async (flags, expected) => {
    const { code, out } = await place.rondo('run', '--agent', 'testing', prompt, '--json', ...flags);
    const has = (type: string) => out.includes(`"type":"${type}"`);
    const outcome = has('tool-settled') ? 'succeeded' : has('call-refused') ? 'refused' : 'asked';
    expect({ code, outcome }).toEqual(expected);
  });

  test('a deny of an earlier run stays when the session is resumed, whatever is allowed then', async () => {
    const first = await place.rondo('run', '--agent', 'testing', 'say hello', '--deny', 'shell', '--json');
    const { session } = JSON.parse(first.out.trimEnd().split('\n').at(-1) ?? '') as { session: string };
    const second = await place.rondo('run', '--session', session, prompt, '--allow', 'shell', '--auto-approve');
    expect(second).toMatchObject({
      code: 0,
      err: expect.stringContaining('Refused by policy: shell (touch ran).'),
    });
  });
});

describe('[S10] rules for tools that are not there', () => {
  test('on the command line are usage errors with the nearest name', async () => {
    const run = (...flags: readonly string[]) => place.rondo('run', '--agent', 'testing', 'say hello', ...flags);
    expect(await run('--allow', 'bash(ls)')).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('--allow "bash(ls)": unknown tool "bash"; did you mean "shell"?') as string,
    });
    expect(await run('--deny', 'shel(ls*)')).toMatchObject({ code: 2, out: '' });
  });

  test('in files a deny is an error and an allow a warning', async () => {
    await using other = await createCliPlace();
    const file = path.join(other.home, '.rondo/config.json');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, '{"policies":{"default":{"allow":["bash(ls)"]}}}');
    expect(await other.rondo('run', '--agent', 'testing', 'say hello')).toMatchObject({
      code: 0,
      out: 'hello\n',
      err: expect.stringContaining('unknown tool "bash"; did you mean "shell"?') as string,
    });
    await writeFile(file, '{"policies":{"default":{"deny":["bash(ls)"]}}}');
    expect(await other.rondo('run', '--agent', 'testing', 'say hello')).toMatchObject({ code: 2, out: '' });
  });
});

test('[S9] [S14] a command that only reads runs unasked in a batch, and an escape sequence has no effect in a pipe', async () => {
  const run = (command: string) =>
    place.rondo(
      'run',
      '--mode',
      'batch',
      '--agent',
      'testing',
      `call shell ${JSON.stringify({ command })}`,
      '--json',
    );
  expect((await run('ls | wc -l')).out).toContain('"type":"tool-settled"');
  expect((await run('ls | tee x')).out).toContain('"type":"call-refused"');
  const { out } = await place.rondo('run', '--agent', 'testing', 'say \u001B]52;c;cm0gLXJmIH4=\u0007 done');
  expect([out.includes('\u001B'), out.includes('\u0007')]).toEqual([false, false]);
});
