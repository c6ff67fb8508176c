import { cpSync } from 'node:fs';
import path from 'node:path';

import { startFakeProvider } from '../harness/fake-provider.ts';
import { packRondo } from './packed-rondo.ts';
import { roundsOf, type Plan } from '../harness/plan.ts';
import { runRounds } from '../harness/rounds.ts';
import { isFailure, type ChildFailure } from '../harness/run-child.ts';
import { createScratchFolder } from '../harness/scratch-folder.ts';
import { atMost, type Section } from '../harness/section.ts';
import { medianOf } from '../harness/statistics.ts';
import { commandPeers } from './command-peers.ts';
import { preparePeer, type CommandPair } from './prepare-peer.ts';
import { timeCommand, type CommandTimes } from './time-command.ts';

const prompt = 'say it';
const text = 'zebra one zebra two zebra three';
const floor = 'floor: a Node script, request and SSE parse';
const ours = 'Rondo';

/** E. How fast a command of the command line starts. */
export async function measureStartingACommand(plan: Plan): Promise<Section> {
  using folder = createScratchFolder();
  await using provider = await startFakeProvider('--text', text);
  const { program: built, project, env: own } = packRondo(folder.path, provider);
  const floorFile = path.join(folder.path, 'floor-cli.mjs');
  cpSync(path.join(import.meta.dirname, 'floor-cli.mjs'), floorFile);
  const env = { ...own, NO_COLOR: '1' };
  const node = (...words: readonly string[]) => ({ file: process.execPath, words, env, cwd: project });
  const commands = new Map<string, CommandPair>([
    [floor, { version: node(floorFile, '--version'), prompt: node(floorFile, prompt) }],
    [ours, { version: node(built, '--version'), prompt: node(built, 'run', prompt) }],
    [
      'Rondo, nothing kept',
      { version: node(built, '--version'), prompt: node(built, 'run', prompt, '--store', 'memory:') },
    ],
  ]);
  const skipped: string[] = [];
  for (const peer of plan.withPeers ? commandPeers : []) {
    const { url } = provider;
    const title = `${peer.name} ${peer.version}`;
    process.stderr.write(`${title} `);
    const pair = await preparePeer(peer, { folder: folder.path, url, prompt, answer: text });
    if (isFailure(pair)) skipped.push(`${title} is skipped: ${pair.failure}`);
    else commands.set(title, pair);
  }

  const jobs = new Map<string, () => Promise<CommandTimes | ChildFailure>>([
    ['node -e 0', () => timeCommand(node('-e', '0'), '')],
  ]);
  for (const [title, pair] of commands) {
    jobs.set(`${title} --version`, () => timeCommand(pair.version, '.'));
    jobs.set(title, () => timeCommand(pair.prompt, text));
  }
  // The first run creates the store and fills Node's compile cache.
  for (const run of jobs.values()) await run();
  const rounds = await runRounds(roundsOf(plan, 15, 7), jobs);

  const median = (key: string, of: keyof CommandTimes) =>
    medianOf(rounds.of(key).map((one) => one[of] ?? Number.NaN));
  const timesFloor = (title: string) => median(title, 'firstMs') / median(floor, 'firstMs');
  const timesNode = (title: string) => median(`${title} --version`, 'exitMs') / median('node -e 0', 'exitMs');
  return {
    title: 'E. Command line',
    work:
      'One prompt to a provider on this machine that answers at once, in a separate process. Rondo is the built ' +
      'package. It detects its model from the environment, its store already exists, and the prompt is durable before ' +
      'the model is called. Checked: the exit code and the printed text.' +
      (plan.withPeers
        ? ' Other agents use the same provider, each in its own home folder that it has run in before.'
        : ''),
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
    remarks: [...skipped, ...rounds.failures],
  };
}
