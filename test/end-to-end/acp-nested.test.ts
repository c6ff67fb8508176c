// Rondo as a hosted agent of Rondo: `rondo run` or an editor, a session that hosts `rondo acp`, and its session.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from 'vitest';

import { rondoBinary } from '../fixtures/rondo-binary.ts';
import { newSession, openEditor, say } from './acp-editor.ts';
import { createCliPlace, type CliPlace } from './cli-process.ts';

async function nestedPlace(): Promise<CliPlace> {
  const place = await createCliPlace();
  const inner = path.join(place.home, 'inner');
  await mkdir(inner, { mode: 0o700 });
  await place.write('../.rondo/config.json', {
    acpAgents: {
      inner: {
        command: process.execPath,
        args: [rondoBinary, 'acp', '--agent', 'testing'],
        env: { RONDO_HOME: inner, RONDO_BWRAP: 'none', OLLAMA_HOST: '127.0.0.1:9' },
      },
    },
  });
  return place;
}

const write = 'call write {"path":"made.txt","content":"made\\n"}\nsay after';

test('[C89] [C157] a permission of a hosted Rondo is answered once, after both processes were gone', async () => {
  await using place = await nestedPlace();
  const asked = await place.rondo('run', '--json', '--agent', 'inner', write);
  const { session, questions } = JSON.parse(asked.out.trim().split('\n').at(-1) ?? '') as {
    readonly session: string;
    readonly questions: readonly { readonly id: string }[];
  };
  expect([asked.code, existsSync(path.join(place.project, 'made.txt'))]).toEqual([3, false]);
  expect((await place.rondo('answer', questions[0]?.id ?? '', 'allow-once')).code).toBe(0);
  const resumed = await place.rondo('run', '--session', session);
  expect([resumed.code, existsSync(path.join(place.project, 'made.txt'))]).toEqual([0, true]);
  expect(resumed.out).toContain('after');
  expect(await place.json('inbox')).toEqual({ questions: [] });
});

test('[C89] [C157] an editor sees the diff that a hosted Rondo asks about, its question as a form, and its words', async () => {
  await using place = await nestedPlace();
  await using editor = await openEditor(place, {
    words: ['--agent', 'inner'],
    capabilities: { elicitation: { form: {} } },
  });
  const sessionId = await newSession(editor, place);
  editor.onForm = () => ({ action: 'accept', content: { choice: 'blue' } });
  expect(
    await say(editor, sessionId, `call ask_user {"question":"Which color?","options":["red","blue"]}\n${write}`),
  ).toEqual({ stopReason: 'end_turn' });
  const file = path.join(place.project, 'made.txt');
  expect(editor.permissions.map(({ toolCall }) => [toolCall.kind, toolCall.content?.[0]])).toEqual([
    ['edit', { type: 'diff', path: file, newText: 'made\n' }],
  ]);
  expect(editor.forms).toHaveLength(1);
  expect([existsSync(file), editor.said()]).toEqual([true, expect.stringContaining('after')]);
});
