// A model that doesn't exist is refused wherever it is named.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from 'vitest';

import { createCliPlace } from './cli-process.ts';

test('an unknown model is refused as an option, as a slash command and over HTTP, in the same words', async () => {
  await using place = await createCliPlace();
  const words = 'Unknown model "nope".';
  expect(await place.rondo('run', '--model', 'nope', 'hello')).toMatchObject({
    code: 2,
    err: expect.stringContaining(words) as string,
  });
  await place.rondo('run', '--agent', 'testing', 'say hello');
  expect(await place.rondo('run', '--session', 'latest', '/model nope')).toMatchObject({
    code: 2,
    err: expect.stringContaining(words) as string,
  });
  const { sessions } = (await place.json('ls')) as { sessions: readonly { session: string }[] };
  const server = place.start(['serve', '--port', '0']);
  await server.saw('#token=');
  const { origin } = new URL(((await place.json('token', 'link')) as { url: string }).url);
  const token = (await readFile(path.join(place.home, '.rondo/token'), 'utf8')).trim();
  const answer = await fetch(`${origin}/api/v1/sessions/${sessions[0]?.session}/inputs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'agent', agent: 'testing', model: 'nope' }),
  });
  expect(answer.ok).toBe(false);
  expect(JSON.stringify(await answer.json())).toContain('Unknown model');
});

test('a script that fails with a code that there is not is refused', async () => {
  await using place = await createCliPlace();
  const script = await place.write('script.json', [{ fail: { code: 'model-gone', message: 'gone' } }]);
  expect(await place.rondo('run', '--model', `scripted:${script}`, 'hello')).toMatchObject({
    code: 2,
    err: expect.stringContaining('step 1 fails with the unknown code "model-gone"') as string,
  });
});
