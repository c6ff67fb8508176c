/**
 * Commits on the calling thread, for a session that writes alone: the way to the writer thread and
 * back costs as much as the commit itself, four times a turn.
 *
 * 1. Only one operation at a time, and only while no other session wrote within the last moment:
 *    several sessions share commits on the thread, which is faster for all of them.
 * 2. It never waits for another process: where the file is locked nothing is written here.
 * 3. A disk that is slow is not waited for on this thread: one slow commit, and the thread has it
 *    for a while.
 * 4. Checkpoints are the thread's; a commit in so many goes there, and it sees to them.
 */
import type { Driver } from './driver.ts';
import type { Batch, BatchAnswer, OpFailure, WriteOp } from './writer-protocol.ts';

export interface InlineWriter {
  /** Undefined where nothing was written and the thread has to. */
  write(batch: Batch): BatchAnswer | undefined;
  close(): void;
}

export const noInlineWriter: InlineWriter = { write: () => undefined, close: () => undefined };

const aloneForMs = 50;
const slowMs = 5;
const restMs = 2000;
const mostInRow = 512;

export interface InlineParts {
  /** The file for writing, without waiting for locks and without checkpoints. */
  open(): { readonly db: Driver; readonly write: (batch: Batch) => BatchAnswer };
  /** Milliseconds that only go forward. */
  readonly now: () => number;
}

export function createInlineWriter({ open, now }: InlineParts): InlineWriter {
  let opened: ReturnType<InlineParts['open']> | undefined;
  let isClosed = false;
  let restUntil = 0;
  let inRow = 0;
  let last: { readonly session: string; readonly at: number } | undefined;

  function isAlone(session: string): boolean {
    const at = now();
    if (session === nobody) return true;
    const isSame = last === undefined || last.session === session || at - last.at > aloneForMs;
    last = { session, at };
    return isSame;
  }

  return {
    write(batch) {
      const [op] = batch.ops;
      const session = op === undefined ? undefined : sessionOf(op);
      if (isClosed || op === undefined || session === undefined || batch.ops.length > 1) return undefined;
      if (!isAlone(session) || now() < restUntil || inRow >= mostInRow) {
        inRow = 0;
        return undefined;
      }
      const started = now();
      // What cannot be opened here is opened there, and its failure told.
      try {
        opened ??= open();
      } catch {
        restUntil = started + restMs;
        return undefined;
      }
      const answer = opened.write(batch);
      if (now() - started > slowMs) restUntil = now() + restMs;
      if (isLockedOut(answer)) return undefined;
      inRow += 1;
      return answer;
    },
    close() {
      isClosed = true;
      opened?.db.close();
    },
  };
}

const nobody = '';

/** The session an operation is about; undefined where it is not for this thread. */
function sessionOf(op: WriteOp): string | undefined {
  switch (op[0]) {
    case 'append':
    case 'claim':
    case 'release':
    case 'snapshot':
    case 'damage':
    case 'put':
      return op[1];
    case 'renew':
    case 'leave':
    case 'settle':
      return nobody;
    case 'hand-over':
    case 'host':
    case 'queue':
    case 'remove':
    case 'set-aside':
    case 'show':
    case 'index':
    case 'forget-owner':
      return undefined;
  }
}

function isLockedOut({ answers }: BatchAnswer): boolean {
  const [answer] = answers as readonly (Partial<OpFailure> | null | undefined)[];
  return answer?.type === 'failed' && /^SQLITE_(BUSY|LOCKED)/.test(answer.failure?.code ?? '');
}
