// A run without a person whose worker asks: it ends, and resumes once answered, with the real command.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from 'vitest';

import { startFakeProvider } from '../fixtures/fake-provider/fake-provider.ts';
import { createCliPlace } from './cli-process.ts';

interface Record {
  readonly outcome: string;
  readonly session: string;
  readonly text: string;
  readonly reason?: string;
  readonly resume: string;
  readonly questions: readonly { readonly id: string; readonly about: unknown }[];
}

const recordIn = (out: string) => JSON.parse(out.trim().split('\n').at(-1) ?? '') as Record;

/** The agent delegates the work; its worker, or that worker's worker, writes a file. */
async function startDelegatingProvider(depth: 1 | 2) {
  const provider = await startFakeProvider();
  const delegate = (objective: string, maySpawn: boolean) => ({
    calls: [
      { name: 'delegate', args: { workers: [{ name: 'helper', objective, ...(maySpawn && { maySpawn }) }] } },
    ],
  });
  provider.respond(({ lastUserText, body }) => {
    const isAnswered = JSON.stringify(body).includes('"tool"') && JSON.stringify(body).includes('tool_call_id');
    if (lastUserText.includes('write the note')) {
      return isAnswered
        ? { text: 'The note is written.' }
        : { calls: [{ name: 'write', args: { path: 'note.txt', content: 'hi' } }] };
    }
    if (isAnswered) return { text: 'All done.' };
    return lastUserText.includes('lead')
      ? delegate('write the note', false)
      : delegate(depth === 1 ? 'write the note' : 'lead the work', depth === 2);
  });
  return provider;
}

test('[P9] a chat in a pipe ends with exit code 3 where a worker asks, and takes its next line as the answer', async () => {
  await using place = await createCliPlace();
  await using provider = await startDelegatingProvider(1);
  const env = { OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: 'test-key' };
  const chat = (stdin: string) =>
    place.start(['chat', '--model', 'openai-compatible/fake-model'], { env, stdin }).ended;
  const asked = await chat('see to it\n');
  expect(asked.code).toBe(3);
  expect(asked.out).toContain('Allow write on note.txt?');
  const answered = await chat('see to it\ny\n');
  expect(answered.code).toBe(0);
  expect(answered.out).toContain('All done.');
});

test.each([1, 2] as const)(
  '[P9] [P3] the question of a worker (%s below) ends a run with exit code 3; answered, parent and child go on',
  async (depth) => {
    await using place = await createCliPlace();
    await using provider = await startDelegatingProvider(depth);
    const env = { OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: 'test-key' };
    const words = ['--model', 'openai-compatible/fake-model', '--json'];
    const rondo = (...given: readonly string[]) => place.start([...given, ...words], { env }).ended;

    const first = await rondo('run', 'see to it');
    const asked = recordIn(first.out);
    expect({ code: first.code, outcome: asked.outcome, reason: asked.reason }).toEqual({
      code: 3,
      outcome: 'needs-input',
      reason: 'A worker has a question.',
    });
    expect(asked.questions.map(({ about }) => about)).toMatchObject([{ type: 'approval', tool: 'write' }]);

    // Nothing was answered: it asks again, and nothing is done twice.
    const again = await rondo('run', '--session', asked.session);
    expect({ code: again.code, questions: recordIn(again.out).questions.map(({ id }) => id) }).toEqual({
      code: 3,
      questions: asked.questions.map(({ id }) => id),
    });

    const answered = await place.rondo('answer', asked.questions[0]?.id ?? '', 'allow-once');
    expect(answered.code).toBe(0);
    expect(answered.out).toContain(`Resume with: rondo run --session ${asked.session}`);
    const last = await rondo('run', '--session', asked.session);
    expect({ code: last.code, ...recordIn(last.out) }).toMatchObject({
      code: 0,
      outcome: 'completed',
      text: 'All done.',
      questions: [],
    });
    expect(await readFile(path.join(place.project, 'note.txt'), 'utf8')).toBe('hi');
  },
);
