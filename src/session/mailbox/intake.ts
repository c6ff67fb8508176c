/** Turns an input into a letter of a live session: completed, stamped, in the order of arrival. */
import type { Blobs } from '../../ports/blobs.ts';
import { host, type Actor } from '../../kernel/actor.ts';
import type { InputBody } from '../../kernel/input.ts';
import type { State } from '../../kernel/state.ts';
import type { Step } from '../../kernel/decide/step.ts';
import { timeAt } from '../../kernel/time.ts';
import type { Commits } from './commit-letters.ts';
import { completeInput } from './complete-input.ts';
import { describeAgain, recoveryUnder } from './describe-again.ts';
import type { Interpreter } from '../../ports/interpreter.ts';
import type { EffectHost } from '../../ports/effect-host.ts';
import { recordKey, nobody, type Letter, type LetterSender, type Sender } from './letter.ts';
import { afterIntake, putLetter, type LetterHandler, type Mailbox } from './mailbox.ts';
import type { PromptReceipt, Receipt } from '../receipt.ts';
import { newUnwrittenBlobs, putRemembered } from './unwritten-blobs.ts';

export interface Intake {
  readonly mailbox: Mailbox;
  readonly handler: LetterHandler;
  readonly context: EffectHost;
  readonly commits: Commits;
  readonly interpreter: Interpreter;
  readonly blobs: Blobs;
  readonly now: () => number;
}

export function acceptInput(intake: Intake, body: InputBody, by: Actor, sender: LetterSender): void {
  const { mailbox, commits, context, interpreter, blobs } = intake;
  if (mailbox.closed !== undefined) return sender.reject?.(mailbox.closed);
  const complete = completeInput(body, context, {
    interpreter,
    put: (content) => putRemembered((commits.unwritten ??= newUnwrittenBlobs()), blobs, content),
  });
  if (mailbox.intake === undefined && !(complete instanceof Promise)) return put(intake, complete, by, sender);
  // Handled below in order. Until then nothing awaits it, and it must not count as unhandled.
  if (complete instanceof Promise) complete.catch(() => undefined);
  afterIntake(mailbox, async () => {
    try {
      put(intake, await complete, by, sender);
    } catch (error) {
      intake.handler.failed(error, [sender]);
    }
  });
}

export function sendInto(
  intake: Intake,
  body: InputBody,
  from: Sender,
  how: Pick<LetterSender, 'watch' | 'letter'>,
): Promise<PromptReceipt> {
  return new Promise((resolve, reject) => {
    acceptInput(intake, body, from.by, { resolve, reject, key: recordKey(body, from), ...how });
  });
}

/** Puts a recovery before all waiting letters: later inputs are decided on what really runs. */
export function recoverFirst(intake: Intake): Promise<Receipt> {
  const { mailbox, commits, context, interpreter } = intake;
  const body = recoveryUnder(commits.claim, commits);
  return new Promise((resolve, reject) => {
    // Inputs that arrive while the calls are being described wait behind the recovery.
    afterIntake(mailbox, async () => {
      try {
        const described = await describeAgain(body, context, interpreter);
        put(intake, described, host, { ...nobody, resolve, reject }, { recovers: true });
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** A new session's setup, stepped before it is written: the first input needs its state. */
export function letterAhead(
  { body, by }: { readonly body: InputBody; readonly by: Actor },
  state: State,
  { step, now }: { readonly step: Step; readonly now: () => number },
): Letter {
  const input = { ...body, at: timeAt(now()), by };
  return { input, sender: nobody, ahead: step(state, input) };
}

function put(
  { mailbox, handler, context, now }: Intake,
  body: InputBody,
  by: Actor,
  sender: LetterSender,
  as?: Pick<Letter, 'recovers'>,
): void {
  const { limits, updatedAt } = context.state;
  const input = {
    ...body,
    at: timeAt(Math.max(now(), updatedAt)),
    by,
    ...(limits.wallTimeMs !== undefined && { bootTime: context.bootTime() }),
  };
  putLetter(mailbox, { input, sender, ...as }, handler);
}
