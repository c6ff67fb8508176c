import { expect, test } from 'vitest';

import { createRondo } from '../rondo.ts';
import { testTool } from '../testing/test-tool.ts';
import { createListTool } from '../tools/search/list-tool.ts';
import { createTestingModel } from '../models/testing-model.ts';

const path = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const answers: Readonly<Record<string, string>> = { 'src/a.ts': 'const a = 1;', index: 'src/a.ts\n' };

function open() {
  return createRondo({
    agents: { ada: { model: 'testing', understand: async (text) => ({ intent: { words: text } }) } },
    models: { testing: createTestingModel() },
    tools: [
      {
        ...testTool('look', (args) => answers[(args as { readonly path: string }).path] ?? 'nothing'),
        parameters: path,
      },
      { ...testTool('change', () => 'changed', { access: 'write' }), parameters: path },
    ],
  });
}

test('[M6] [C150] in mode repl a line that is a call runs as a gated task, and any other line is a prompt', async () => {
  await using rondo = await open();
  const session = await rondo.sessions.create({ mode: 'repl' });
  const say = async (line: string) => {
    const { seq } = await session.status();
    const { outcome, text } = await session.chat(line);
    const { events } = await session.events({ after: seq });
    const outputs = events.flatMap(({ event }) =>
      event.type === 'tool-settled' && event.result.type === 'success' ? [event.result.output] : [],
    );
    return [outcome, text, ...outputs];
  };
  expect(await say('look src/a.ts')).toEqual(['completed', '', 'const a = 1;']);
  expect(await say('explain _')).toEqual(['completed', 'You said: explain _\n\n`_` is:\nconst a = 1;']);
  expect(await say('look index')).toEqual(['completed', '', 'src/a.ts\n']);
  expect(await say('look _')).toEqual(['completed', '', 'const a = 1;']);
  expect(await say('Look around')).toEqual(['completed', 'You said: Look around']);
  // A sentence that could be a changing call stays a sentence. With a named argument it is a call and needs
  // approval.
  expect(await say('change everything')).toEqual(['completed', 'You said: change everything']);
  expect(await say('change --path everything')).toEqual(['needs-input', '']);
});

test('[M6] [C150] a word that names no file or folder makes a sentence, a path makes a call', async () => {
  await using rondo = await createRondo({
    agents: { ada: { model: 'testing' } },
    models: { testing: createTestingModel() },
    tools: [createListTool()],
  });
  const session = await rondo.sessions.create({ mode: 'repl', cwd: import.meta.dirname });
  const texts = [
    await session.chat('list files'),
    await session.chat('list handle'),
    await session.chat('list ./x'),
  ];
  expect(texts.map(({ text }) => text)).toEqual(['You said: list files', '', '']);
  expect((await session.status()).title).toBe('list files');
});

test('[S9] [C150] a session of calls is titled by its first one', async () => {
  await using rondo = await open();
  const session = await rondo.sessions.create({ mode: 'repl' });
  await session.chat('look src/a.ts');
  expect((await session.status()).title).toBe('look src/a.ts');
});

test('[M6] [C150] a prompt with the last result means what the person wrote, not what the result says', async () => {
  await using rondo = await open();
  const session = await rondo.sessions.create({ mode: 'repl' });
  await session.chat('look src/a.ts');
  await session.chat('explain _');
  const { events } = await session.events({ after: 0 });
  const meanings = events.flatMap(({ event }) => (event.type === 'prompt-received' ? [event.request] : []));
  expect(meanings.at(-1)).toMatchObject({ type: 'chat', intent: { words: 'explain _' } });
});

test('[C150] `_` alone is refused, and a session in another mode takes every line as a prompt', async () => {
  await using rondo = await open();
  const repl = await rondo.sessions.create({ mode: 'repl' });
  expect((await repl.chat('_')).refusal).toEqual({
    code: 'invalid',
    message: '`_` is the last result: use it in a call (`read _`) or in a prompt (`explain _`)',
  });
  const other = await rondo.sessions.create();
  expect((await other.chat('look src/a.ts')).text).toBe('You said: look src/a.ts');
});

test('[C150] in a mode without a model a line is a call or is refused', async () => {
  await using rondo = await open();
  const session = await rondo.sessions.create({ mode: 'tool-only' });
  expect((await session.chat('look src/a.ts')).outcome).toBe('completed');
  expect((await session.chat('hello')).refusal?.code).toBe('invalid');
});
