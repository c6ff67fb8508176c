/**
 * Measures what the sandbox adds to a command, in milliseconds: `node scripts/sandbox-cost.ts [runs]`. Variants
 * alternate, so that a busy machine slows all of them alike. Prints the minimum and the median of each.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { identityFile, outerGitDirs } from '../src/git/sandboxed-git.ts';
import { withAllowList } from '../src/security/sandbox/allow-list-sandbox.ts';
import { createBubblewrap } from '../src/security/sandbox/bubblewrap.ts';
import { type CommandSandbox, inSandbox } from '../src/security/sandbox/command-sandbox.ts';
import { findBubblewrap } from './unpack-bubblewrap.ts';

const found = findBubblewrap();
if (found.type === 'none') throw new Error(found.reason);
const runs = Number(process.argv[2] ?? 40);
const root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'rondo-cost-')));
await mkdir(path.join(root, '.git', 'hooks'), { recursive: true });
const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
await using port = withAllowList(createBubblewrap({ program: found.program }), ['example.org']);

// As the product does for each command.
const git = { gitDirsOf: outerGitDirs, gitConfig: () => identityFile(undefined) };

const variants: Readonly<Record<string, CommandSandbox | undefined | 'bare'>> = {
  'as it is': 'bare',
  'with limits': undefined,
  'in the sandbox': { port, level: 'auto', ...git },
  'in the sandbox, with hosts': { port, level: 'auto', hasHosts: true, ...git },
};

async function timed(sandbox: CommandSandbox | undefined | 'bare'): Promise<number> {
  const started = performance.now();
  const command = { argv: ['/bin/true'], env, cwd: root };
  const ready =
    sandbox === 'bare' ? { type: 'ready' as const, ...command } : await inSandbox(command, [root], sandbox);
  if (ready.type !== 'ready') throw new Error(ready.message);
  const [program = '', ...args] = ready.argv;
  await once(spawn(program, args, { cwd: root, env: ready.env, stdio: 'ignore' }), 'exit');
  if ('finish' in ready) await ready.finish();
  return performance.now() - started;
}

const times = new Map<string, number[]>(Object.keys(variants).map((name) => [name, []]));
for (const sandbox of Object.values(variants)) await timed(sandbox);
for (let run = 0; run < runs; run += 1)
  for (const [name, sandbox] of Object.entries(variants)) times.get(name)?.push(await timed(sandbox));
const figures = [...times].map(([name, all]) => {
  const sorted = all.toSorted((a, b) => a - b);
  return { name, least: sorted[0] ?? 0, middle: sorted[Math.floor(sorted.length / 2)] ?? 0 };
});
const [bare] = figures;
for (const { name, least, middle } of figures)
  console.log(
    `${name.padEnd(28)} least ${least.toFixed(1)} ms (+${(least - (bare?.least ?? 0)).toFixed(1)}), middle ${middle.toFixed(1)} ms (+${(middle - (bare?.middle ?? 0)).toFixed(1)})`,
  );
await rm(root, { recursive: true, force: true });
