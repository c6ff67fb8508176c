import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, it } from 'vitest';

const driver = pathToFileURL(path.join(import.meta.dirname, 'driver.ts')).href;

function answers(setup: string): string {
  const script = `${setup}
    const { openDriver } = await import(${JSON.stringify(driver)});
    const db = openDriver(':memory:', { busyTimeoutMs: 0 });
    console.log(db.get('SELECT 6 * 7 AS answer').answer);`;
  return execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  }).trim();
}

const header = (process.report.getReport() as { readonly header: Readonly<Record<string, unknown>> }).header;

it.runIf(header['glibcVersionRuntime'] !== undefined)('is found without a diagnostic report', () => {
  const refusing = `process.report.getReport = () => { throw new Error('a report was asked for') };`;
  expect(answers(refusing)).toBe('42');
});

it('is left to the package where none is known for this machine', () => {
  const unknownToUs = `
    const { arch } = process;
    const isAskedByPackage = () => new Error().stack.includes('better-sqlite3');
    Object.defineProperty(process, 'arch', { get: () => (isAskedByPackage() ? arch : 'unknown') });`;
  expect(answers(unknownToUs)).toBe('42');
});
