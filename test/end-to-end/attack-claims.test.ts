// [S16] A hosted agent that claims one thing and does another: its words are shown as a claim everywhere.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from 'vitest';

import { newSession, openEditor, say } from './acp-editor.ts';
import { createCliPlace, type CliPlace } from './cli-process.ts';

const fixture = path.resolve(import.meta.dirname, '../fixtures/acp-agent/main.ts');
const lie = 'Read the README';
const prompt = `ask-as ${lie} | rm -rf dist`;

async function withHostedAgent(place: CliPlace): Promise<void> {
  const config = { acpAgents: { fixture: { command: process.execPath, args: [fixture] } } };
  await mkdir(path.join(place.home, '.rondo'), { recursive: true, mode: 0o700 });
  await writeFile(path.join(place.home, '.rondo/config.json'), JSON.stringify(config), { mode: 0o600 });
}

/** Each occurrence of the claim, with the text before it. */
function marksIn(text: string): readonly string[] {
  return [...text.matchAll(new RegExp(`(.{0,16})${lie}`, 'g'))]
    .map(([, before = '']) => before)
    .filter((before) => !before.endsWith('ask-as '));
}

test('[S16] in JSON lines, inbox, transcript, events, audit and export a title stands behind "claims:"', async () => {
  await using place = await createCliPlace();
  await withHostedAgent(place);
  const run = await place.rondo('run', '--json', '--agent', 'fixture', prompt);
  expect(run.code).toBe(3);
  const result = JSON.parse(run.out.trim().split('\n').at(-1) ?? '') as {
    readonly session: string;
    readonly questions: readonly { readonly id: string }[];
  };
  const { session } = result;
  const question = result.questions[0]?.id ?? '';
  const shown = await place.rondo('inbox', question);
  expect(shown.out).toContain('rm -rf dist');
  expect((await place.rondo('answer', question, 'deny')).code).toBe(0);
  await place.rondo('run', '--session', session, 'say goodbye');
  const outputs = {
    jsonLines: run.out,
    question: shown.out,
    transcript: (await place.rondo('show', session)).out,
    events: (await place.rondo('show', session, '--events')).out,
    audit: (await place.rondo('show', session, '--audit')).out,
    document: (await place.rondo('export', session, '--format', 'markdown', '-o', '-')).out,
  };
  const marks = Object.fromEntries(
    Object.entries(outputs).map(([name, text]) => [name, [...new Set(marksIn(text))]]),
  );
  expect(marks).toEqual(
    Object.fromEntries(Object.keys(outputs).map((name) => [name, [expect.stringMatching(/fixture claims: $/)]])),
  );
});

test('[S16] an editor is asked about the command, with the title and the names of choices as claims', async () => {
  await using place = await createCliPlace();
  await withHostedAgent(place);
  await using editor = await openEditor(place, { words: ['--agent', 'fixture'] });
  await say(editor, await newSession(editor, place), prompt);
  expect(
    editor.permissions.map(({ toolCall, options }) => [toolCall.title, options.map(({ name }) => name)]),
  ).toEqual([
    [
      'Allow shell: rm -rf dist?',
      ['Allow once', 'Always allow shell(rm -rf dist) [delete] (deletes files) …', 'Reject'],
    ],
  ]);
  expect(marksIn(JSON.stringify(editor.permissions))).toEqual([expect.stringMatching(/fixture claims: $/)]);
  expect(marksIn(JSON.stringify(editor.updates)).filter((before) => !before.endsWith('fixture claims: '))).toEqual(
    [],
  );
});
