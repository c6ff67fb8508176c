import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { roundsOf, type Plan } from '../harness/plan.ts';
import { runRounds } from '../harness/rounds.ts';
import type { ChildFailure } from '../harness/run-child.ts';
import { createScratchFolder } from '../harness/scratch-folder.ts';
import { atMost, type Section } from '../harness/section.ts';
import { medianOf } from '../harness/statistics.ts';
import { commandPeers } from './command-peers.ts';
import { timeCommand, type CommandTimes } from './time-command.ts';

const root = path.resolve(import.meta.dirname, '../..');
const text = 'zebra one zebra two zebra three';
const floor = 'floor: a Node script, request and SSE parse';
const ours = 'Rondo';

/** E. How soon a command of the command line is there. */
export async function measureStartingACommand(plan: Plan): Promise<Section> {
  using folder = createScratchFolder();
  const packed = path.join(folder.path, 'package');
  execFileSync(process.execPath, [path.join(root, 'scripts/build.ts'), '--package', packed]);
  symlinkSync(path.join(root, 'node_modules'), path.join(packed, 'node_modules'), 'junction');
  const floorFile = path.join(folder.path, 'floor-cli.mjs');
  cpSync(path.join(import.meta.dirname, 'floor-cli.mjs'), floorFile);
  const project = path.join(folder.path, 'project');
  mkdirSync(project);
  await using provider = await startProvider();

  const env = {
    PATH: process.env['PATH'],
    HOME: folder.path,
    TMPDIR: folder.path,
    RONDO_HOME: path.join(folder.path, 'home'),
    OPENAI_BASE_URL: `${provider.url}/v1`,
    OPENAI_API_KEY: 'key',
    OPENAI_MODEL: 'fake',
    OLLAMA_HOST: '127.0.0.1:9',
    NO_COLOR: '1',
  };
  const built = [path.join(packed, 'bin/rondo.cjs')];
  const commands = new Map<string, { version: readonly string[]; prompt: readonly string[] }>([
    [floor, { version: [floorFile, '--version'], prompt: [floorFile, 'say it'] }],
    [ours, { version: [...built, '--version'], prompt: [...built, 'run', 'say it'] }],
    [
      'Rondo, nothing kept',
      { version: [...built, '--version'], prompt: [...built, 'run', 'say it', '--store', 'memory:'] },
    ],
    ...(plan.withPeers ? commandPeers : []).map(({ title, script, version, prompt }) => {
      const words = { version: [script, ...version], prompt: [script, ...prompt('say it')] };
      return [title, words] as const;
    }),
  ]);
  const start = (words: readonly string[], prints: string) => timeCommand(words, { env, cwd: project, prints });

  const jobs = new Map<string, () => Promise<CommandTimes | ChildFailure>>([
    ['node -e 0', () => start(['-e', '0'], '')],
  ]);
  for (const [title, { version, prompt }] of commands) {
    jobs.set(`${title} --version`, () => start(version, '.'));
    jobs.set(title, () => start(prompt, text));
  }
  // The first run of all makes the store and fills Node's compile cache.
  for (const run of jobs.values()) await run();
  const rounds = await runRounds(roundsOf(plan, 15), jobs);

  const median = (key: string, of: keyof CommandTimes) =>
    medianOf(rounds.of(key).map((one) => one[of] ?? Number.NaN));
  const timesFloor = (title: string) => median(title, 'firstMs') / median(floor, 'firstMs');
  const timesNode = (title: string) => median(`${title} --version`, 'exitMs') / median('node -e 0', 'exitMs');
  return {
    title: 'E. Command line',
    work:
      'One prompt against a provider on this machine that answers at once, in a process of its own. Rondo is the built package; ' +
      'its model is found from the environment, its store exists already, and the prompt is durable before the model is asked. ' +
      'Checked: the exit code and the text that was printed.',
    tables: [
      {
        title: 'Start of a command',
        head: ['', '`--version` ms', '× `node -e 0`', 'first token ms', '× floor', 'exit ms', 'peak RSS MB'],
        rows: [...commands.keys()].map((title) => [
          title,
          median(`${title} --version`, 'exitMs'),
          timesNode(title),
          median(title, 'firstMs'),
          timesFloor(title),
          median(title, 'exitMs'),
          median(title, 'rssMb'),
        ]),
      },
    ],
    figures: [
      atMost('`rondo --version`, × `node -e 0`', timesNode(ours), 1.5, { of: 'time' }),
      atMost('`rondo run`: first token, × floor', timesFloor(ours), 2.8, { of: 'time' }),
      atMost('`rondo run`: peak RSS', median(ours, 'rssMb'), 120, { of: 'amount', unit: 'MB' }),
    ],
    waitedShare: rounds.waitedShare,
    remarks: rounds.failures,
  };
}

async function startProvider(): Promise<AsyncDisposable & { readonly url: string }> {
  const file = path.join(root, 'test/fixtures/fake-provider/main.ts');
  const child = spawn(process.execPath, [file, '--text', text], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    url,
    async [Symbol.asyncDispose]() {
      const closed = once(child, 'close');
      child.kill();
      await closed;
    },
  };
}
