/**
 * Replaces src/cli/command-line.ts in a build, where the command line is one large script. Node's compile cache
 * doesn't keep functions that are compiled on first call, which is nearly all of them, so each start would compile
 * them again. This keeps the code that a command had compiled when it ended, for its next start.
 *
 * 1. Stored in the user's own folder, never in a shared one, because it is code.
 * 2. One file per command, for this build and this Node only: V8 checks the length of a source, not its text.
 * 3. A file that can't be written, read or used only costs time.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { constants, Script } from 'node:vm';

import type * as commandLine from '../src/cli/command-line.ts';
import { homeFolder } from '../src/cli/home.ts';
import { optional } from '../src/kernel/optional.ts';

/** Set by the build: identifies the script's text. */
declare const RONDO_BUILD: string;

export async function runCommandLine(argv: readonly string[]): Promise<number> {
  const filename = path.join(import.meta.dirname, 'command-line.cjs');
  const kept = keptFile(argv);
  const cachedData = kept === undefined ? undefined : readIfThere(kept);
  const script = new Script(readFileSync(filename, 'latin1'), {
    filename,
    ...optional({ cachedData }),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const load = script.runInThisContext() as (require: NodeJS.Require, url: string) => typeof commandLine;
  const code = await load(createRequire(import.meta.url), import.meta.url).runCommandLine(argv);
  if (kept === undefined || code !== 0) return code;
  if (cachedData === undefined || script.cachedDataRejected === true || isOld(kept)) keep(kept, script);
  return code;
}

/** Undefined if the run isn't a command's usual work. */
function keptFile(argv: readonly string[]): string | undefined {
  const [name = 'serve'] = argv;
  if (!/^[a-z]+$/.test(name) || argv.includes('--help') || argv.includes('-h')) return undefined;
  const { version, arch } = process;
  try {
    return path.join(homeFolder(), 'cache', `${RONDO_BUILD}-${version}-${arch}-${name}`);
  } catch {
    // If the home can't be a folder, the command that needs it reports the error.
    return undefined;
  }
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Once a day, the stored code grows by functions that later runs compiled. */
function isOld(file: string): boolean {
  return Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > 86_400_000;
}

function keep(file: string, script: Script): void {
  const folder = path.dirname(file);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder))
      if (!name.startsWith(RONDO_BUILD)) rmSync(path.join(folder, name), { force: true });
    const written = `${file}-${process.pid}`;
    writeFileSync(written, script.createCachedData(), { mode: 0o600 });
    renameSync(written, file);
  } catch {
    // The next start compiles again.
  }
}
