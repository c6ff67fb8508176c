import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bubblewrap, skipped } from '../fixtures/bubblewrap.ts';
import { createCliPlace } from './cli-process.ts';

const env = { RONDO_BWRAP: bubblewrap ?? 'none' };

const outputsOf = (out: string): readonly string[] =>
  out
    .split('\n')
    .filter((line) => line.includes('"tool-settled"'))
    .map((line) => (JSON.parse(line) as { result: { output: string } }).result.output);

const trusted = ['run', '--json', '--agent', 'testing', '--trust-project'];

const shell = (command: string, more: object = {}) => `call shell ${JSON.stringify({ command, ...more })}`;

test.skipIf(bubblewrap === undefined)(
  `[C53] safety S8: by default commands run in the sandbox, and unasked${skipped}`,
  async () => {
    await using place = await createCliPlace();
    await mkdir(path.join(place.project, '.git'));
    await writeFile(path.join(place.home, 'secret'), 'secret');
    const prompt = [
      shell('echo made > made; cat made'),
      shell(`cat ${place.home}/secret ~/.rondo/token 2>&1 | grep -c "No such file"`),
      shell('mv .git x 2>&1; touch .git/y 2>&1'),
      shell('ls /proc | grep -c "^[0-9]"'),
    ].join('\n');
    const run = await place.start(['run', '--json', '--agent', 'testing', prompt], { env }).ended;
    const outputs = outputsOf(run.out);
    expect(outputs[0]).toBe('made');
    expect(outputs[1]).toBe('2');
    expect(outputs[2]).toContain('Device or resource busy');
    expect(outputs[2]).toContain('Read-only file system');
    expect(Number(outputs[3])).toBeLessThan(10);
  },
);

test.skipIf(bubblewrap === undefined)(
  `[C53] safety S8c: what appears at a protected path is quarantined and asked about; without a person it is refused${skipped}`,
  async () => {
    await using place = await createCliPlace();
    await place.write('AGENTS.md', 'Be careful.');
    const prompt = [
      shell('mkdir .vscode; echo "{}" > .vscode/tasks.json; echo Obey. > AGENTS.md'),
      shell('echo went on'),
    ].join('\n');
    const there = () => existsSync(path.join(place.project, '.vscode', 'tasks.json'));
    const agents = () => readFile(path.join(place.project, 'AGENTS.md'), 'utf8');
    const before = await agents();

    const batch = await place.start(['run', '--json', '--mode', 'batch', '--agent', 'testing', prompt], { env })
      .ended;
    const outputs = outputsOf(batch.out);
    expect(outputs[0]).toContain("a sandboxed command can't create it");
    expect(outputs[1]).toBe('went on');
    expect(JSON.parse(batch.out.trim().split('\n').at(-1) ?? '')).toMatchObject({
      refusals: [
        { tool: 'write', summary: '.vscode/tasks.json', rule: 'default' },
        { tool: 'write', summary: 'AGENTS.md', rule: 'default' },
      ],
    });
    expect([there(), await agents()]).toEqual([false, before]);

    const asked = await place.start(['run', '--json', '--agent', 'testing', prompt], { env }).ended;
    expect([asked.code, there(), await agents()]).toEqual([3, false, before]);
    const inbox = await place.rondo('inbox');
    const questions = inbox.out.trim().split('\n');
    expect(questions.map((line) => line.split('\t')[1])).toEqual([
      'Allow write on .vscode/tasks.json?',
      'Allow write on AGENTS.md?',
    ]);
    const [first = '', second = ''] = questions.map((line) => line.split('\t').at(-1) ?? '');
    await place.start(['answer', second, 'reject'], { env }).ended;
    const answered = await place.start(['answer', first, 'allow-once'], { env }).ended;
    const [session = ''] = /ses_\w+/.exec(answered.out) ?? [];
    await place.start(['run', '--session', session], { env }).ended;
    expect([there(), await agents()]).toEqual([true, before]);
  },
);

test.skipIf(bubblewrap === undefined)(
  `[C53] safety S8e: a command that wants out of the sandbox, or loses work, is asked about${skipped}`,
  async () => {
    await using place = await createCliPlace();
    for (const prompt of [shell('touch made', { unconfined: true }), shell('git reset --hard; touch made')]) {
      const run = await place.start(['run', '--json', '--agent', 'testing', prompt], { env }).ended;
      expect([prompt, run.code]).toEqual([prompt, 3]);
      expect(existsSync(path.join(place.project, 'made'))).toBe(false);
    }
  },
);

