// Input of a run: prompts with piped input, mistakes with --json, and a session whose last turn failed.
import { readFile } from 'node:fs/promises';

import { expect, test } from 'vitest';

import { resultSchema } from '../../src/protocol/output-schema.ts';
import { startFakeProvider } from '../fixtures/fake-provider/fake-provider.ts';
import { createCliPlace } from './cli-process.ts';

interface Line {
  readonly type: string;
  readonly session?: string;
  readonly text?: string;
  readonly outcome?: string;
  readonly reason?: string;
}

const linesOf = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

test('piped input is added to the prompt, prompt first', async () => {
  await using place = await createCliPlace();
  const words = ['run', '--agent', 'testing', 'explain this'];
  const piped = await place.start(words, { stdin: 'TypeError: x is undefined\n' }).ended;
  expect(piped.out).toBe('You said: explain this\n\nTypeError: x is undefined\n');
  const alone = await place.rondo(...words);
  expect(alone.out).toBe('You said: explain this\n');
  const file = await place.write('log.txt', 'line 1\nline 2\n');
  const shell = await place.onTerminal(`cat ${file} | ${place.command} run --agent testing --json "explain this"`)
    .ended;
  expect(linesOf(shell.out).at(-1)?.text).toBe(
    `You said: explain this\n\n${(await readFile(file, 'utf8')).trim()}`,
  );
});

test.each([
  ['no prompt', [], 'rondo run: prompt missing'],
  ['an unknown option', ['--bogus', 'hi'], 'rondo run: unknown option --bogus'],
  ['an unknown model', ['--model', 'nope/x', 'hi'], 'rondo run: Unknown model "nope/x".'],
  ['an unknown session', ['--session', 'nope', 'hi'], 'rondo run: Unknown session nope in this store'],
  ['an unknown agent', ['--agent', 'nope', 'hi'], "rondo run: Can't create a session: unknown agent nope"],
  ['a broken configuration', ['--config', 'broken.json', 'hi'], "rondo run: can't use the configuration"],
])('[P9] with --json a mistake has a result line too: %s', async (_, words, reason) => {
  await using place = await createCliPlace();
  await place.write('broken.json', '{"agents": 3}');
  const { code, out, err } = await place.rondo('run', '--json', ...words);
  const [line, ...others] = linesOf(out);
  expect({ code, outcome: line?.outcome, others }).toEqual({ code: 2, outcome: 'failed', others: [] });
  expect(resultSchema.safeParse(line).error).toBeUndefined();
  expect(line?.reason?.startsWith(reason)).toBe(true);
  expect(err.startsWith(reason)).toBe(true);
});

test('[P9] a session whose last turn failed is resumed by trying its prompt again', async () => {
  await using place = await createCliPlace();
  await using provider = await startFakeProvider();
  const env = { OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: 'test-key' };
  const words = ['--model', 'openai/gpt-5', '--json'];
  provider.reply({ trouble: { type: 'status', status: 401, message: 'bad key' } });
  const first = await place.start(['run', 'hello there', ...words], { env }).ended;
  const { session = '', outcome } = linesOf(first.out).at(-1) ?? {};
  expect({ code: first.code, outcome }).toEqual({ code: 1, outcome: 'failed' });

  const second = await place.start(['run', '--session', session, ...words], { env }).ended;
  expect({ code: second.code, ...linesOf(second.out).at(-1) }).toMatchObject({
    code: 0,
    session,
    outcome: 'completed',
    text: 'You said: hello there',
  });
  expect(provider.requests.length).toBe(2);

  // A completed turn is reported again at no cost.
  const third = await place.start(['run', '--session', session, ...words], { env }).ended;
  expect({ code: third.code, text: linesOf(third.out).at(-1)?.text }).toEqual({
    code: 0,
    text: 'You said: hello there',
  });
  expect(provider.requests.length).toBe(2);
});
