/**
 * A batch of appends as one statement, and so as one transaction. Plain ones go as arrays to `append_plain`, the others
 * as JSON to `append_batch`. Plain ones that were left out are repeated with the others' function, which tells why:
 * their id and position make that safe (O16).
 */
import type { Owner } from '../../ports/lease.ts';
import type { AppendOp } from './append-op.ts';
import { bigintArray, textArray } from './binary-arrays.ts';
import type { Database, SqlValue } from './database.ts';
import type { AppendWritten, CommitBatch } from './group-writer.ts';

interface CommitBatchParts {
  readonly db: Pick<Database, 'rows'>;
  readonly s: string;
  readonly self: () => Owner;
  readonly now: () => number;
  readonly version: string;
}

interface Answer {
  /** Places among the plain ones. */
  readonly left: readonly number[];
  readonly answers: readonly AppendWritten[];
}

export function createCommitBatch({ db, s, self, now, version }: CommitBatchParts): CommitBatch {
  const batch = (from: number) =>
    `${s}.append_batch($${from}, $${from + 1}, $${from + 2}, $${from + 3}) AS answers`;
  const statements = {
    plain: `SELECT ${s}.append_plain(${places}) AS left`,
    special: `SELECT ${batch(1)}`,
    both: `SELECT ${s}.append_plain(${places}) AS left, ${batch(columnCount + 3)}`,
  };

  return async (ops) => {
    const doing =
      ops.length === 1 ? `Appending to session ${ops[0]?.session}` : `Appending to ${ops.length} sessions`;
    const plain = ops.filter(isPlain);
    const special = ops.filter((op) => !isPlain(op));
    const answered = new Map<AppendOp, AppendWritten>();
    const send = async (arrays: readonly AppendOp[], others: readonly AppendOp[]) => {
      const at = now();
      const kind = others.length === 0 ? 'plain' : arrays.length === 0 ? 'special' : 'both';
      const values: SqlValue[] = [
        ...(arrays.length === 0 ? [] : [...arraysOf(arrays), at, version]),
        ...(others.length === 0 ? [] : [others, self(), at, version]),
      ];
      const [row] = await db.rows<Partial<Answer>>(doing, statements[kind], values);
      const left = new Set(row?.left);
      for (const [place, op] of arrays.entries()) if (!left.has(place)) answered.set(op, plainAnswer(op));
      for (const [place, op] of others.entries()) {
        const answer = row?.answers?.[place];
        if (answer !== undefined) answered.set(op, answer);
      }
      return arrays.filter((_, place) => left.has(place));
    };
    const left = await send(plain, special);
    if (left.length > 0) await send([], left);
    return ops.flatMap((op) => answered.get(op) ?? []);
  };
}

const plainParts = new Set(['id', 'session', 'position', 'after', 'epoch', 'expected', 'records', 'shown']);

/** One record without a key, and nothing beside it but an entry of the directory. */
function isPlain(op: AppendOp): boolean {
  const { position, records, shown } = op;
  const [[, , , , key] = []] = records;
  if (position === 0 || records.length !== 1 || key !== null) return false;
  for (const part in op) if (!plainParts.has(part)) return false;
  for (const part in shown) if (part !== 'entry') return false;
  return true;
}

function plainAnswer({ position, records: [record] }: AppendOp): AppendWritten {
  return { type: 'appended', seq: record?.[1], position: position + 1 };
}

const columnCount = 16;
const places = Array.from({ length: columnCount + 2 }, (_, index) => `$${index + 1}`).join(', ');

/** In the order of the function's parameters. */
function arraysOf(ops: readonly AppendOp[]): readonly Buffer[] {
  const texts = (of: (op: AppendOp) => string | null | undefined) => textArray(ops.map((op) => of(op) ?? null));
  const numbers = (of: (op: AppendOp) => number | undefined) => bigintArray(ops.map((op) => of(op) ?? null));
  return [
    texts((op) => op.session),
    numbers((op) => op.position),
    texts((op) => op.after),
    texts((op) => op.id),
    numbers((op) => op.expected),
    numbers((op) => op.records[0]?.[1]),
    numbers((op) => op.records[0]?.[2]),
    texts((op) => op.records[0]?.[3]),
    numbers((op) => op.shown?.entry?.[0]),
    texts((op) => op.shown?.entry?.[1]),
    texts((op) => op.shown?.entry?.[2]),
    texts((op) => op.shown?.entry?.[3]),
    texts((op) => op.shown?.entry?.[4]),
    texts((op) => op.shown?.entry?.[5]),
    texts((op) => op.shown?.entry?.[6]),
    numbers((op) => op.shown?.entry?.[7]),
  ];
}
