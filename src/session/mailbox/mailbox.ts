/**
 * The letters that wait for a live session, and the loop that processes them.
 *
 * 1. Letters are processed in order. Content that is being written to a blob delays everything after it.
 * 2. Letters that arrive during a batch make up the next batch.
 * 3. A batch contains one of several letters with the same key. The others wait for its outcome.
 * 4. A closed mailbox rejects all letters, including later ones.
 */
import type { Fault } from '../../kernel/fault.ts';
import { withoutRepeats, type Letter, type LetterSender } from './letter.ts';

export interface Mailbox {
  letters: Letter[];
  /** Inputs that aren't complete yet. Never rejects. */
  intake: Promise<void> | undefined;
  draining: Promise<void> | undefined;
  isDraining: boolean;
  /** Why it no longer accepts letters. */
  closed: Fault | undefined;
}

export interface LetterHandler {
  /** Undefined if the letters cause no event. */
  readonly handle: (letters: readonly Letter[]) => Promise<void> | undefined;
  /** `senders`: the senders of the failed inputs. */
  readonly failed: (error: unknown, senders: readonly LetterSender[]) => void;
}

export function newMailbox(): Mailbox {
  return { letters: [], intake: undefined, draining: undefined, isDraining: false, closed: undefined };
}

export function isMailboxEmpty({ letters, intake }: Mailbox): boolean {
  return letters.length === 0 && intake === undefined;
}

/** Runs work that never rejects, after everything that arrived before it. */
export function afterIntake(mailbox: Mailbox, work: () => Promise<void>): void {
  const chained = (mailbox.intake ?? Promise.resolve()).then(work);
  mailbox.intake = chained;
  void chained.then(() => {
    if (mailbox.intake === chained) mailbox.intake = undefined;
  });
}

export function putLetter(mailbox: Mailbox, letter: Letter, handler: LetterHandler): void {
  // Content that was being written to a blob may arrive after the mailbox closed.
  if (mailbox.closed !== undefined) return letter.sender.reject?.(mailbox.closed);
  // Later inputs are decided on what really runs.
  if (letter.recovers) mailbox.letters.unshift(letter);
  else mailbox.letters.push(letter);
  startDraining(mailbox, handler);
}

export function closeMailbox(mailbox: Mailbox, why: Fault): void {
  mailbox.closed ??= why;
  for (const { sender } of mailbox.letters) sender.reject?.(mailbox.closed);
  mailbox.letters = [];
}

/** Letters that cause no event are handled synchronously, without a promise. */
export function startDraining(mailbox: Mailbox, handler: LetterHandler): void {
  if (!mailbox.isDraining) mailbox.draining = drain(mailbox, handler);
}

async function drain(mailbox: Mailbox, { handle, failed }: LetterHandler): Promise<void> {
  let letters: readonly Letter[] = [];
  mailbox.isDraining = true;
  try {
    while (mailbox.letters.length > 0) {
      letters = takeBatch(mailbox);
      const handling = handle(letters);
      if (handling !== undefined) await handling;
    }
  } catch (error) {
    failed(
      error,
      letters.map(({ sender }) => sender),
    );
  } finally {
    mailbox.isDraining = false;
  }
}

function takeBatch(mailbox: Mailbox): readonly Letter[] {
  const all = mailbox.letters;
  const batch = all.length === 1 ? all : withoutRepeats(all);
  mailbox.letters = batch.length === all.length ? [] : all.filter((letter) => !batch.includes(letter));
  return batch;
}
