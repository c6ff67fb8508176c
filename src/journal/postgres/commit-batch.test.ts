import { expect, test } from 'vitest';

import type { SessionId } from '../../kernel/ids.ts';
import type { AppendOp } from './append-op.ts';
import { createCommitBatch } from './commit-batch.ts';
import type { SqlValue } from './database.ts';

const owner = { id: 'p1', pid: 1, startedAt: 's', bootId: 'b', host: 'h' };

/** A server that answers each statement with the next row. */
function setUp(...rows: readonly object[]) {
  const sent: { readonly functions: readonly string[]; readonly json: SqlValue | undefined }[] = [];
  const commit = createCommitBatch({
    s: '"s"',
    self: () => owner,
    now: () => 7,
    version: 'v',
    db: {
      rows: (_doing, sql, values = []) => {
        const functions = Array.from(sql.matchAll(/append_\w+/g), ([name]) => name);
        const json = values.find((value) => Array.isArray(value));
        sent.push({ functions, json });
        return Promise.resolve([rows[sent.length - 1]] as never);
      },
    },
  });
  return { commit, sent };
}

const record = [5, 6, 99, '{}', null, null, null] as const;

function op(session: string, parts: object = {}): AppendOp {
  const at = { id: session, session: session as SessionId, position: 3, after: 'x', epoch: 1, expected: 4 };
  return { ...at, records: [record], ...parts };
}

const appended = { type: 'appended', seq: 6, position: 4 };

test('[C151] sends plain appends as arrays and the others as JSON, in one statement', async () => {
  const special = op('b', { blobs: ['h'] });
  const { commit, sent } = setUp({ left: [], answers: [{ type: 'blob-missing' }] });
  expect(await commit([op('a'), special, op('c')])).toEqual([appended, { type: 'blob-missing' }, appended]);
  expect(sent).toEqual([{ functions: ['append_plain', 'append_batch'], json: [special] }]);
});

test('[C151] asks for the reason of the plain appends that were left out [O16]', async () => {
  const { commit, sent } = setUp({ left: [1] }, { answers: [{ type: 'fenced', epoch: 2 }] });
  expect(await commit([op('a'), op('b')])).toEqual([appended, { type: 'fenced', epoch: 2 }]);
  expect(sent).toEqual([
    { functions: ['append_plain'], json: undefined },
    { functions: ['append_batch'], json: [op('b')] },
  ]);
});

test.each([
  ['the first of a session', { position: 0 }],
  ['two records', { records: [record, record] }],
  ['no record', { records: [], settles: [] }],
  ['a record with a key', { records: [[5, 6, 99, '{}', 'k', 'h', 'd']], keyed: true }],
  ['a settled letter', { settles: [[1, 'yes']] }],
  ['an opened question', { shown: { opened: [] } }],
])('[C151] an append with %s is not plain', async (_, parts) => {
  const { commit, sent } = setUp({ answers: [appended] });
  await commit([op('a', parts)]);
  expect(sent).toEqual([{ functions: ['append_batch'], json: [op('a', parts)] }]);
});
