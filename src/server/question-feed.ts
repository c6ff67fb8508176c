/** Changes of open questions, from any process. Each changed session is looked up once for all subscribers. */
import type { QuestionEntry } from '../ports/journal.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { QuestionSubject } from '../kernel/question.ts';
import type { WireQuestion } from '../protocol/server-message.ts';
import type { Backend, ServerClock } from './backend.ts';

export interface QuestionFeed {
  /** Calls back with a session's open questions on each change. The returned function unsubscribes. */
  subscribe(listener: (change: QuestionChange) => void): () => void;
  /** All open questions. Read them after subscribing. */
  all(): Promise<readonly WireQuestion[]>;
  close(): void;
}

export interface QuestionChange {
  readonly session: SessionId;
  /** All open questions of the session. Empty after the last answer. */
  readonly questions: readonly WireQuestion[];
}

const gatherMs = 50;

export function createQuestionFeed(
  backend: Pick<Backend, 'questions' | 'onCommit'>,
  clock: ServerClock,
  onProblem: (error: unknown) => void,
): QuestionFeed {
  const listeners = new Set<(change: QuestionChange) => void>();
  /** Open question ids by session: most commits change none. Read once for all subscribers. */
  let known: Promise<Map<SessionId, string>> | undefined;
  let changed = new Set<SessionId>();
  let off: (() => void) | undefined;
  let disarm: (() => void) | undefined;

  async function look(session: SessionId): Promise<void> {
    const before = await known;
    const open = await backend.questions({ session });
    const ids = open.map(({ id }) => id).join(' ');
    if (before === undefined || ids === (before.get(session) ?? '')) return;
    if (ids === '') before.delete(session);
    else before.set(session, ids);
    const questions = open.map(wireQuestion);
    for (const listener of listeners) listener({ session, questions });
  }
  async function tell(): Promise<void> {
    disarm = undefined;
    const sessions = [...changed];
    changed = new Set();
    for (const session of sessions) await look(session);
  }
  function close(): void {
    off?.();
    off = undefined;
    disarm?.();
    disarm = undefined;
    known = undefined;
  }
  return {
    subscribe(listener) {
      listeners.add(listener);
      off ??= backend.onCommit(({ session }) => {
        changed.add(session);
        disarm ??= clock.at(clock.now() + gatherMs, () => void tell().catch(onProblem));
      });
      known ??= readKnown();
      known.catch(onProblem);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) close();
      };
    },
    all: async () => (await backend.questions()).map(wireQuestion),
    close,
  };

  async function readKnown(): Promise<Map<SessionId, string>> {
    const open = Map.groupBy(await backend.questions(), ({ session }) => session);
    return new Map([...open].map(([session, questions]) => [session, questions.map(({ id }) => id).join(' ')]));
  }
}

export function wireQuestion({ about, ...entry }: QuestionEntry): WireQuestion {
  return { ...entry, about: JSON.parse(about) as QuestionSubject };
}
