import { readFileSync } from 'node:fs';

/** Inserted by the build. */
declare const RONDO_VERSION: string | undefined;

let sourceVersion: string | undefined;

/** The running version of Rondo. When run from sources, Rondo reads it once from `package.json`. */
export function rondoVersion(): string {
  if (typeof RONDO_VERSION === 'string') return RONDO_VERSION;
  sourceVersion ??= readSourceVersion();
  return sourceVersion;
}

function readSourceVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
