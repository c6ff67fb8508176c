/** Faults that explain to waiting callers why a live session can't continue. */
import type { AppendAnswer } from '../../ports/journal.ts';
import { Fault } from '../../kernel/fault.ts';
import type { EffectId, SessionId } from '../../kernel/ids.ts';

export function refusedAppend(
  session: SessionId,
  answer: Extract<AppendAnswer, { type: 'conflict' | 'fenced' | 'damaged' | 'created-before' | 'origin-missing' }>,
  expected: number,
): Fault {
  switch (answer.type) {
    case 'conflict':
      if (answer.seq < expected) {
        return new Fault(
          'damaged',
          `Can't write to session ${session}: the store acknowledged ${expected} events and now has ${answer.seq}. It lost writes, or an older copy replaced it. Nothing more is done; check the store before you open the session again.`,
        );
      }
      return new Fault(
        'closed',
        `Can't write to session ${session}: another process has written up to event ${answer.seq}. Open it again.`,
      );
    case 'created-before':
      return new Fault(
        'closed',
        `Can't create session ${session}: its key already created session ${answer.session}. Nothing was written.`,
      );
    case 'origin-missing':
      return new Fault(
        'not-found',
        `Can't create session ${session}: session ${answer.session}, which it continues, was removed. Nothing was written.`,
      );
    case 'fenced':
      return new Fault(
        'closed',
        `Can't write to session ${session}: another process owns it now (epoch ${answer.epoch}). Nothing was written.`,
      );
    case 'damaged':
      return new Fault(
        'damaged',
        `Can't write to session ${session}: its journal is damaged at event ${answer.damage.seq} (${answer.damage.reason}). ` +
          'It can be read up to there; run `rondo doctor --repair`.',
      );
  }
}

/** For callers that wait for a session when this process releases it. */
export function releasedFault(session: SessionId): Fault {
  const message = `This process no longer holds session ${session}: it was closed here, handed over, or taken over by another process. Nothing recorded is lost. Resume with: rondo run --session ${session}`;
  return new Fault('closed', message);
}

/** A tool that was stopped with the lease still runs, so this process can't continue the session. */
export function unended(session: SessionId, effects: readonly EffectId[]): Fault {
  return new Fault(
    'closed',
    `Session ${session} stopped here: ${effects.join(', ')} still ran after this process had lost its lease for a ` +
      `while. Nothing recorded is lost. The next process that opens it ends what runs: rondo run --session ${session}`,
  );
}

export function asFault(session: SessionId, error: unknown): Fault {
  if (error instanceof Fault) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new Fault(
    'internal',
    `Session ${session} stopped on an internal error: ${message}. Its records are kept; open it again to resume.`,
    { cause: error },
  );
}
