// What a user sees before the first session: help, configuration, trust, models, agents, doctor, completion.
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { commands } from '../../src/cli/command-table.ts';
import { createCliPlace } from './cli-process.ts';

describe('the command line', () => {
  test('help lists every command; an unknown one is reported with the nearest', async () => {
    await using place = await createCliPlace();
    const help = await place.rondo('--help');
    expect(help).toMatchObject({ code: 0, err: '' });
    expect(help.out.match(/^ {2}rondo (\w+)/gm)).toHaveLength(Object.keys(commands).length);
    expect(await place.rondo('help')).toEqual(help);
    expect(await place.rondo('--version')).toEqual({ code: 0, out: '0.1.0\n', err: '' });
    expect(await place.rondo('polcy')).toEqual({
      code: 2,
      out: '',
      err: 'rondo: unknown command "polcy"; did you mean "policy"?\nRun `rondo --help` for a list of commands.\n',
    });
    expect(await place.rondo('ls', '--jsn')).toEqual({
      code: 2,
      out: '',
      err: 'rondo ls: unknown option --jsn; did you mean --json?\nRun `rondo ls --help` for its options.\n',
    });
  });

  test.each(Object.keys(commands))('rondo %s --help says how it is written', async (name) => {
    await using place = await createCliPlace();
    const { code, out, err } = await place.rondo(name, '--help');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(new RegExp(`^rondo ${name}\\b`));
    expect(out).toContain('--help');
  });

  test('rondo help NAME prints the same', async () => {
    await using place = await createCliPlace();
    expect(await place.rondo('help', 'attach')).toEqual(await place.rondo('attach', '--help'));
  });

  test("a reader that leaves early isn't an error", async () => {
    await using place = await createCliPlace();
    const running = place.start(['config', 'schema']);
    running.child.stdout?.destroy();
    expect(await running.ended).toMatchObject({ code: 0, err: '' });
  });
});

describe('configuration', () => {
  test('init writes a first one that is sound, and never overwrites', async () => {
    await using place = await createCliPlace();
    const file = path.join(place.project, 'rondo.json');
    expect(await place.rondo('init')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining(`Wrote ${file}\n`),
    });
    expect(await place.rondo('config', 'check')).toMatchObject({ code: 0, err: '' });
    await writeFile(file, '{}');
    expect(await place.rondo('init')).toEqual({
      code: 1,
      out: '',
      err: `rondo init: ${file} already exists; nothing changed.\n`,
    });
    expect(await readFile(file, 'utf8')).toBe('{}');
  });

  test('show --origin names the layer and the place of every value, path the files, schema the schema', async () => {
    await using place = await createCliPlace();
    await place.write('rondo.json', '{\n  "limits": { "steps": 7 }\n}');
    const { out } = await place.rondo('config', 'show', '--origin');
    expect(place.masked(out).split('\n')).toEqual(
      expect.arrayContaining([
        'limits.steps\t7\tproject\t~/project/rondo.json:2',
        'defaultAgent\t"assistant"\tdefault\tthe defaults',
        'store\t"sqlite:~/.rondo/rondo.db"\tdefault\tthe defaults',
      ]),
    );
    expect(place.masked((await place.rondo('config', 'path')).out)).toBe(
      'user\t~/.rondo/config.json\tnot found\nproject\t~/project/rondo.json\tthere\nproject\t~/project/.rondo/config.json\tnot found\n',
    );
    expect(JSON.parse((await place.rondo('config', 'schema')).out)).toMatchObject({
      title: 'Rondo configuration',
    });
  });

  test('[C115] a mistake is named with file, place and the nearest name, by check and by whatever needs the file', async () => {
    await using place = await createCliPlace();
    await place.write('rondo.json', '{\n  "limts": {}\n}');
    const checked = await place.rondo('config', 'check');
    expect(checked).toMatchObject({ code: 2, out: '' });
    expect(checked.err).toContain(`${place.project}/rondo.json:2:3`);
    expect(checked.err).toContain('limits');
    expect(await place.rondo('run', 'hello')).toEqual({
      code: 2,
      out: '',
      err: `rondo run: can't use the configuration\n${checked.err}`,
    });
  });

  test('agents: the built-in one, configured ones and files, with where each comes from', async () => {
    await using place = await createCliPlace();
    await place.write('.rondo/agents/writer.md', '---\ndescription: Writes.\nmodel: offline\n---\nYou write.');
    await place.rondo('trust', '--yes');
    expect(await place.rondo('agents')).toEqual({
      code: 0,
      err: '',
      out: [
        'assistant *\tdefault\t(first found)\tall\tA general assistant that reads, changes and runs things in your project.\n',
        'writer\tproject\toffline\tall\tWrites.\n',
      ].join(''),
    });
  });
});

