// `npm run t FILE`: runs one test file of any project. A source file means the test beside it. Options after the
// files go to vitest, such as `-t 'P5'`.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

import { wrongOption } from './script-options.ts';

const usage = `npm run t FILE… [-- vitest options]

Runs test files by path. src/kernel/decide/step.ts runs src/kernel/decide/step.test.ts.`;

const root = path.resolve(import.meta.dirname, '..');
const words = process.argv.slice(2);
if (words[0] === '--help' || words[0] === '-h') {
  console.log(usage);
  process.exit(0);
}
const firstOption = words.findIndex((word) => word.startsWith('-'));
const files = (firstOption === -1 ? words : words.slice(0, firstOption)).map(testOf);
const options = firstOption === -1 ? [] : words.slice(firstOption);
if (files.length === 0) wrongOption(`Name a file${words[0] === undefined ? '' : ` before ${words[0]}`}.`, usage);

const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const child = spawn(process.execPath, [vitest, 'run', ...files, ...options], { cwd: root, stdio: 'inherit' });
child.on('close', (code) => (process.exitCode = code ?? 1));

function testOf(given: string): string {
  const file = path.relative(root, path.resolve(process.env['INIT_CWD'] ?? '.', given));
  const test = file.endsWith('.test.ts') ? file : file.replace(/\.ts$/, '.test.ts');
  if (existsSync(path.join(root, test))) return test;
  console.error(
    file === test ? `There is no file ${file}.` : `There is no test ${test} beside ${file}. Name a test file.`,
  );
  process.exit(2);
}
