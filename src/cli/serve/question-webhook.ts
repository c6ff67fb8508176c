/**
 * Notifies a URL of each new question in any process of this store. Sends which question and where to answer it,
 * never its content.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { QuestionEntry } from '../../ports/journal.ts';
import type { Rondo } from '../../rondo.ts';
import type { Logger } from '../../ports/logger.ts';

interface WebhookParts {
  readonly rondo: Pick<Rondo, 'questions' | 'onCommit'>;
  readonly url: string;
  readonly logger: Logger;
}

const attempts = 3;
const timeoutMs = 5000;
const mostAtOnce = 20;
const lookAfterMs = 100;

/** `url` is where the question can be answered. Resolves once it watches, with a function that stops it. */
export function watchQuestions(
  address: string,
  { rondo: { questions, onCommit }, url, logger }: WebhookParts,
): Promise<() => void> {
  let running = 0;

  async function tell(body: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await fetch(address, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
          redirect: 'error',
          signal: AbortSignal.timeout(timeoutMs),
        });
        await answer.body?.cancel();
        if (answer.ok) return;
        throw new Error(`it answered ${answer.status}`);
      } catch (error) {
        if (attempt >= attempts) {
          return logger.log('warn', "can't deliver a question to the webhook", { error: String(error) });
        }
        await sleep(500 * 2 ** attempt);
      }
    }
  }

  function questionOpened({ id, session, type, openedAt }: QuestionEntry): void {
    if (running >= mostAtOnce) return;
    running += 1;
    const body = { type: 'question-opened', session, question: id, kind: type, at: openedAt, url: `${url}/` };
    void tell(JSON.stringify(body)).finally(() => (running -= 1));
  }

  /**
   * Skips questions open at start: the previous server reported them, or the user who started this one has seen
   * them.
   */
  async function watch(): Promise<() => void> {
    let ids = new Set((await questions()).map(({ id }) => id));
    let timer: NodeJS.Timeout | undefined;
    const look = async () => {
      timer = undefined;
      const open = await questions();
      for (const question of open) if (!ids.has(question.id)) questionOpened(question);
      ids = new Set(open.map(({ id }) => id));
    };
    const stop = onCommit(() => {
      timer ??= setTimeout(() => {
        look().catch((error: unknown) =>
          logger.log('warn', "can't look for questions to deliver", { error: String(error) }),
        );
      }, lookAfterMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }

  return watch();
}