describe('models', () => {
  test('what was found, why, and its price; unknown is not free', async () => {
    await using place = await createCliPlace();
    const env = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', OPENAI_MODEL: 'nobody-knows-1' };
    const { out } = await place.start(['models', '--json'], { env }).ended;
    expect(JSON.parse(out)).toMatchObject({
      models: [
        { provider: 'anthropic', why: 'ANTHROPIC_API_KEY is set', price: { input: expect.any(Number) } },
        { id: 'openai/nobody-knows-1', why: 'OPENAI_API_KEY is set', price: null },
        { id: 'offline', price: { input: 0, output: 0 } },
      ],
    });
    const plain = await place.start(['models'], { env }).ended;
    expect(plain.out).toContain('openai/nobody-knows-1\tunpriced\tOPENAI_API_KEY is set\n');
    expect(plain.out + plain.err + out).not.toContain('"k"');
  });
});

describe('trust', () => {
  const config = { policies: { default: { allow: ['shell(mkdir*)'] } } };

  test('shows what would be trusted, asks nobody headless, trusts with --yes, asks again after a change', async () => {
    await using place = await createCliPlace();
    await place.write('rondo.json', config);
    const shown = `not trusted ~/project (never seen before)

Files:
  rondo.json

Trusting it allows:
  policies.default.allow[0] (rondo.json:1): it would let shell(mkdir*) run without asking you.

`;
    const said = async (...words: readonly string[]) => {
      const ended = await place.rondo('trust', ...words);
      return { ...ended, out: place.masked(ended.out) };
    };
    expect(await said('--show')).toEqual({ code: 0, out: shown, err: '' });
    expect(await said()).toEqual({
      code: 3,
      out: shown,
      err: 'rondo trust: no terminal to ask in. Pass --yes to trust the project, or --show to review it.\n',
    });
    expect(await said('--yes')).toEqual({
      code: 0,
      out: `${shown}Trusted ~/project with its current content.\n`,
      err: '',
    });
    expect(await said()).toEqual({ code: 0, out: 'trusted ~/project\n', err: '' });
    expect(await place.json('trust', '--list')).toMatchObject([{ project: place.project }]);
    await place.write('rondo.json', { ...config, defaultAgent: 'assistant' });
    expect((await said('--show')).out).toContain(
      'not trusted ~/project (changed since you trusted it: rondo.json)\n',
    );
    expect(await said('--revoke')).toMatchObject({ code: 0 });
    expect(await said('--revoke')).toMatchObject({ code: 1, out: '' });
    expect(await said('--list')).toEqual({ code: 0, out: '', err: '' });
  });

  test.each([
    ['chat', []],
    ['run', ['hello']],
  ])(
    'rondo %s --agent with an agent of an untrusted project names the file and `rondo trust`',
    async (name, more) => {
      await using place = await createCliPlace();
      await place.write('rondo.json', { agents: { owl: { description: 'Hoots' } } });
      await place.write('.rondo/agents/poet.md', '---\ndescription: Writes verse\n---\nYou write verse.');
      for (const [agent, file] of [
        ['owl', 'rondo.json'],
        ['poet', '.rondo/agents/poet.md'],
      ] as const) {
        const ended = await place.rondo(name, '--agent', agent, ...more);
        expect([
          ended.code,
          place
            .masked(ended.err)
            .split('\n')
            .findLast((line) => line !== ''),
        ]).toEqual([
          2,
          `rondo ${name}: Can't create a session: agent ${agent} is defined in this project's ${file}, which isn't trusted. Review it with \`rondo trust --show\`, then run \`rondo trust\`.`,
        ]);
      }
      await place.rondo('trust', '--yes');
      expect(await place.rondo(name, '--agent', 'owl', '--model', 'testing', ...more)).toMatchObject({ code: 0 });
    },
  );

  test('a run says what it ignored; --trust-project uses it once; --config names another file', async () => {
    await using place = await createCliPlace();
    await place.write('rondo.json', config);
    const words = ['run', '--agent', 'testing', 'call shell {"command":"mkdir -p made"}\nsay done'];
    const untrusted = await place.rondo(...words);
    expect(untrusted.code).toBe(3);
    expect(untrusted.err)
      .toContain(`This project's configuration isn't trusted, so these settings are ignored: policies.default.allow[0].
Review and trust it with \`rondo trust\`, or use it once with --trust-project.
`);
    const trusted = await place.rondo(...words, '--trust-project');
    expect({ ...trusted, err: place.masked(trusted.err) }).toEqual({
      code: 0,
      out: 'done\n',
      err: '✓ Ran mkdir -p made (Ns)\n',
    });
    expect(await place.rondo(...words)).toMatchObject({ code: 3 });
    const other = path.join(place.home, 'other.json');
    await writeFile(other, JSON.stringify(config));
    expect(await place.rondo(...words, '--config', other)).toMatchObject({ code: 0, out: 'done\n' });
    expect(await place.rondo(...words, '--config', '/nowhere.json')).toMatchObject({ code: 2, out: '' });
  });
});

