/** Follows a worker's session until the turn with the job's prompt has ended. */
import type { JobRun } from '../ports/job-queue.ts';
import type { Recorded } from '../kernel/event.ts';
import type { Ending } from '../kernel/outcome.ts';
import type { Session } from '../session/handle/session.ts';
import type { Progress } from '../session/update.ts';

interface JobFollower {
  readonly onEvent: (recorded: Recorded) => Promise<void> | void;
  readonly onProgress: (progress: Progress) => void;
}

type FollowedEnd =
  | { readonly type: 'ended'; readonly ending: Ending }
  /** The exiting process interrupted it. The job must resume. */
  | { readonly type: 'interrupted' }
  /** The follower stopped. */
  | { readonly type: 'left' };

export async function followJob(
  session: Session,
  { prompt }: JobRun,
  signal: AbortSignal,
  follower: JobFollower,
): Promise<FollowedEnd> {
  const course = newCourse(prompt);
  for await (const update of session.follow({ after: prompt - 1, signal })) {
    if (signal.aborted) break;
    if (update.type === 'progress') follower.onProgress(update);
    if (update.type === 'event') {
      const end = endAfter(course, update.recorded);
      await follower.onEvent(update.recorded);
      if (end !== undefined) return end;
    }
    if (update.type === 'snapshot') {
      // The feed skipped events, but the journal has them all.
      const end = await endInJournal(session, prompt);
      if (end !== undefined) return end;
      course.isMine = true;
    }
  }
  return { type: 'left' };
}

interface Course {
  readonly prompt: number;
  isMine: boolean;
  isLeaving: boolean;
}

const newCourse = (prompt: number): Course => ({ prompt, isMine: false, isLeaving: false });

async function endInJournal(session: Session, prompt: number): Promise<FollowedEnd | undefined> {
  const course = newCourse(prompt);
  for (let after = prompt - 1; ;) {
    const page = await session.events({ after, limit: 1000 });
    for (const recorded of page.events) {
      const end = endAfter(course, recorded);
      if (end !== undefined) return end;
      after = recorded.seq;
    }
    if (page.events.length === 0 || after >= page.last) return undefined;
  }
}

function endAfter(course: Course, { event, by }: Recorded): FollowedEnd | undefined {
  switch (event.type) {
    case 'turn-started':
      course.isMine = event.prompt === course.prompt;
      course.isLeaving = false;
      return undefined;
    case 'prompt-joined':
      course.isMine ||= event.prompt === course.prompt;
      return undefined;
    case 'turn-interrupted':
      course.isLeaving = by.type === 'system' && by.name === 'host';
      return undefined;
    case 'turn-ended':
      if (!course.isMine) return undefined;
      return course.isLeaving ? { type: 'interrupted' } : { type: 'ended', ending: event.ending };
    case 'queue-changed': {
      const { change } = event;
      const isGone = change.type === 'cleared' || (change.type === 'removed' && change.prompt === course.prompt);
      if (!isGone || course.isMine) return undefined;
      return { type: 'ended', ending: { type: 'cancelled', reason: 'its prompt was taken out of the queue' } };
    }
    case 'session-closed':
      return { type: 'ended', ending: { type: 'cancelled', reason: 'its session was closed' } };
    default:
      return undefined;
  }
}
