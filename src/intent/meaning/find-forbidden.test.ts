import { expect, test } from 'vitest';

import { findForbidden } from './find-forbidden.ts';
import { testPlaces } from './spared-paths.ts';
import { understand } from './transducer.ts';

const lockfiles = [
  '**/package-lock.json',
  '**/npm-shrinkwrap.json',
  '**/pnpm-lock.yaml',
  '**/yarn.lock',
  '**/bun.lock',
  '**/Cargo.lock',
];

test.each<[string, string | undefined]>([
  ["fix the parser but don't touch src/legacy/", 'src/legacy/'],
  ['do not touch the tests, fix the parser', 'the tests'],
  ['never touch package-lock.json. add lodash', 'package-lock.json'],
  ["fix a.ts, don't touch src/b.ts, src/c.ts or docs/ and run the tests", 'src/b.ts, src/c.ts or docs/'],
  ['rename foo, but do not change "public api.md"', '"public api.md"'],
  ['leave src/gen.ts alone and fix the rest', 'src/gen.ts'],
  ['hands off src/db/, clean up the rest', 'src/db/'],
  ['keep the public api unchanged and simplify the rest', 'the public api'],
  ["don't edit anything in vendor/, update the docs", 'anything in vendor/'],
  ["don't change a.ts. don't change b.ts", 'a.ts; b.ts'],
  ["explain it, don't touch it", undefined],
  ["don't change anything", undefined],
  ['write "do not touch the tests" into NOTES.md', undefined],
  ['it is not only slow but wrong, fix it', undefined],
  ['move the file', undefined],
])('%s: to be left as it is: %s', (text, not) => {
  expect(findForbidden(text).not).toBe(not);
});

test("a forbidden thing is a limit, never the target, and doesn't hide the request", () => {
  expect(understand("fix src/a.ts, don't touch src/legacy/")).toMatchObject({
    verb: 'fix',
    target: { type: 'file', text: 'src/a.ts' },
    constraint: { not: 'src/legacy/' },
    readOnly: false,
  });
  expect(understand("fix the parser but don't touch src/legacy/").target).toBeUndefined();
  expect(understand('fix it without touching "src/a b.ts", lib/x.ts and docs')).toMatchObject({
    constraint: { without: 'touching "src/a b.ts", lib/x.ts and docs' },
  });
  expect(understand('fix it without touching lib/x.ts').target).toBeUndefined();
  expect(understand('leave src/gen.ts alone and fix the rest')).toMatchObject({ verb: 'fix', readOnly: false });
});

test('paths that must not be changed are reported apart from those that must only stay where they are', () => {
  expect(understand("fix a.ts, don't touch src/b.ts, src/c/ or the docs")).toMatchObject({
    spared: ['src/b.ts', 'src/c/', '**/docs/**', '**/doc/**'],
    sparedBecause: "don't touch src/b.ts, src/c/ or the docs",
  });
  expect(understand("don't rename src/b.ts, fix it").spared).toBeUndefined();
  expect(understand('fix src/b.ts').spared).toBeUndefined();
});

test.each([
  ["don't change anything, what is this?", true],
  ["I don't want you to change anything, what is this?", true],
  ["explain it but don't change a thing", true],
  ['you may not modify any file, look at src/a.ts', true],
  ['no need to change anything, just look at src/a.ts', true],
  ['nothing may be changed: what is wrong here?', true],
  ["don't change anything in vendor/, update the docs", false],
  ["don't change anything else, fix the typo", false],
  ['change nothing but the header', false],
  ['say "don\'t change anything" in the readme', false],
  ['fix it, but not without a test', false],
])('%s: nothing may be changed: %s', (text, readOnly) => {
  expect(understand(text).readOnly).toBe(readOnly);
});

test.each<[string, readonly string[] | undefined]>([
  ["get it working, don't edit the tests", testPlaces],
  ['speed it up without touching the tests', testPlaces],
  ['tidy up, leave the readme alone', ['**/README*']],
  ["add lodash, don't change the lockfile or src/db/", ['src/db/', ...lockfiles]],
  ["clean up, don't touch the vendor folder", ['vendor']],
  ["clean up, don't touch the vendors", undefined],
  ["speed it up, don't change the public API", undefined],
  ['make it faster without changing the public API', undefined],
  ["fix it, don't change the test setup", undefined],
  ["rename it, don't break the tests", undefined],
])('[C102] %s: protects %j', (text, spared) => {
  const intent = understand(text, { entries: new Set(['vendor', 'src']) });
  expect([intent.readOnly, intent.spared]).toEqual([false, spared]);
});
