import { expect, test } from 'vitest';

import { createCliPlace, type CliPlace } from './cli-process.ts';

/** Configures an agent that needs a label, and which labels this machine offers. */
const offer = (place: CliPlace, labels: readonly string[]) =>
  place.write('../.rondo/config.json', {
    agents: { trainer: { model: 'offline', needs: ['gpu'] } },
    server: { labels },
  });

test('[C153] [P9] a run that resumes work for which a label is missing says so instead of an old answer', async () => {
  await using place = await createCliPlace();
  await offer(place, ['gpu']);
  const run = (...words: readonly string[]) => place.rondo('run', ...words);
  expect(await run('--agent', 'trainer', '--model', 'testing', 'say an old answer')).toMatchObject({
    code: 0,
    out: 'an old answer\n',
  });
  const asked = await run('--session', 'latest', 'call write {"path":"a.txt","content":"a"}');
  const [, id = ''] = /Session (ses_\w+) is waiting/.exec(asked.err) ?? [];
  const [question = ''] = /q_\w+/.exec(asked.err) ?? [];
  await offer(place, []);
  expect((await place.rondo('answer', question, 'allow-once')).code).toBe(0);
  expect(await run('--session', id)).toEqual({
    code: 1,
    out: '',
    err:
      `rondo run: Session ${id} can't go on. Its agent needs the label gpu, which no running node offers. Its work waits: ` +
      'start a node that offers it (rondo serve --labels gpu), or choose another agent.\n',
  });
});

test('[P5] [C153] a prompt that is stored until a node offers the label is no failure', async () => {
  await using place = await createCliPlace();
  await offer(place, ['gpu']);
  await place.rondo('run', '--agent', 'trainer', '--model', 'testing', 'say first');
  await offer(place, []);
  const stored = await place.rondo('run', '--session', 'latest', 'say more');
  expect([stored.code, stored.out]).toEqual([3, '']);
  expect(stored.err).toContain('The input is stored and waits.');
  expect(stored.err).not.toContain('waiting for your answer');
});
