/** Asks questions on the terminal, one at a time. */
import { createInterface } from 'node:readline/promises';

import type { Store } from '../../ports/store.ts';
import type { Body } from '../../kernel/content.ts';
import type { QuestionId, SessionId } from '../../kernel/ids.ts';
import type { Answer } from '../../kernel/question.ts';
import type { Approver } from '../../runtime/capabilities.ts';
import { oneLine } from '../../views/one-line.ts';
import { openQuestionOf, type OpenQuestion } from '../../views/open-question.ts';
import { answeredText } from '../../wording/answer.ts';
import { uncapital } from '../../wording/capital.ts';
import { effectHeading } from '../../wording/effect-heading.ts';
import type { TonePaint } from '../../wording/terminal-style.ts';
import { askAnswer } from '../sessions/ask-answer.ts';
import { requestLines } from '../sessions/request-lines.ts';
import { untilRead } from '../sessions/until-read.ts';
import { terminalOf } from '../terminal.ts';

export interface InlineApprover {
  /** An empty line or the end of input leaves the question open for others. */
  readonly approver: Approver;
  /** Call it when a question was answered, here or elsewhere, or is obsolete. */
  closed(question: QuestionId, answer?: Answer): void;
  /** Asks the questions that are still open: a stored answer may have settled one during the start. */
  begin(session: SessionId, open: readonly QuestionId[]): void;
}

export interface InlineApproverParts {
  /** Clears the line for the question. */
  readonly beforeAsking: () => void;
  /** Holds long texts. Open by the time of the first question. */
  readonly store: Promise<Store>;
}

export function createInlineApprover({ beforeAsking, store }: InlineApproverParts): InlineApprover {
  const read = async (body: Body) =>
    typeof body === 'string' ? body : ((await (await store).blobs.get(body.blob)) ?? body.preview);
  const begun = Promise.withResolvers<void>();
  let turn: Promise<unknown> = begun.promise;
  const pending = new Map<QuestionId, { readonly session: SessionId; readonly controller: AbortController }>();
  return {
    approver(question, state) {
      const controller = new AbortController();
      pending.set(question.id, { session: state.id, controller });
      const asked = turn.then(async () => {
        if (controller.signal.aborted) return undefined;
        const asked = openQuestionOf(question, state);
        const place = { read, cwd: state.cwd, columns: terminalOf(process.stderr).width, env: process.env };
        const card = await requestLines(asked, place);
        if (controller.signal.aborted) return undefined;
        beforeAsking();
        const answer = await askOnTerminal(asked, card, controller.signal);
        const { paint } = terminalOf(process.stderr);
        if (answer !== undefined) process.stderr.write(`${answeredLine(asked, answer, paint)}\n`);
        const elsewhere = controller.signal.aborted ? (controller.signal.reason as Elsewhere).answer : undefined;
        if (elsewhere !== undefined)
          process.stderr.write(
            `${answeredLine(asked, elsewhere, paint)} ${paint.quiet('(answered elsewhere)')}\n`,
          );
        return answer;
      });
      turn = asked.catch(() => undefined);
      return asked.finally(() => pending.delete(question.id));
    },
    closed: (question, answer) => pending.get(question)?.controller.abort({ answer } satisfies Elsewhere),
    begin(session, open) {
      for (const [question, { session: asking, controller }] of pending) {
        if (asking === session && !open.includes(question)) controller.abort({} satisfies Elsewhere);
      }
      begun.resolve();
    },
  };
}

/** `✓ Allowed once: edits src/a.ts` */
export function answeredLine(question: OpenQuestion, answer: Answer, paint: TonePaint): string {
  const heading = oneLine(effectHeading(question));
  const about = question.about.type === 'approval' ? uncapital(heading) : heading;
  const mark = answer.type === 'reject' ? paint.quiet('■') : paint.good('✓');
  return `${mark} ${answeredText(answer)}: ${paint.quiet(about)}`;
}

/** Why the line that waits for an answer ends without one. No answer: the question was withdrawn. */
interface Elsewhere {
  readonly answer?: Answer | undefined;
}

async function askOnTerminal(
  question: OpenQuestion,
  card: readonly string[],
  signal: AbortSignal,
): Promise<Answer | undefined> {
  process.stderr.write(`\n${card.join('\n')}\n`);
  await untilRead();
  if (signal.aborted) return undefined;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
  // The line editor intercepts Ctrl+C. Give it the same meaning as elsewhere in a run.
  let isInterrupted = false;
  lines.on('SIGINT', () => {
    isInterrupted = true;
    lines.close();
    process.emit('SIGINT');
  });
  const closed = new Promise<undefined>((resolve) =>
    signal.addEventListener('abort', () => resolve(undefined), { once: true }),
  );
  try {
    const answer = await askAnswer(question, (prompt) =>
      Promise.race([lines.question(prompt).catch(() => ended), ended, closed]),
    );
    if (answer === 'skipped') return undefined;
    if (answer !== undefined) return answer;
    process.stderr.write('\n');
    // The interrupt closes the question. Until then, don't leave it to others.
    return isInterrupted ? await closed : undefined;
  } finally {
    lines.close();
  }
}
