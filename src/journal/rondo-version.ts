import { readFileSync } from 'node:fs';

/** Inserted by the build. */
declare const RONDO_VERSION: string | undefined;

/** The running version of Rondo. */
export function rondoVersion(): string {
  if (typeof RONDO_VERSION === 'string') return RONDO_VERSION;
  const { version: text } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return text;
}
