// Sessions as files, through the real binary: export here, import there, continue.
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { createCliPlace, type CliPlace } from './cli-process.ts';

const place = await createCliPlace();
afterAll(() => place[Symbol.asyncDispose]());

interface ResultRecord {
  readonly session: string;
  readonly questions: readonly { readonly id: string }[];
}

async function ran(at: CliPlace, prompt: string): Promise<ResultRecord> {
  const { out } = await at.rondo('run', '--agent', 'testing', prompt, '--json');
  return JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as ResultRecord;
}

test('[C120][S1] a session with an open question moves to another machine, where a person continues its history', async () => {
  await using there = await createCliPlace();
  const { session, questions } = await ran(place, 'call shell {"command":"touch moved"}\nsay done');
  const file = path.join(place.home, 'moving.rondo');
  expect(await place.rondo('export', session, '-o', file)).toEqual({ code: 0, out: `${file}\n`, err: '' });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const imported = await there.rondo('import', file);
  expect(imported).toEqual({
    code: 0,
    out: `${session}\n`,
    err: `rondo import: only the history was imported; continue with: rondo run --session ${session}\n`,
  });
  const { out: events } = await place.rondo('show', session, '--events');
  const { out: eventsThere } = await there.rondo('show', session, '--events');
  expect(eventsThere.startsWith(events.trimEnd())).toBe(true);
  expect((await there.rondo('answer', questions[0]?.id ?? '', 'allow-once')).code).not.toBe(0);
  const gone = await there.rondo('run', '--session', session, '--agent', 'testing', 'say and more');
  expect(gone).toMatchObject({ code: 0, out: expect.stringContaining('and more') as string });
  expect((await place.rondo('ls', '--state', 'waiting')).out).toContain(session);
});

test('a second import gets a new id; a changed or cut bundle is refused and nothing is written', async () => {
  const { session } = await ran(place, 'say hello');
  const file = path.join(place.home, 'again.rondo');
  await place.rondo('export', session, '-o', file);
  const again = await place.rondo('import', file);
  expect({ ...again, out: place.masked(again.out), err: place.masked(again.err) }).toEqual({
    code: 0,
    out: 'ses_X\n',
    err:
      'rondo import: ses_X already exists here: imported as ses_X\n' +
      'rondo import: only the history was imported; continue with: rondo run --session ses_X\n',
  });
  expect(again.out).not.toBe(`${session}\n`);
  const count = (await place.rondo('ls')).out.split('\n').length;
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('say hello', 'say hullo'));
  expect(await place.rondo('import', file)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(
      /the record at 2 to 4 of session ses_\w+ does not match its integrity hash\. Nothing was written/,
    ) as string,
  });
  await writeFile(file, text.slice(0, text.length - 300));
  expect(await place.rondo('import', file)).toMatchObject({
    code: 1,
    err: expect.stringContaining('cut off') as string,
  });
  expect((await place.rondo('ls')).out.split('\n').length).toBe(count);
  expect(await place.rondo('import', file, '--up-to-damage')).toMatchObject({ code: 0 });
  expect(await place.rondo('import', 'nowhere.rondo')).toMatchObject({ code: 2 });
  expect(await place.rondo('export', 'ses_nowhere')).toMatchObject({ code: 2 });
});

test('Markdown for people and JSON for scripts; the flag decides, then the ending, as in /export', async () => {
  const { session } = await ran(place, 'call list {"path":"."}\nsay listed');
  const { out } = await place.rondo('export', session, '--format', 'markdown', '-o', '-');
  expect(out).toMatch(/^# call list/);
  // A call that took no time has no duration.
  expect(out).toMatch(/<details><summary>✓ Listed \.(?: \(\S+\))?<\/summary>/);
  expect(out).toContain('## Decisions');
  expect(out).toContain('| session | ');
  const json = JSON.parse((await place.rondo('export', session, '--format', 'json', '-o', '-')).out) as object;
  expect(json).toMatchObject({ session, transcript: { items: expect.any(Array) as unknown[] } });
  const said = await place.rondo('run', '--session', session, '/export notes.md');
  expect(said).toEqual({ code: 0, out: `${path.join(place.project, 'notes.md')}\n`, err: '' });
  const written = (file: string) => readFile(path.join(place.project, file), 'utf8');
  expect(await written('notes.md')).toBe(out);
  await place.rondo('export', session, '-o', 'by-ending.md');
  expect(await written('by-ending.md')).toBe(out);
  await place.rondo('export', session, '-o', 'by-ending.json');
  expect(JSON.parse(await written('by-ending.json'))).toEqual(json);
  await place.rondo('export', session, '-o', 'by-flag.json', '--format', 'markdown');
  expect(await written('by-flag.json')).toBe(out);
});
