/**
 * Commits on the calling thread, for a session that writes alone: the way to the writer thread and
 * back costs as much as the commit itself, four times a turn.
 *
 * 1. Only one operation at a time, and only of a session that others do not mix with: several that
 *    write at the same time share commits on the thread, which is faster for all of them. Where they mix
 *    and yet nothing came while the thread was committing, a few times in a row, there is nothing to share:
 *    then so many are committed here before it is tried again. So it is at first, for starting the thread
 *    takes longer than all of them.
 * 2. It never waits for another process: if the file is locked, it writes nothing here.
 * 3. A slow disk doesn't block this thread: slow commits may take a tenth of its time, plus an occasional outlier.
 *    Beyond that, the writer thread takes over until it finds the disk quick again.
 * 4. It moves short logs into the file. A log that readers have kept from starting over is left to the thread,
 *    which waits for them.
 */
import type { OpenedForWriting } from './open-for-writing.ts';
import type { Batch, BatchAnswer, OpFailure, WriteOp } from './writer-protocol.ts';

export interface InlineWriter {
  /** Undefined where nothing was written and the thread has to. */
  write(batch: Batch): BatchAnswer | undefined;
  /** The thread has committed a batch in so many milliseconds; `hasCompany`: it held other writes, or more arrived since. */
  threadCommitted(given: { readonly hasCompany: boolean; readonly ms: number }): void;
  close(): void;
}

/** For operations that are about no session. */
const nobody = '';

export const noInlineWriter: InlineWriter = {
  write: () => undefined,
  threadCommitted: () => undefined,
  close: () => undefined,
};

const aloneForMs = 50;
const leastRun = 3;
const slowMs = 4;
/** The cost of slow commits decays by this share of the elapsed time. */
const wearsOff = 0.1;
/** One hiccup of the disk makes no slow disk. */
const mostHeldMs = 100;
const againAtMs = 50;
/** The slowest commit wears off in two seconds. */
const mostCountedMs = 200;
const lonelyCommits = 3;
const mixedInLine = 32;

interface InlineParts {
  /** The file for writing, without waiting for locks. */
  open(): OpenedForWriting;
  /** Milliseconds that only go forward. */
  readonly now: () => number;
}

export function createInlineWriter({ open, now }: InlineParts): InlineWriter {
  let opened: ReturnType<InlineParts['open']> | undefined;
  let isClosed = false;
  let held = { ms: 0, at: 0 };
  let isDiskSlow = false;
  let run = { session: nobody, at: -Infinity, length: 0 };
  let lonely = 0;
  let mixedLeft = mixedInLine;

  /** Sessions one after the other take turns in runs; those at the same time mix. */
  function isAlone(session: string): boolean {
    const at = now();
    if (session === nobody) return true;
    const isOver = run.length >= leastRun || at - run.at > aloneForMs;
    const isSame = run.session === session;
    const isIts = isSame || isOver;
    run = { session, at, length: isSame ? run.length + 1 : isIts ? 1 : 0 };
    if (isIts) return true;
    mixedLeft -= 1;
    return mixedLeft >= 0;
  }

  /** How long slow commits have held this thread up of late. */
  function heldMs(): number {
    const at = now();
    held = { ms: Math.max(0, held.ms - (at - held.at) * wearsOff), at };
    return held.ms;
  }

  function hold(ms: number): void {
    if (ms > slowMs) held = { ms: Math.min(held.ms + ms, againAtMs + mostCountedMs), at: now() };
  }

  return {
    write(batch) {
      const [op] = batch.ops;
      const session = op === undefined ? undefined : sessionOf(op);
      if (batch.ops.length > 1) mixedLeft = 0;
      if (isClosed || op === undefined || session === undefined || batch.ops.length > 1) return undefined;
      isDiskSlow ||= heldMs() > mostHeldMs;
      if (!isAlone(session) || isDiskSlow || opened?.isLogLong() === true) return undefined;
      const started = now();
      // The thread opens what can't be opened here, and reports the failure.
      try {
        opened ??= open();
      } catch {
        hold(Infinity);
        return undefined;
      }
      const answer = opened.write(batch);
      hold(now() - started);
      if (isLockedOut(answer)) return undefined;
      return answer;
    },
    threadCommitted({ hasCompany, ms }) {
      if (ms <= slowMs && heldMs() <= againAtMs) isDiskSlow = false;
      lonely = hasCompany ? 0 : lonely + 1;
      mixedLeft = lonely >= lonelyCommits ? mixedInLine : 0;
    },
    close() {
      isClosed = true;
      opened?.db.close();
    },
  };
}

/** The session that writes. `nobody` if no session does, undefined if the write isn't for this thread. */
function sessionOf(op: WriteOp): string | undefined {
  switch (op[0]) {
    case 'append':
      return op[1];
    // Opening and leaving one session after another must not start the thread.
    case 'claim':
    case 'cleaned':
    case 'release':
    case 'snapshot':
    case 'damage':
    case 'put':
    case 'renew':
    case 'leave':
      return nobody;
    case 'bury':
    case 'forget-process':
    case 'hand-over':
    case 'host':
    case 'queue':
    case 'blobs':
    case 'node':
    case 'document':
    case 'remove':
    case 'set-aside':
    case 'show':
    case 'index':
      return undefined;
  }
}

function isLockedOut({ answers }: BatchAnswer): boolean {
  const [answer] = answers as readonly (Partial<OpFailure> | null | undefined)[];
  return answer?.type === 'failed' && /^SQLITE_(BUSY|LOCKED)/.test(answer.failure?.code ?? '');
}
