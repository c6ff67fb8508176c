/**
 * SQLite's machine code for this system. The package finds it by itself, but on Linux it has Node write a whole
 * diagnostic report first, only to learn which C library runs: milliseconds of every start. A process on musl
 * has its loader at one fixed place; where there is none the code for glibc is taken, and where that cannot be
 * loaded the package looks as it always did.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const muslLoaders: Readonly<Record<string, string>> = {
  x64: '/lib/ld-musl-x86_64.so.1',
  arm64: '/lib/ld-musl-aarch64.so.1',
};

let found: { readonly file: string | undefined } | undefined;

/** Its file; undefined where it is left to the package to find one. */
export function nativeBinding(): string | undefined {
  found ??= { file: find() };
  return found.file;
}

function find(): string | undefined {
  const musl = muslLoaders[process.arch];
  if (process.platform !== 'linux' || musl === undefined || existsSync(musl)) return undefined;
  const load = createRequire(import.meta.url);
  try {
    const file = path.join(packageFolder(load), 'prebuilds', `linux-${process.arch}.node`);
    load(file);
    return file;
  } catch {
    return undefined;
  }
}

/** The package is loaded by now, and looking for it once more takes as long as opening a file with it. */
function packageFolder(load: NodeJS.Require): string {
  const entry = path.join('better-sqlite3', 'lib', 'index.js');
  const loaded = Object.keys(load.cache).find((file) => file.endsWith(entry));
  return path.dirname(path.dirname(loaded ?? load.resolve('better-sqlite3')));
}
