import type { Time } from './time.ts';
import type { Actor } from './actor.ts';
import type { PermissionOption } from './agent-request.ts';
import type { Body } from './content.ts';
import type { Effect } from './effect.ts';
import type { CallId, QuestionId } from './ids.ts';

/**
 * A question is data in the journal. Any client with the right may answer it, now or after a restart, and the first
 * answer wins. It stays open until it is answered, expires, or its turn is cancelled.
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
      /** The rule that asked, and its reason. */
      readonly rule: string;
      readonly reason: string;
      /** The most dangerous part of the call. */
      readonly unit?: string;
      readonly effect?: Effect;
      /** The number of parts, if more than one. */
      readonly parts?: number;
      /** The parts that a rule allows, so only the others ask. */
      readonly covered?: readonly CoveredPart[];
      /** The rules that "allow for this session" would add. */
      readonly grants: readonly string[];
      /** For an external agent's own call: the request's key and the offered answers. */
      readonly request?: string;
      readonly title?: string;
      readonly options?: readonly PermissionOption[];
    }
  | { readonly type: 'reply-review'; readonly reply: number }
  /** An effect's outcome is unknown after a crash: may it run again? */
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
      /** The person acts at this URL instead of filling in a form; a yes confirms it. */
      readonly url?: string;
      readonly call?: CallId;
      /** The key of an external agent's request. */
      readonly request?: string;
      /** A yes permits something, such as spending. Only people give it. */
      readonly permits?: true;
    };

/** A part of a command and the rule that allows it, or the name of a built-in one. */
export interface CoveredPart {
  readonly part: string;
  readonly rule: string;
}

/** An answer. The question determines which types fit. */
export type Answer =
  | { readonly type: 'allow-once' }
  /** Runs the call once, with these arguments instead of its own. Denials still apply. */
  | { readonly type: 'allow-edited'; readonly args: Body }
  | { readonly type: 'allow-session' }
  | { readonly type: 'allow-always' }
  | { readonly type: 'reject'; readonly reason?: string }
  | { readonly type: 'option'; readonly option: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'form'; readonly form: unknown };

/** `superseded`: a restarted agent asked something else. */
export type ClosingReason = 'expired' | 'cancelled' | 'superseded';

/** How a question ended. The latest ones are kept to inform a second answerer. */
export interface ClosedQuestion {
  readonly id: QuestionId;
  readonly by: Actor;
  readonly at: number;
  readonly ending: Answer['type'] | ClosingReason;
}

/** Whether the type of an answer fits the question. */
export function isFittingAnswer(subject: QuestionSubject, answer: Answer): boolean {
  switch (subject.type) {
    case 'approval':
      if (answer.type === 'option') return subject.options?.some(({ id }) => id === answer.option) === true;
      // An external agent runs its call itself, as it asked for it.
      return isApproval(answer) || (answer.type === 'allow-edited' && subject.request === undefined);
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

/** An answer as text. */
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
    case 'allow-edited':
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
