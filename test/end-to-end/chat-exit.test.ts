import { expect, test } from 'vitest';

import { createCliPlace } from './cli-process.ts';

test('a chat in a pipe exits with the code of its last turn', async () => {
  await using place = await createCliPlace();
  const codeOf = async (...lines: readonly string[]) =>
    (await place.start(['chat', '--agent', 'testing'], { stdin: lines.map((line) => `${line}\n`).join('') }).ended)
      .code;
  expect([
    await codeOf('say hello'),
    await codeOf('fail'),
    await codeOf('fail', 'say hello'),
    await codeOf('call write {"path":"a.txt","content":"a"}'),
  ]).toEqual([0, 6, 0, 3]);
});
