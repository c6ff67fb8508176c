import { expireAgentQuestion, requestOf } from './answer-agent.ts';
import { declineTool, isToolForm } from './decide-tool-asked.ts';
import { emit, type Draft, type Refusal } from './draft.ts';
import { endTurn, stoppedLoop } from './end-turn.ts';
import type { EffectId } from '../ids.ts';
import type { Question } from '../question.ts';
import { settleAsKilled } from './settle-lost.ts';
import { turnOf } from '../state.ts';

/** Ignores a timer whose wait already ended. */
export function decideTime(draft: Draft, effect: EffectId): Refusal | undefined {
  const wait = draft.state.waits.find((pending) => pending.effect === effect);
  if (wait === undefined) return undefined;
  emit(draft, { type: 'wait-ended', effect });
  switch (wait.why) {
    case 'error-pause':
    case 'provider-reset':
      return undefined;
    case 'wall-time':
      endTurn(draft, {
        type: 'timed-out',
        message: `The turn reached its limit of ${draft.state.limits.wallTimeMs} ms.`,
      });
      return undefined;
    case 'cancel-grace':
      settleAsKilled(draft);
      return undefined;
    case 'question-expiry':
      for (const question of draft.state.questions) {
        if (question.expiresAt !== undefined && question.expiresAt <= wait.until) expire(draft, question);
      }
      return undefined;
  }
}

/** The pause ends as if its time had come. Its timer then finds no wait. */
export function decideRetry(draft: Draft): Refusal | undefined {
  const pause = draft.state.waits.find(({ why }) => why === 'error-pause' || why === 'provider-reset');
  if (pause === undefined) return { code: 'conflict', message: "The session isn't waiting for its provider." };
  emit(draft, { type: 'wait-ended', effect: pause.effect });
  return undefined;
}

function expire(draft: Draft, { id, about }: Question): void {
  emit(draft, { type: 'question-closed', question: id, reason: 'expired' });
  const unanswered = 'Nobody answered in time.';
  if (isToolForm(about)) return declineTool(draft, about);
  if (requestOf(about) !== undefined) return expireAgentQuestion(draft, about, unanswered);
  switch (about.type) {
    case 'approval':
      emit(draft, {
        type: 'call-refused',
        call: about.call,
        code: 'expired',
        reason: unanswered,
        rule: about.rule,
      });
      return;
    case 'clarification':
    case 'form':
      if (about.call !== undefined) {
        emit(draft, {
          type: 'tool-settled',
          call: about.call,
          result: { type: 'error', code: 'expired', message: unanswered },
        });
      }
      return;
    case 'reply-review':
      return endTurn(draft, {
        type: 'failed',
        code: 'reply-rejected',
        message: `${unanswered} The reply was not approved.`,
      });
    case 'repeat':
      if (turnOf(draft.state)?.activity.type === 'asking-loop') return endTurn(draft, stoppedLoop(unanswered));
      if (about.call === undefined) {
        return endTurn(draft, {
          type: 'failed',
          code: 'crash-loop',
          message: `${unanswered} The call was not tried again.`,
        });
      }
      emit(draft, {
        type: 'tool-settled',
        call: about.call,
        result: {
          type: 'error',
          code: 'interrupted',
          message: `This call was cut off and may or may not have taken effect. ${unanswered}`,
        },
      });
      return;
  }
}
