/** Questions asked on the terminal, one at a time. */
import { createInterface } from 'node:readline/promises';

import type { QuestionId } from '../../kernel/ids.ts';
import type { Answer } from '../../kernel/question.ts';
import type { Approver } from '../../runtime/capabilities.ts';
import { answerFrom, choicesFor } from '../../terminal/line-answer.ts';
import { openQuestionOf, type OpenQuestion } from '../../views/open-question.ts';
import { questionText } from '../../views/question-text.ts';
import { terminalOf } from '../terminal.ts';
import { printable } from '../../views/printable.ts';

export interface InlineApprover {
  /** An empty line or the end of input leaves the question open for others. */
  readonly approver: Approver;
  /** Somebody else answered, or there is nothing to answer any more. */
  closed(question: QuestionId): void;
}

/** `beforeAsking` clears what stands where the question will. */
export function createInlineApprover(beforeAsking: () => void): InlineApprover {
  let turn: Promise<unknown> = Promise.resolve();
  const pending = new Map<QuestionId, AbortController>();
  return {
    approver(question, state) {
      const controller = new AbortController();
      pending.set(question.id, controller);
      const asked = turn.then(async () => {
        if (controller.signal.aborted) return undefined;
        beforeAsking();
        return askOnTerminal(openQuestionOf(question, state), controller.signal);
      });
      turn = asked.catch(() => undefined);
      return asked.finally(() => pending.delete(question.id));
    },
    closed: (question) => pending.get(question)?.abort(),
  };
}

async function askOnTerminal(question: OpenQuestion, signal: AbortSignal): Promise<Answer | undefined> {
  const { paint } = terminalOf(process.stderr);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
  // The line editor takes Ctrl+C from the terminal; it means what it means anywhere else in a run.
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
    const words = `\n${paint.warning(printable(questionText(question)))}\n${choicesFor(question.about)} `;
    const said = await Promise.race([lines.question(words).catch(() => ended), ended, closed]);
    if (said !== undefined) return answerFrom(question.about, said.trim());
    process.stderr.write('\n');
    // The interrupt closes the question; until then it is not left to others.
    return isInterrupted ? await closed : undefined;
  } finally {
    lines.close();
  }
}
