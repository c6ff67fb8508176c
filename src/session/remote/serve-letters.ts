/**
 * Takes letters that other processes sent to a session that is alive here (O8).
 *
 * 1. Letters are taken one by one, in order. The resulting append settles each.
 * 2. Letters that arrive during a round are taken in the next one: nobody needs to call twice.
 * 3. An unreadable letter goes to the dead letters and blocks nothing. One of an unknown kind is refused; if a newer
 *    Rondo sent it, the answer is that this one needs an upgrade.
 */
import type { Inbox, InboxMessage } from '../../ports/inbox.ts';
import type { Actor } from '../../kernel/actor.ts';
import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { InputBody } from '../../kernel/input.ts';
import type { Step } from '../../kernel/decide/step.ts';
import { timeAt } from '../../kernel/time.ts';
import { loadEventCheck } from '../../journal/event-schema/check-event.ts';
import { readerVersion } from '../../journal/reader-version.ts';
import { isInputType } from './input-types.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { Receipt } from '../receipt.ts';

/** An inbox message's content, written by Rondo in another process of the same store. */
export interface InboxLetter {
  readonly body: InputBody;
  readonly by: Actor;
  /** The digest of what the message's key stands for. */
  readonly digest?: string;
  /** The sender's reader version. Absent: 1. */
  readonly reader?: number;
}

interface LetterService {
  /** Takes the waiting letters. Rejects if the inbox can't be read or the session is suspended. */
  serve(live: LiveSession): Promise<void>;
}

export function createLetterService(inbox: Inbox, step: Step): LetterService {
  const serving = new Map<SessionId, { promise: Promise<void>; again: boolean }>();

  async function serveAll(live: LiveSession): Promise<void> {
    for (const message of await inbox.take(live.id)) await serveOne({ inbox, step }, live, message);
  }

  return {
    serve(live) {
      const current = serving.get(live.id);
      if (current !== undefined) {
        current.again = true;
        return current.promise;
      }
      const round = { promise: Promise.resolve(), again: true };
      round.promise = (async () => {
        try {
          while (round.again) {
            round.again = false;
            await serveAll(live);
          }
        } finally {
          // Synchronously after the loop: a letter that arrives next must start a new round.
          serving.delete(live.id);
        }
      })();
      serving.set(live.id, round);
      return round.promise;
    },
  };
}

async function serveOne(
  { inbox, step }: { readonly inbox: Inbox; readonly step: Step },
  live: LiveSession,
  message: InboxMessage,
): Promise<void> {
  const letter = readLetter(message.body);
  if (letter === undefined) return inbox.bury(message.id, refusedAs('The letter can’t be read.'));
  const { body, reader = 1, ...from } = letter;
  const { type }: { readonly type: string } = body;
  if (!isInputType(type)) return inbox.bury(message.id, refusedAs(unknownKind(type, reader)));
  try {
    // A step has no effect, so a trial step finds letters that would fail or write unreadable data before they are
    // taken.
    const { events } = step(live.state, { ...body, by: from.by, at: timeAt(live.state.updatedAt) });
    const check = await loadEventCheck();
    const problem = events.map(check).find((words) => words !== undefined);
    if (problem !== undefined) throw new TypeError(problem);
    await live.take(body, { ...from, key: message.key }, message.id);
  } catch (error) {
    if (error instanceof Fault) throw error;
    await inbox.bury(message.id, refusedAs(`The input is invalid: ${String(error)}`));
  }
}

function unknownKind(type: string, reader: number): string {
  if (reader <= readerVersion) return `Unknown kind of input: ${type}.`;
  return (
    `Needs upgrade: the session's node doesn't know the input "${type}". It has reader version ${readerVersion}, ` +
    `and the sender's is ${reader}. Upgrade that node and send it again.`
  );
}

function refusedAs(reason: string): { readonly answer: string; readonly reason: string } {
  const receipt: Receipt = { type: 'refused', refusal: { code: 'invalid', message: reason } };
  return { answer: JSON.stringify(receipt), reason };
}

/** Undefined if it can't be read. */
export function readLetter(text: string): InboxLetter | undefined {
  try {
    const letter = JSON.parse(text) as Partial<InboxLetter> | null;
    const isLetter = typeof letter?.body?.type === 'string' && typeof letter.by?.type === 'string';
    return isLetter ? (letter as InboxLetter) : undefined;
  } catch {
    return undefined;
  }
}
