import { readFileSync } from 'node:fs';

/** Put in by the build. */
declare const RONDO_VERSION: string | undefined;

/** The version of Rondo that runs. */
export function rondoVersion(): string {
  if (typeof RONDO_VERSION === 'string') return RONDO_VERSION;
  const { version: text } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return text;
}
