import path from 'node:path';

import { expect, test } from 'vitest';

import { createCliPlace } from './cli-process.ts';

const recordings = path.resolve(import.meta.dirname, '../fixtures/other-tools');

test('[C144] [S1] conversations of other agents become foreign sessions, once, and only those of this folder', async () => {
  await using place = await createCliPlace();
  const rondo = (...words: readonly string[]) => place.start(words, { env: { HOME: recordings } }).ended;
  const left = await rondo('import', '--from', 'claude');
  expect([left.code, left.out]).toEqual([0, '']);
  expect(left.err).toContain('1 conversation of other folders left out; --all imports them');

  const imported = await rondo('import', '--from', 'claude', '--all', '--json');
  const report = JSON.parse(imported.out) as { imported: { session: string; turns: number; unknown: number }[] };
  expect(report.imported).toEqual([
    {
      session: expect.stringMatching(/^ses_/) as string,
      from: expect.any(String) as string,
      turns: 2,
      unknown: 1,
    },
  ]);
  const id = report.imported[0]?.session ?? '';
  const shown = (await rondo('show', id)).out;
  for (const text of ['say hi', 'Let me look.', 'Bash echo hi', 'Second answer.', 'untrusted'])
    expect(shown).toContain(text);

  const again = await rondo('import', '--from', 'claude', '--all');
  expect([again.code, again.out, again.err.includes('1 conversation already here')]).toEqual([0, '', true]);
  expect((await rondo('replay', id)).code).toBe(0);

  const continued = await rondo('run', '--session', id, '--agent', 'testing', 'say goes on');
  expect([continued.code, continued.out.includes('goes on')]).toEqual([0, true]);

  const wrong = await rondo('import', '--from', 'claud');
  expect([wrong.code, wrong.err.includes('claude')]).toEqual([2, true]);
});

test('[C144] a long conversation is imported whole', async () => {
  await using place = await createCliPlace();
  const lines = Array.from({ length: 1_500 }, (_, index) => [
    { type: 'user', cwd: place.project, message: { content: `prompt ${index}` } },
    { type: 'assistant', message: { content: [{ type: 'text', text: `reply ${index}` }] } },
  ]).flat();
  await place.write('../.claude/projects/p/long.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
  const rondo = (...words: readonly string[]) => place.start(words, { env: { HOME: place.home } }).ended;
  const imported = await rondo('import', '--from', 'claude');
  expect([imported.code, imported.err.includes('1 conversation imported')]).toEqual([0, true]);
  const shown = await rondo('show', imported.out.trim());
  for (const text of ['prompt 0', 'reply 1499']) expect(shown.out).toContain(text);
});
