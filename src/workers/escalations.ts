/**
 * Questions of workers that their parent's agent may decide before a person is bothered. Kept in
 * memory: a question itself is in its session's journal, and one that is lost here goes to a person.
 */
import type { JobId, QuestionId, SessionId } from '../kernel/ids.ts';
import type { Started } from './started-work.ts';

export interface Escalated {
  readonly question: QuestionId;
  readonly session: SessionId;
  readonly worker: string;
  readonly job: JobId;
  /** What it wants to do, and why it may not do it by itself. */
  readonly tool: string;
  readonly unit?: string;
  readonly reason: string;
}

export interface Escalations {
  /** The parent's agent waits for these and will see what they ask; nobody where the list is empty. */
  attend(parent: SessionId, started: readonly Started[]): void;
  attended(parent: SessionId): readonly Started[];
  raise(parent: SessionId, asked: Escalated): void;
  /** It was decided, by whomever, or has gone on to a person. */
  drop(parent: SessionId, question: QuestionId): void;
  open(parent: SessionId): readonly Escalated[];
  /** Resolves when there is one; never where the signal comes first. */
  raised(parent: SessionId, signal: AbortSignal): Promise<void>;
}

export function createEscalations(): Escalations {
  const open = new Map<SessionId, readonly Escalated[]>();
  const waiting = new Map<SessionId, Set<() => void>>();
  const attending = new Map<SessionId, readonly Started[]>();
  const of = (parent: SessionId) => open.get(parent) ?? [];
  return {
    attend(parent, started) {
      if (started.length === 0) attending.delete(parent);
      else attending.set(parent, started);
    },
    attended: (parent) => attending.get(parent) ?? [],
    raise(parent, asked) {
      open.set(parent, [...of(parent), asked]);
      for (const wake of waiting.get(parent) ?? []) wake();
    },
    drop(parent, question) {
      const left = of(parent).filter((asked) => asked.question !== question);
      if (left.length === 0) open.delete(parent);
      else open.set(parent, left);
    },
    open: of,
    raised(parent, signal) {
      if (of(parent).length > 0) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiters = waiting.get(parent) ?? new Set();
      waiting.set(parent, waiters.add(resolve));
      const forget = () => {
        waiters.delete(resolve);
        if (waiters.size === 0) waiting.delete(parent);
      };
      signal.addEventListener('abort', forget, { once: true });
      return promise.then(forget);
    },
  };
}
