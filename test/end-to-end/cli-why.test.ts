import { expect, test } from 'vitest';
import { createCliPlace } from './cli-process.ts';

const nowhere = { OLLAMA_HOST: 'http://127.0.0.1:1' };

test('[C99] [C102] "don\'t change anything" is enforced at the gate, and `rondo why` says which rule did it', async () => {
  await using place = await createCliPlace();
  await place.write('notes.txt', 'tea');
  const run = place.start(['run', '--json', 'run `touch made` but dry run, do not change anything'], {
    env: nowhere,
  });
  const { out } = await run.ended;
  expect(out).toContain('"verdict":"deny","tool":"shell"');
  expect(out).not.toContain('"tool-run-intended","call":"call_1_1","repeat":"never"');
  const why = await place.rondo('why', 'latest');
  expect(why.code).toBe(0);
  expect(why.out).toContain('read-only: nothing may be changed');
  expect(why.out).toContain(
    'Rules that applied to its turn:\n  deny delete\n  deny edit\n  deny git_commit\n  deny shell\n',
  );
});

test('`rondo why` tells about a session without a prompt whose intent was worked out', async () => {
  await using place = await createCliPlace();
  await place.rondo('run', '--agent', 'testing', 'hello');
  const { code, err } = await place.rondo('why', 'latest');
  expect(code).toBe(1);
  expect(place.masked(err)).toContain('has no prompt with a detected intent');
});
