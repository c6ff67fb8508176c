// The model's context from the command line: what fills the window, and compaction.
import { afterAll, expect, test } from 'vitest';

import { createCliPlace } from './cli-process.ts';

const place = await createCliPlace();
afterAll(() => place[Symbol.asyncDispose]());

interface ResultRecord {
  readonly session: string;
  readonly outcome: string;
  readonly text: string;
}

async function run(...words: readonly string[]): Promise<ResultRecord> {
  const { out, err } = await place.rondo('run', '--agent', 'testing', '--json', ...words);
  const last = out.trimEnd().split('\n').at(-1) ?? '';
  if (last === '') throw new Error(err);
  return JSON.parse(last) as ResultRecord;
}

test('[C116] /context shows what fills the window, /compact summarizes, and everything stays readable', async () => {
  const { session } = await run('say the first answer');
  await run('--session', session, 'say the second answer');
  expect(await place.rondo('run', '--session', session, '/context')).toEqual({
    code: 0,
    err: '',
    out: [
      '20 tokens, size of the window unknown, estimated',
      `[${'▒'.repeat(33)}${'▄'.repeat(27)}]`,
      '▒ user                       11   55%',
      '▄ assistant                   9   45%',
      '',
    ].join('\n'),
  });

  expect(await place.rondo('run', '--session', session, '/compact the answers')).toEqual({
    code: 0,
    err: '',
    out: 'Earlier messages summarized. /history shows all of them.\n',
  });
  const { out } = await place.rondo('run', '--session', session, '/context');
  expect(out).toContain('▓ summary');

  const shown = await place.rondo('show', session);
  for (const text of [
    'the first answer',
    'the second answer',
    'summarize, and keep: the answers',
    'Earlier messages summarized',
  ]) {
    expect(shown.out).toContain(text);
  }
  expect(await run('--session', session, 'say on it goes')).toMatchObject({
    outcome: 'completed',
    text: 'on it goes',
  });
});

test('[C117] a summary that fails reports it, changes nothing and exits with 1', async () => {
  const { session } = await run('say one');
  expect(await place.rondo('run', '--session', session, '/compact fail no power')).toEqual({
    code: 1,
    out: '',
    err: `rondo run: Session ${session}: Can't summarize the conversation: no power\n`,
  });
  expect(await run('--session', session, 'say two')).toMatchObject({ outcome: 'completed' });
});
