import { expect, test } from 'vitest';

import { record, request } from '../testing/contracts/journal-samples.ts';
import { assertRecords } from './new-records.ts';

test('[P1] an append of nothing, an empty record and a creation in the middle are bugs of the caller', () => {
  const settles = [{ letter: 1, answer: 'yes' }];
  const creation = { key: 'c', digest: 'd' };
  expect(() => assertRecords(request(0, [record('a')]))).not.toThrow();
  expect(() => assertRecords(request(3, [], { settles }))).not.toThrow();
  expect(() => assertRecords(request(0, [record('a')], { creation }))).not.toThrow();
  expect(() => assertRecords(request(0, []))).toThrow('an append has records or settles letters');
  expect(() => assertRecords(request(0, [record('a'), record()]))).toThrow('a record has events');
  expect(() => assertRecords(request(1, [record('a')], { creation }))).toThrow('only a first append creates');
});
