// The mutation run (`npm run mutate`) isn't part of the suite; its parts are tested here.
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';

import { expect, test, vi } from 'vitest';

import { switchCode, withMutants } from '../../scripts/mutant-tree.ts';
import { mutantsOf } from '../../scripts/mutants.ts';
import { namedMutants } from '../../scripts/named-mutants.ts';

const root = path.resolve(import.meta.dirname, '../..');

const source = `
import { x } from './x.ts';
type Size = 1 | 2;
export function first(items: readonly number[], log: string[]): number | undefined {
  log.push('asked');
  if (items.length > 0 && !log.includes('full')) return items[0] ?? -1;
  return [...items, 7 as Size].at(-1);
}`;

test('a source has the mutants of what it does, and none of its types, imports and texts', () => {
  expect(mutantsOf('first.ts', source).map(({ line, kind }) => `${line} ${kind}`)).toEqual([
    '4 function returns at once',
    "5 statement dropped: log.push('asked');",
    '6 condition → true',
    '6 condition → false',
    '6 && → ||',
    '6 > → >=',
    '6 > → <=',
    '6 0 → 1',
    '6 ! dropped',
    '6 returns undefined',
    '6 ?? dropped',
    '6 0 → 1',
    '6 1 → 2',
    '6 1 → 0',
    '7 returns undefined',
    '7 element dropped: ...items',
    '7 element dropped: 7 as Size',
    '7 7 → 8',
    '7 7 → 6',
    '7 1 → 2',
    '7 1 → 0',
  ]);
});

test('the switch of a tree wakes the mutant that the environment names, and no other', async () => {
  vi.stubEnv('MUTANT', 'b');
  const { on, enterTest } = (await import(`data:text/javascript,${encodeURIComponent(switchCode)}`)) as {
    on(id: string): boolean;
    enterTest(name: string): void;
  };
  vi.unstubAllEnvs();
  enterTest('a test');
  expect(['a', 'b'].map(on)).toEqual([false, true]);
});

test('all mutants of a source are in it asleep, also one inside another, and one at a time wakes', () => {
  const mutants = mutantsOf('first.ts', source);
  const code = stripTypeScriptTypes(withMutants(source, mutants))
    .replace(/import .*\n/, '')
    .replace('export', 'return');
  const results = ['none', ...mutants.map(({ id }) => id)].map((awake) => {
    // eslint-disable-next-line typescript/no-implied-eval -- the mutated source is run to see what it does
    const first = new Function('__on', code)((id: string) => id === awake) as (...given: unknown[]) => unknown;
    const log: string[] = [];
    return [first([5, 6], log), first([], log), log.length];
  });
  const [sound, ...mutated] = results;
  expect(sound).toEqual([5, 7, 2]);
  const unlike = mutated.filter((each) => JSON.stringify(each) !== JSON.stringify(sound));
  expect(unlike.length).toBeGreaterThan(mutated.length / 2);
  expect(mutated[0]).toEqual([undefined, undefined, 0]);
  expect(mutated[1]).toEqual([5, 7, 0]);
  expect(mutated[17]).toEqual([5, 8, 2]);
});

test('every named mutant has its place in the sources', () => {
  expect(namedMutants(root).map(({ kind }) => kind)).toEqual([
    'blob file not synced',
    'streamed blob file not synced',
    'folder of a blob not synced after the file got its name',
    'snapshot version ignored',
    'recovery before orphans are gone',
    'session open to inputs before its take-over is over',
    'suspended session not released',
    'claim of a suspended session never released',
    'stale handle ends the claim of a later one',
    'tools run on while the store is locked past the lease',
    'wake-up cursor moved before the read succeeded',
    'references of older records read in one go',
    'removal that fails keeps its claim',
    'job of a removed parent stops its server',
    'fork loses an origin that is being removed',
    'fork of an origin that is gone',
    'session claimed again by the process that owns it',
    'hand-over without waiting for its boundary',
    'session released while its effects still end',
    'children of a living owner taken for orphans',
    'deadline of a job follows the time of day',
    'observer that throws',
    'telemetry that throws',
    "number that JSON can't hold",
    'files restored before their checkpoint is recorded',
    'letter not settled by its append',
    'letter of an unknown kind taken',
    'unreadable letter blocks later ones',
    'looking for work wakes sessions that wait',
    'locked store suspends its sessions',
    'owner whose count stands still is never gone',
    'tool started after its turn was cancelled',
    'leftovers of blobs never deleted',
    'unfinished jobs found by reading all jobs',
    'process table checked in one go',
    'waits late by the time that the machine slept',
    'snapshot of another epoch kept',
  ]);
});
