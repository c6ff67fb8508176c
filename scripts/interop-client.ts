// A real client of the Agent Client Protocol with `rondo acp` as its agent: acpx, another project's command-line
// client. It does what an editor does: a session, a prompt, a permission given and one refused, a cancel, a mode,
// and resuming after the agent was killed.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { openProcessTable } from '../src/processes/process-table.ts';

export const clientPackage = 'acpx';

export const clientColumns = ['prompt', 'permission', 'refusal', 'cancel', 'mode', 'resume after kill'] as const;

/** One result per column. */
export async function tryClient(cache: string, root: string, patienceMs: number): Promise<readonly string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'rondo-interop-acpx-'));
  const home = path.join(folder, 'home');
  const cwd = path.join(folder, 'work');
  mkdirSync(home);
  mkdirSync(cwd);
  const agent = `${process.execPath} ${path.join(root, 'bin/rondo.cjs')} acp --agent testing`;
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    RONDO_HOME: path.join(home, '.rondo'),
    OLLAMA_HOST: '127.0.0.1:9',
    RONDO_BWRAP: 'none',
    // Marks all processes started here. A session's own mark would keep Rondo from taking answers.
    [MARK]: folder,
  };
  const acpx = async (...words: readonly string[]): Promise<string> => {
    const file = path.join(cache, 'node_modules/.bin/acpx');
    const args = ['--ttl', '60', '--agent', agent, ...words];
    const done = await promisify(execFile)(file, args, { cwd, env, timeout: patienceMs });
    return done.stdout + done.stderr;
  };
  const results: string[] = [];
  const step = async (run: () => Promise<boolean>) => {
    const result = await run().then(
      (isDone) => (isDone ? 'yes' : 'no'),
      (error: unknown) => `no: ${error instanceof Error ? error.message : String(error)}`,
    );
    results.push(result.replaceAll(/[|\n]/g, ' ').slice(0, 160));
  };
  const touch = (name: string) => `call shell ${JSON.stringify({ command: `touch ${name}` })}`;
  const isMade = (name: string) => existsSync(path.join(cwd, name));
  try {
    await acpx('sessions', 'new');
    await step(async () => /hello there[\s\S]*end_turn/.test(await acpx('say hello there')));
    await step(async () => /end_turn/.test(await acpx('--approve-all', touch('made'))) && isMade('made'));
    await step(async () => /end_turn/.test(await acpx('--deny-all', touch('refused'))) && !isMade('refused'));
    await step(async () => {
      const hanging = acpx('hang');
      await sleep(5000);
      await acpx('cancel');
      return /cancelled/.test(await hanging);
    });
    await step(async () => /batch/.test(await acpx('set-mode', 'batch')));
    await step(async () => {
      // Only Rondo, as a crash would; the client keeps running.
      await kill(folder, (command) => command.includes('rondo.cjs'));
      const reply = await acpx('say it again');
      const listed = await acpx('sessions', 'list');
      return (
        /session\/(?:resume|load)[\s\S]*it again[\s\S]*end_turn/.test(reply) && listed.match(/ses_/g)?.length === 1
      );
    });
  } finally {
    await kill(folder, () => true);
    rmSync(folder, { recursive: true, force: true });
  }
  return results;
}

const MARK = 'RONDO_INTEROP';

async function kill(folder: string, isWanted: (command: string) => boolean): Promise<void> {
  const table = await openProcessTable();
  for (const { pid } of table.list()) {
    if (pid === process.pid || !table.hasVariable(pid, MARK, folder)) continue;
    if (isWanted(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))) process.kill(pid, 'SIGKILL');
  }
}
