import { expect, test } from 'vitest';
import { createCliPlace } from './cli-process.ts';

test('a server that was named and does not answer is reported, since the offline model answers in its place', async () => {
  await using place = await createCliPlace();
  const env = {
    OPENAI_API_KEY: 'sk-nobody-listens-here',
    OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
    OLLAMA_HOST: 'http://127.0.0.1:1',
  };
  const { code, err } = await place.start(['run', 'who are you?'], { env }).ended;
  expect({ code, err }).toEqual({
    code: 0,
    err: 'Using the offline model: nothing answers at OPENAI_BASE_URL, http://127.0.0.1:1; not a language model.\n',
  });
});
