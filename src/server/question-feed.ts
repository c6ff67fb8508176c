/** Changes of open questions, from any process. */
import type { QuestionEntry } from '../ports/journal.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { ListedSubject } from '../views/listed-subject.ts';
import type { WireQuestion } from '../protocol/server-message.ts';
import type { Backend, ServerClock } from './backend.ts';
import { createCommitFeed, type CommitFeed } from './commit-feed.ts';

/** Calls back with a session's open questions on each change. */
export interface QuestionFeed extends CommitFeed<QuestionChange> {
  /** All open questions. Read them after subscribing. */
  all(): Promise<readonly WireQuestion[]>;
}

export interface QuestionChange {
  readonly session: SessionId;
  /** All open questions of the session. Empty after the last answer. */
  readonly questions: readonly WireQuestion[];
}

export function createQuestionFeed(
  backend: Pick<Backend, 'questions' | 'onCommit'>,
  clock: ServerClock,
  onProblem: (error: unknown) => void,
): QuestionFeed {
  /** Open question ids by session: most commits change none. Read once for all subscribers. */
  let titles: Promise<Map<SessionId, string>> | undefined;

  async function look(session: SessionId, tell: (change: QuestionChange) => void): Promise<void> {
    const before = await titles;
    const open = await backend.questions({ session });
    const ids = open.map(({ id }) => id).join(' ');
    if (before === undefined || ids === (before.get(session) ?? '')) return;
    if (ids === '') before.delete(session);
    else before.set(session, ids);
    tell({ session, questions: open.map(wireQuestion) });
  }
  const feed = createCommitFeed<QuestionChange>({
    backend,
    clock,
    onProblem,
    async look(sessions, tell) {
      for (const session of sessions) await look(session, tell);
    },
    onClose: () => (titles = undefined),
  });
  return {
    subscribe(listener) {
      const unsubscribe = feed.subscribe(listener);
      titles ??= readKnown();
      titles.catch(onProblem);
      return unsubscribe;
    },
    all: async () => (await backend.questions()).map(wireQuestion),
    close: feed.close,
  };

  async function readKnown(): Promise<Map<SessionId, string>> {
    const open = Map.groupBy(await backend.questions(), ({ session }) => session);
    return new Map([...open].map(([session, questions]) => [session, questions.map(({ id }) => id).join(' ')]));
  }
}

export function wireQuestion({ about, ...entry }: QuestionEntry): WireQuestion {
  return { ...entry, about: JSON.parse(about) as ListedSubject };
}