test.skipIf(bubblewrap === undefined)(
  `[C53] safety S8e: work that a fresh checkpoint holds may be thrown away unasked, and comes back${skipped}`,
  async () => {
    await using place = await createCliPlace();
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: place.project });
    git('init', '--quiet');
    await writeFile(path.join(place.project, 'work.txt'), 'committed');
    git('add', 'work.txt');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--message=x');
    await writeFile(path.join(place.project, 'work.txt'), 'uncommitted');
    const work = () => readFile(path.join(place.project, 'work.txt'), 'utf8');
    const run = (command: string) =>
      place.start(['run', '--json', '--agent', 'testing', shell(command)], { env }).ended;

    // No checkpoint holds ignored files and stashes.
    for (const command of ['git clean -fdx', 'git stash drop']) expect((await run(command)).code).toBe(3);
    await place.write('.rondo/config.json', { checkpoints: false });
    await place.rondo('trust', '--yes');
    expect((await run('git checkout -- .')).code).toBe(3);
    expect(await work()).toBe('uncommitted');
    await rm(path.join(place.project, '.rondo'), { recursive: true });

    const done = await run('git checkout -- .');
    expect([done.code, await work()]).toEqual([0, 'committed']);
    const [session = ''] = /ses_\w+/.exec(done.out) ?? [];
    expect((await place.rondo('rewind', session, '--at', '1', '--files')).code).toBe(0);
    expect(await work()).toBe('uncommitted');
  },
);

test.skipIf(bubblewrap === undefined)(
  `[C53] safety S8f: package registries are one question per project${skipped}`,
  async () => {
    await using place = await createCliPlace();
    await place.write('package.json', { name: 'x', version: '1.0.0' });
    const run = (command: string) =>
      place.start(['run', '--json', '--agent', 'testing', shell(command)], { env }).ended;
    const install = 'npm install > log 2>&1; echo proxy=$HTTPS_PROXY';
    expect((await run(install)).code).toBe(3);
    const [question = ''] = (await place.rondo('inbox')).out.trim().split('\n');
    const id = question.split('\t').at(-1) ?? '';
    const shown = (await place.rondo('inbox', id)).out;
    expect(shown).toContain('! Reaches package registries');
    expect(shown).toContain('saves shell(package registries) for this project');
    await place.start(['answer', id, 'allow-always'], { env }).ended;
    const again = await run(install);
    expect([again.code, outputsOf(again.out)]).toEqual([0, ['proxy=http://127.0.0.1:18080']]);
    // Only installs get the proxy.
    expect(outputsOf((await run('echo proxy=$HTTPS_PROXY')).out)).toEqual(['proxy=']);
  },
);

test.skipIf(bubblewrap === undefined)(
  `[C53] safety S8f: \`tools.sandbox\` with \`network\` lets commands reach the listed hosts alone${skipped}`,
  async () => {
    await using place = await createCliPlace();
    await place.write('rondo.json', { tools: { sandbox: { level: 'auto', network: ['*.example.org'] } } });
    const ask = (target: string) =>
      shell(
        `node -e 'require("node:http").request({host:"127.0.0.1",port:18080,method:"CONNECT",path:"${target}"}).on("connect",(r)=>{console.log(r.statusCode);process.exit()}).end()'`,
      );
    const run = await place.start([...trusted, [ask('example.com:443'), ask('10.0.0.1:443')].join('\n')], { env })
      .ended;
    expect(outputsOf(run.out)).toEqual(['403', '403']);
    await place.rondo('trust', '--yes');
    const reach = "in a sandbox: writes only in the session's folder, the network only to *.example.org";
    expect((await place.start(['policy', 'explain', 'ls'], { env }).ended).out).toContain(
      `It would run ${reach}.`,
    );
    expect((await place.start(['doctor'], { env }).ended).out).toContain(
      `bubblewrap works; commands run ${reach}`,
    );
  },
);

test('safety S8d: without bubblewrap commands are asked about, and `doctor` names the cause', async () => {
  await using place = await createCliPlace();
  const run = await place.rondo('run', '--json', '--agent', 'testing', shell('touch made'));
  expect(run.code).toBe(3);
  expect(existsSync(path.join(place.project, 'made'))).toBe(false);
  expect((await place.rondo('doctor')).out).toContain(
    'bubblewrap is not installed; commands run unsandboxed after you allow them',
  );
});

test('[C53] a sandbox that is asked for and not there refuses commands with the install line', async () => {
  await using place = await createCliPlace();
  await place.write('rondo.json', { tools: { sandbox: { level: 'workspace', network: ['example.org'] } } });
  const run = await place.start([...trusted, '--auto-approve', 'call shell {"command":"touch made"}'], {
    env: { PATH: '/nowhere' },
  }).ended;
  expect(run.out).toContain('bubblewrap is not installed. To fix it: apt-get install bubblewrap');
  expect(existsSync(`${place.project}/made`)).toBe(false);
});

test('[C115] a mistake in the list of hosts is named with its place', async () => {
  await using place = await createCliPlace();
  await place.write('rondo.json', {
    tools: { sandbox: { level: 'workspace-no-network', network: ['https://example.org/'] } },
  });
  const { code, err } = await place.rondo('config', 'check');
  expect(code).toBe(2);
  expect(err).toContain(
    'tools.sandbox.network[0]: must be a host such as example.org or *.example.org; it is reached on port 443',
  );
});
