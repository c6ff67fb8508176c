/**
 * Whether only a person can take further what works for a session, and what that person is asked. Read from the
 * store, so that it holds wherever the workers run:
 *
 * 1. A worker that waits for an answer is held up, unless somebody in this process is about to give it.
 * 2. One that waits for its own workers is held up as they are; one behind another in the queue moves with that.
 * 3. Anything else moves, and while one of them moves nothing is held up.
 */
import type { JobRow } from '../ports/job-queue.ts';
import type { QuestionId, SessionId } from '../kernel/ids.ts';
import { openQuestionsOf, type OpenQuestion } from '../views/open-question.ts';
import { isBlockedOnPerson, waitsForJobs } from '../views/status.ts';
import type { WorkerParts } from './worker-parts.ts';

export interface HeldUp {
  /** The questions that hold up a session which waits for its workers; none while something moves. */
  questions(session: SessionId): Promise<readonly OpenQuestion[]>;
  /** Looks again and again and tells those who wait for the session; returns what ends it. */
  watch(session: SessionId): () => void;
}

/** `isBeingAnswered`: by an agent or a program, before a person is asked. */
export function createHeldUp(
  parts: WorkerParts,
  isBeingAnswered: (question: QuestionId, parent: SessionId) => boolean,
): HeldUp {
  const { queue, sessions, clock } = parts;

  /** Undefined where something moves. */
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
    // Without an owner it is about to be taken up, maybe with an answer that was kept for it.
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

/** Many changes need one look. */
const lookAfterMs = 50;
/** That a person left a question open changes nothing in the queue. */
const lookEveryMs = 1000;
