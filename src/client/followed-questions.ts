/** The open questions of all sessions, kept current by what the server pushes. */
import type { QuestionsMessage, WireQuestion } from '../protocol/server-message.ts';

type Listener = (questions: readonly WireQuestion[]) => void;

interface FollowedQuestions {
  readonly isFollowed: boolean;
  follow(listener: Listener): void;
  take(message: QuestionsMessage): void;
}

export function createFollowedQuestions(): FollowedQuestions {
  let questions: readonly WireQuestion[] = [];
  let notify: Listener | undefined;
  return {
    get isFollowed() {
      return notify !== undefined;
    },
    follow: (listener) => (notify = listener),
    take(message) {
      const others = message.kind === 'page' ? [] : questions.filter(({ session }) => session !== message.session);
      questions = [...others, ...message.questions].toSorted((a, b) => a.openedAt - b.openedAt);
      notify?.(questions);
    },
  };
}
