/**
 * Group commit: appends of many sessions share one statement, and so one transaction and one flush.
 *
 * 1. Appends that arrive while statements are under way go together with the next one, sorted by session, so that two
 *    processes take rows in the same order.
 * 2. A statement holds at most one append of a session, and appends of one session never overtake each other.
 * 3. If a statement fails for a reason that may lie in one append, each is tried alone.
 */
import { Fault } from '../../kernel/fault.ts';
import type { AppendOp } from './append-op.ts';

export interface GroupWriter {
  write(op: AppendOp): Promise<AppendWritten>;
  /** Resolves when nothing is under way. */
  drain(): Promise<void>;
}

export type AppendWritten = Readonly<Record<string, unknown>> & { readonly type: string };

/** Carries out a batch in one transaction, and answers in its order. */
export type CommitBatch = (ops: readonly AppendOp[]) => Promise<readonly AppendWritten[]>;

interface Waiting {
  readonly op: AppendOp;
  readonly resolve: (answer: AppendWritten) => void;
  readonly reject: (error: unknown) => void;
}

/** Two statements keep the server busy while this process encodes the next. */
const mostStatements = 2;
const mostTogether = 256;
const mostCharacters = 4_000_000;

export function createGroupWriter(commit: CommitBatch): GroupWriter {
  let waiting: Waiting[] = [];
  let isPlanned = false;
  const busy = new Set<string>();
  const underWay = new Set<Promise<void>>();

  function plan(): void {
    if (isPlanned) return;
    isPlanned = true;
    // After the caller's other appends of this moment.
    queueMicrotask(() => {
      isPlanned = false;
      while (underWay.size < mostStatements) {
        const batch = nextBatch();
        if (batch.length === 0) return;
        const sent = send(batch).finally(() => {
          underWay.delete(sent);
          for (const { op } of batch) busy.delete(op.session);
          plan();
        });
        underWay.add(sent);
      }
    });
  }

  function nextBatch(): readonly Waiting[] {
    const batch: Waiting[] = [];
    const rest: Waiting[] = [];
    let characters = 0;
    let seen = 0;
    for (const one of waiting) {
      if (batch.length >= mostTogether || characters > mostCharacters) break;
      seen += 1;
      if (busy.has(one.op.session)) rest.push(one);
      else {
        busy.add(one.op.session);
        batch.push(one);
        for (const [, , , body] of one.op.records) characters += body.length;
      }
    }
    waiting = rest.concat(waiting.slice(seen));
    return batch.toSorted((a, b) => (a.op.session < b.op.session ? -1 : a.op.session > b.op.session ? 1 : 0));
  }

  async function send(batch: readonly Waiting[]): Promise<void> {
    try {
      const answers = await commit(batch.map(({ op }) => op));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const answer = answers[index];
        if (answer === undefined)
          reject(new Fault('internal', 'The server gave fewer answers than it was asked for.'));
        else resolve(answer);
      }
    } catch (error) {
      if (batch.length === 1 || (error instanceof Fault && error.code !== 'internal')) {
        for (const { reject } of batch) reject(error);
      } else {
        for (const one of batch) await send([one]);
      }
    }
  }

  return {
    write(op) {
      const { promise, resolve, reject } = Promise.withResolvers<AppendWritten>();
      waiting.push({ op, resolve, reject });
      plan();
      return promise;
    },
    async drain() {
      while (underWay.size > 0 || waiting.length > 0) await Promise.allSettled([Promise.resolve(), ...underWay]);
    },
  };
}
