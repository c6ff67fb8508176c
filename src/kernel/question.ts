import type { Time } from './time.ts';
import type { Actor } from './actor.ts';
import type { PermissionOption } from './agent-request.ts';
import type { Body } from './content.ts';
import type { Effect } from './effect.ts';
import type { CallId, QuestionId } from './ids.ts';

/**
 * A question is data in the journal: any client with the right may answer it, now or after a
 * restart; the first answer wins. It stays open until it is answered, expires, or its turn is cancelled.
 */
export interface Question {
  readonly id: QuestionId;
  readonly openedAt: number;
  readonly expiresAt?: Time;
  readonly about: QuestionSubject;
}

export type QuestionSubject =
  | {
      readonly type: 'approval';
      readonly call: CallId;
      readonly tool: string;
      /** The rule that asked, and why. */
      readonly rule: string;
      readonly reason: string;
      /** The most dangerous part that a person must decide about. */
      readonly unit?: string;
      readonly effect?: Effect;
      /** How many parts the call has, where it has several. */
      readonly parts?: number;
      /** What "allow for this session" would add. */
      readonly grants: readonly string[];
      /** Asked by an external agent, about a call of its own: the request's key, and the answers it offers. */
      readonly request?: string;
      readonly title?: string;
      readonly options?: readonly PermissionOption[];
    }
  | { readonly type: 'reply-review'; readonly reply: number }
  /** The outcome of an effect is unknown after a crash: may it run again? */
  | { readonly type: 'repeat'; readonly what: string; readonly call?: CallId; readonly reason: string }
  | {
      readonly type: 'clarification';
      readonly text: Body;
      readonly options: readonly string[];
      readonly call?: CallId;
    }
  | {
      readonly type: 'form';
      readonly title: string;
      readonly schema: unknown;
      /** Nothing is to be filled in here, but something done at this address: a yes says that it was. */
      readonly url?: string;
      readonly call?: CallId;
      /** Asked by an external agent: the request's key. */
      readonly request?: string;
    };

/** What a person or program says to a question; which of them fit depends on the question. */
export type Answer =
  | { readonly type: 'allow-once' }
  | { readonly type: 'allow-session' }
  | { readonly type: 'allow-always' }
  | { readonly type: 'reject'; readonly reason?: string }
  | { readonly type: 'option'; readonly option: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'form'; readonly form: unknown };

/** `superseded`: whoever asked was started again and asked something else. */
export type ClosingReason = 'expired' | 'cancelled' | 'superseded';

/** How a question ended, kept for the latest ones so that a second answer can be told about the first. */
export interface ClosedQuestion {
  readonly id: QuestionId;
  readonly by: Actor;
  readonly at: number;
  readonly ending: Answer['type'] | ClosingReason;
}

/** Whether an answer is of a kind that fits the question. */
export function isFittingAnswer(subject: QuestionSubject, answer: Answer): boolean {
  switch (subject.type) {
    case 'approval':
      if (answer.type === 'option') return subject.options?.some(({ id }) => id === answer.option) === true;
      return isApproval(answer);
    case 'reply-review':
    case 'repeat':
      return answer.type === 'allow-once' || answer.type === 'reject';
    case 'clarification':
      return (
        answer.type === 'text' ||
        answer.type === 'reject' ||
        (answer.type === 'option' && subject.options.includes(answer.option))
      );
    case 'form':
      if (subject.url !== undefined && answer.type === 'allow-once') return true;
      return answer.type === 'form' || answer.type === 'reject';
  }
}

/** An answer as words. */
export function answerText(answer: Answer): string {
  switch (answer.type) {
    case 'option':
      return answer.option;
    case 'text':
      return answer.text;
    case 'form':
      return JSON.stringify(answer.form);
    case 'reject':
      return answer.reason ?? 'The user declined to answer.';
    case 'allow-once':
    case 'allow-session':
    case 'allow-always':
      return 'yes';
  }
}

function isApproval(answer: Answer): boolean {
  return (
    answer.type === 'allow-once' ||
    answer.type === 'allow-session' ||
    answer.type === 'allow-always' ||
    answer.type === 'reject'
  );
}
