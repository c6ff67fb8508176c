// Changes by the offline model pass the same gate as with any model: approvals, denials, cancel, limits.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { createCliPlace, type Ended } from './cli-process.ts';

const place = await createCliPlace();
afterAll(() => place[Symbol.asyncDispose]());

const content = (file: string) => readFile(path.join(place.project, file), 'utf8').catch(() => undefined);
const approved = async (prompt: string) => (await place.rondo('run', '--auto-approve', prompt)).out.trimEnd();

interface Asked {
  readonly session: string;
  readonly outcome: string;
  readonly questions: readonly { readonly id: string }[];
}

function resultIn({ out }: Ended): Asked {
  return JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as Asked;
}

test('creates a file, and never over another', async () => {
  expect(await approved('create notes.txt with "buy milk"')).toBe(
    '✓ Created `notes.txt` (1 line).\n\n```\nbuy milk\n```',
  );
  expect(await content('notes.txt')).toBe('buy milk\n');
  expect(await approved('create notes.txt with "buy tea"')).toContain(
    '`notes.txt` exists already, and I overwrite nothing',
  );
  expect(await content('notes.txt')).toBe('buy milk\n');
});

test('appends, replaces, renames and deletes', async () => {
  await place.write('list.txt', 'milk\neggs\nmilk');
  expect(await approved('append "tea" to list.txt')).toBe('✓ Appended to `list.txt`: `tea`');
  expect(await content('list.txt')).toBe('milk\neggs\nmilk\ntea');
  expect(await approved('replace milk by cream in list.txt')).toBe(
    '✓ `milk` → `cream`. list.txt: 2 places replaced (lines 1, 3).',
  );
  expect(await approved('rename list.txt to docs/shopping.txt')).toBe(
    '✓ Renamed `list.txt` to `docs/shopping.txt`.',
  );
  expect(await content('list.txt')).toBe(undefined);
  expect(await content('docs/shopping.txt')).toBe('cream\neggs\ncream\ntea\n');
  expect(await approved('delete docs/shopping.txt')).toBe('✓ Deleted file docs/shopping.txt.');
  expect(await content('docs/shopping.txt')).toBe(undefined);
});

test('a replacement that does not fit changes nothing and says why', async () => {
  await place.write('fixed.txt', 'one\n');
  expect(await approved('replace "two" with "three" in fixed.txt')).toBe(
    '`two` is not in `fixed.txt`, so nothing was changed. Upper and lower case count.',
  );
  expect(await content('fixed.txt')).toBe('one\n');
});

test('an approval waits, is answered from another process, and the plan continues where it was', async () => {
  const asked = await place.rondo('run', '--json', 'create later.txt with "tea"');
  const { session, outcome, questions } = resultIn(asked);
  expect({ code: asked.code, outcome, open: questions.length }).toEqual({
    code: 3,
    outcome: 'needs-input',
    open: 1,
  });
  expect(await content('later.txt')).toBe(undefined);
  expect((await place.rondo('answer', questions[0]?.id ?? '', 'allow-once')).code).toBe(0);
  await place.rondo('run', '--session', session);
  expect(await content('later.txt')).toBe('tea\n');
  expect((await place.rondo('show', session)).out).toContain('✓ Created `later.txt` (1 line).');
});

test('a denied change is reported as not done', async () => {
  const denied = await place.rondo('run', '--deny', 'delete', 'delete notes.txt');
  expect(denied.out.trimEnd()).toBe(
    '**Not done:** deleting `notes.txt` was not allowed. The flag rule delete denies this.',
  );
  const batch = await place.rondo('run', '--mode', 'batch', 'run `touch never.txt`');
  expect(batch.out).toContain('**Not done:** `touch never.txt` was not allowed.');
  expect(await content('never.txt')).toBe(undefined);
});

test('several steps run one after the other and stop at a failure', async () => {
  const done = await approved('create steps.txt with "one", then append "two" to it and show steps.txt');
  expect(done).toContain('Done: 3 of 3 steps.');
  expect(await content('steps.txt')).toBe('one\ntwo\n');
  const stopped = await approved('run `false`, then delete steps.txt');
  expect(stopped).toContain('**Stopped after step 1**, for it did not succeed. Not done: `delete steps.txt`.');
  expect(await content('steps.txt')).toBe('one\ntwo\n');
});

test('Ctrl+C ends a command it runs [C19]', async () => {
  const running = place.start(['run', '--auto-approve', '--json', 'run `sleep 60`']);
  await running.saw('"tool-run-intended"');
  running.child.kill('SIGINT');
  const ended = await running.ended;
  expect({ code: ended.code, outcome: resultIn(ended).outcome }).toEqual({ code: 130, outcome: 'cancelled' });
});

test('limits hold as with any model, and its text is streamed', async () => {
  expect((await place.rondo('run', '--max-steps', '1', 'what is in this repository?')).code).toBe(5);
  const { out } = await place.rondo('run', '--json', 'hello');
  expect(
    out.split('\n').filter((line) => line.includes('"progress"') || line.includes('"delta"')).length,
  ).toBeGreaterThan(0);
});
