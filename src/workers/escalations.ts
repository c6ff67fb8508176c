/**
 * Workers' questions that the parent's agent may decide before a person is asked. Kept in memory: each question is
 * in its session's journal, and a question lost here goes to a person.
 */
import type { JobId, QuestionId, SessionId } from '../kernel/ids.ts';
import type { Started } from './started-work.ts';

export interface Escalated {
  readonly question: QuestionId;
  readonly session: SessionId;
  readonly worker: string;
  readonly job: JobId;
  /** The tool it wants to call, and why that needs approval. */
  readonly tool: string;
  readonly unit?: string;
  readonly reason: string;
}

export interface Escalations {
  /** Registers the workers whose questions the parent's agent will see. An empty list unregisters them. */
  attend(parent: SessionId, started: readonly Started[]): void;
  attended(parent: SessionId): readonly Started[];
  raise(parent: SessionId, asked: Escalated): void;
  /** Removes a question that was decided or passed to a person. */
  drop(parent: SessionId, question: QuestionId): void;
  open(parent: SessionId): readonly Escalated[];
  /** Resolves when a question is open. Never resolves if the signal aborts first. */
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
