/**
 * SQLite's native library. The package can find it, but on Linux it first makes Node write a diagnostic report to
 * detect the C library, which costs milliseconds at every start. A process on musl has its loader at a fixed path;
 * otherwise this takes the glibc build. If that doesn't load, the package searches as usual.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const muslLoaders: Readonly<Record<string, string>> = {
  x64: '/lib/ld-musl-x86_64.so.1',
  arm64: '/lib/ld-musl-aarch64.so.1',
};

let binding: { readonly file: string | undefined } | undefined;

/** Its file, or undefined to let the package search. */
export function nativeBinding(): string | undefined {
  binding ??= { file: find() };
  return binding.file;
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

/** The package is already loaded, and resolving it again costs as much as opening a file. */
function packageFolder(load: NodeJS.Require): string {
  const entry = path.join('better-sqlite3', 'lib', 'index.js');
  const loaded = Object.keys(load.cache).find((file) => file.endsWith(entry));
  return path.dirname(path.dirname(loaded ?? load.resolve('better-sqlite3')));
}
