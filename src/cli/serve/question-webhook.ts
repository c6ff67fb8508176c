/** Tells an address that a question opened: which and where, never what it is about. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { Recorded } from '../../kernel/event.ts';
import { questionIdOf, type SessionId } from '../../kernel/ids.ts';
import type { Logger } from '../../runtime/logger.ts';

export interface QuestionWebhook {
  saw(session: SessionId, recorded: Recorded): void;
  servedAt(url: string): void;
}

const attempts = 3;
const timeoutMs = 5000;
const mostAtOnce = 20;

export function createQuestionWebhook(address: string, logger: Logger): QuestionWebhook {
  let url = '';
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
          return logger.log('warn', 'the webhook could not be told of a question', { error: String(error) });
        }
        await sleep(500 * 2 ** attempt);
      }
    }
  }

  return {
    servedAt: (at) => (url = at),
    saw(session, { event, seq, at }) {
      if (event.type !== 'question-opened' || running >= mostAtOnce) return;
      running += 1;
      const question = questionIdOf(session, seq);
      const body = { type: 'question-opened', session, question, kind: event.about.type, at, url: `${url}/` };
      void tell(JSON.stringify(body)).finally(() => (running -= 1));
    },
  };
}