describe('doctor', () => {
  test('everything sound: exit 0', async () => {
    await using place = await createCliPlace();
    await place.rondo('run', '--agent', 'testing', 'say hello');
    const findings = (await place.json('doctor')) as {
      healthy: boolean;
      findings: readonly { what: string; health: string }[];
    };
    expect(findings.healthy).toBe(true);
    expect(findings.findings.map(({ what }) => what)).toEqual([
      'node',
      'git',
      'children',
      'terminal',
      'sandbox',
      'configuration',
      'trust',
      'models',
      'agents',
      'mcp',
      'worktrees',
      'space',
      'store',
      'sessions',
      'leases',
      'processes',
      'disk',
    ]);
    expect((await place.rondo('doctor')).out).toMatch(/✓ sessions +1 checked, all valid\n/);
  });

  test('broken parts are named, with exit code 1', async () => {
    await using place = await createCliPlace();
    await mkdir(path.join(place.home, '.rondo'), { recursive: true });
    await writeFile(
      path.join(place.home, '.rondo', 'rondo.db'),
      'this is no database at all, only a text of some length',
    );
    const broken = await place.rondo('doctor');
    expect(broken.code).toBe(1);
    expect(broken.out).toMatch(/✗ store/);
    await place.write('rondo.json', '{ "limts": {} }');
    const invalid = await place.rondo('doctor');
    expect(invalid.code).toBe(1);
    expect(invalid.out).toMatch(/✗ configuration .*limits/);
  });
});

describe('completion', () => {
  const sound = { status: 0, err: '' };

  test.each(['bash', 'zsh', 'fish'])(
    '%s: names every command and option, and the shell can read it',
    async (shell) => {
      await using place = await createCliPlace();
      const { code, out } = await place.rondo('completion', shell);
      expect(code).toBe(0);
      for (const name of Object.keys(commands)) expect(out).toContain(name);
      expect(out).toContain('max-tool-calls');
      const read = spawnSync(shell, ['-n'], { input: out });
      // Not every machine has every shell.
      expect(read.error === undefined ? { status: read.status, err: String(read.stderr) } : sound).toEqual(sound);
    },
  );

  test('bash completes commands, words, options and their values', async () => {
    await using place = await createCliPlace();
    const { out } = await place.rondo('completion', 'bash');
    const complete = (...words: readonly string[]) => {
      const line = words.map((word) => `'${word}'`).join(' ');
      const script = `${out}\nCOMP_WORDS=(rondo ${line}); COMP_CWORD=${words.length}; _rondo; echo "\${COMPREPLY[@]}"`;
      return spawnSync('bash', ['--norc'], { input: script }).stdout.toString().trim();
    };
    expect(complete('pol')).toBe('policy');
    expect(complete('policy', 'ex')).toBe('explain');
    expect(complete('run', '--max-c')).toBe('--max-cost');
    expect(complete('run', '--mode', 's')).toBe('supervised');
  });
});

test('[C117] `rondo trust --show` names what the project would start and reach, and which variables it receives', async () => {
  await using place = await createCliPlace();
  await place.write('rondo.json', {
    mcpServers: { tickets: { command: 'npx', args: ['-y', 'tickets server'], env: { TOKEN: 'secret-value' } } },
    worktrees: { setUp: ['npm ci'] },
    endpoints: { proxy: { type: 'openai', baseUrl: 'https://proxy.example/v1' } },
  });
  await place.write('.mcp.json', {
    mcpServers: { docs: { type: 'http', url: 'https://docs.example/mcp', headers: { key: '${OPENAI_API_KEY}' } } },
  });
  await place.write('.rondo/agents/helper.md', '---\ncommand: helper\nargs: [--acp]\n---\n');
  const { out } = await place.rondo('trust', '--show');
  expect(out).toContain(
    'It would start or reach:\n' +
      '  mcpServers.docs: connects to https://docs.example/mcp (receives your OPENAI_API_KEY)\n' +
      '  mcpServers.tickets: npx -y "tickets server" (sets TOKEN)\n' +
      '  endpoints.proxy: connects to https://proxy.example/v1\n' +
      '  worktrees.setUp[0]: npm ci\n' +
      '  agents.helper: helper --acp\n',
  );
  expect(out).not.toContain('secret-value');
});
