import { expect, test } from 'vitest';

import { Fault, type FaultCode } from '../../kernel/fault.ts';
import type { AppendAnswer, AppendRequest } from '../../ports/journal.ts';
import { record, request } from '../../testing/contracts/journal-samples.ts';
import { appendPatiently } from './append-patiently.ts';

const wanted = request(0, [record('a')], { id: 'mine.1' });

/** A store that fails with these codes, one after the other, and then appends. */
async function appendAmid(codes: readonly FaultCode[], isOver = () => false) {
  const asked: (AppendRequest | number)[] = [];
  const failures = [...codes];
  const journal = {
    async append(given: AppendRequest): Promise<AppendAnswer> {
      asked.push(given);
      const code = failures.shift();
      if (code !== undefined) throw new Fault(code, 'Not now.');
      return { type: 'appended', seq: 1, position: given.position };
    },
  };
  const pause = async (ms: number) => void asked.push(ms);
  const outcome = await appendPatiently(wanted, { journal, pause, isOver, onBusy: () => undefined }).then(
    ({ type }) => type,
    (error: Fault) => error.code,
  );
  return { asked, outcome };
}

test('[O16][P1] while the store is busy the same append is repeated, after longer and longer pauses', async () => {
  expect(await appendAmid(['busy', 'busy'])).toEqual({
    asked: [wanted, 50, wanted, 100, wanted],
    outcome: 'appended',
  });
});

test('[P3] any other fault is not repeated, nor is a busy store waited for once nobody waits for the session', async () => {
  expect(await appendAmid(['disk-full'])).toEqual({ asked: [wanted], outcome: 'disk-full' });
  expect(await appendAmid(['busy'], () => true)).toEqual({ asked: [wanted], outcome: 'busy' });
});
