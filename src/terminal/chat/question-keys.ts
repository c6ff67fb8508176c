import type { Answer, QuestionSubject } from '../../kernel/question.ts';

export type KeyMeaning =
  | { readonly type: 'answer'; readonly answer: Answer }
  /** The user types the reason next. */
  | { readonly type: 'give-reason' }
  | { readonly type: 'nothing' };

/** The meaning of one key for a question. Invalid keys mean nothing. */
export function keyMeaning(about: QuestionSubject, key: string): KeyMeaning {
  const answer = (given: Answer): KeyMeaning => ({ type: 'answer', answer: given });
  switch (about.type) {
    case 'clarification': {
      const option = /^[1-9]$/.test(key) ? about.options[Number(key) - 1] : undefined;
      return option === undefined ? { type: 'nothing' } : answer({ type: 'option', option });
    }
    case 'form':
      if (about.url !== undefined && key === 'y') return answer({ type: 'allow-once' });
      if (about.url !== undefined && key === 'n') return answer({ type: 'reject' });
      return { type: 'nothing' };
    case 'approval':
    case 'reply-review':
    case 'repeat': {
      const mayWiden = about.type === 'approval' && about.grants.length > 0;
      if (key === 'y') return answer({ type: 'allow-once' });
      if (key === 'n') return answer({ type: 'reject' });
      if (key === 'r') return { type: 'give-reason' };
      if (mayWiden && (key === 's' || key === 't')) return answer({ type: 'allow-session' });
      if (mayWiden && key === 'a') return answer({ type: 'allow-always' });
      return { type: 'nothing' };
    }
  }
}
