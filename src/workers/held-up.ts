/**
 * Determines whether a session's workers are blocked until a person answers, and the questions involved. Reads the
 * store, so it works wherever the workers run:
 *
 * 1. A worker that waits for an answer is blocked, unless something in this process is about to answer.
 * 2. A worker that waits for its own workers is blocked if they are. A queued job moves with the one before it.
 * 3. Everything else is moving, and while anything moves, nothing is blocked.
 */
import type { JobRow } from '../ports/job-queue.ts';
import type { QuestionId, SessionId } from '../kernel/ids.ts';
import { openQuestionsOf, type OpenQuestion } from '../views/open-question.ts';
import { isBlockedOnPerson, waitsForJobs } from '../views/status.ts';
import type { WorkerParts } from './worker-parts.ts';

export interface HeldUp {
  /** The questions that block a session waiting for its workers. Empty while anything moves. */
  questions(session: SessionId): Promise<readonly OpenQuestion[]>;
  /** Checks repeatedly and notifies those who wait for the session. The returned function stops it. */
  watch(session: SessionId): () => void;
}

/** `isBeingAnswered`: an agent or a program is about to answer, before a person is asked. */
export function createHeldUp(
  parts: WorkerParts,
  isBeingAnswered: (question: QuestionId, parent: SessionId) => boolean,
): HeldUp {
  const { queue, sessions, clock } = parts;

  /** Undefined if anything moves. */
  async function askedBelow(parent: SessionId): Promise<readonly OpenQuestion[] | undefined> {
    const asked: OpenQuestion[] = [];
    for (const row of await queue.jobs({ parent, which: 'active' })) {
      const theirs = await askedIn(row, parent);
      if (theirs === undefined) return undefined;
      asked.push(...theirs);
    }
    return asked;
  }

  async function askedIn(row: JobRow, parent: SessionId): Promise<readonly OpenQuestion[] | undefined> {
    if (row.state === 'queued') return row.blockers > 0 ? [] : undefined;
    // A job without an owner is about to be claimed, possibly with a stored answer.
    if (row.state !== 'waiting' || row.owner === undefined || row.run === undefined) return undefined;
    const { session } = row.run;
    const state = await sessions.state(session);
    if (!isBlockedOnPerson(state)) return waitsForJobs(state) ? askedBelow(session) : undefined;
    if (sessions.isAsking(session) || state.questions.some(({ id }) => isBeingAnswered(id, parent)))
      return undefined;
    return openQuestionsOf(state);
  }

  const questions = async (session: SessionId) => (await askedBelow(session)) ?? [];

  return {
    questions,
    watch(session) {
      let isOver = false;
      let disarm = clock.at(clock.now() + lookEveryMs, look);
      const lookAgainIn = (ms: number) => {
        disarm();
        if (!isOver) disarm = clock.at(clock.now() + ms, look);
      };
      function look(): void {
        questions(session)
          .then((asked) => {
            if (!isOver && asked.length > 0) sessions.heldUp(session, asked);
          })
          .catch((error: unknown) => {
            if (isOver) return;
            parts.onProblem(`looking what holds up session ${session} failed`, { session, error: String(error) });
          })
          .finally(() => lookAgainIn(lookEveryMs));
      }
      const stopListening = queue.onChange(() => lookAgainIn(lookAfterMs));
      return () => {
        isOver = true;
        disarm();
        stopListening();
      };
    },
  };
}

/** Debounce: one check covers many changes. */
const lookAfterMs = 50;
/** Poll, because a question that a person leaves open changes nothing in the queue. */
const lookEveryMs = 1000;
