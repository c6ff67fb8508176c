import type { JobRun } from '../ports/job-queue.ts';
import type { QuestionId } from '../kernel/ids.ts';
import { questionIdOf } from '../kernel/ids.ts';
import type { Session } from '../session/handle/session.ts';

/** How long a job has waited for people. They may take a night to answer, which doesn't count as the worker's time. */
export async function waitedForPerson(session: Session, { prompt }: JobRun, now: number): Promise<number> {
  const open = new Set<QuestionId>();
  let waited = 0;
  let since = now;
  for (let after = prompt - 1; ;) {
    const page = await session.events({ after, limit: 1000 });
    for (const { event, seq, at } of page.events) {
      after = seq;
      const wasOpen = open.size > 0;
      if (event.type === 'question-opened') open.add(questionIdOf(session.id, seq));
      else if (event.type === 'question-answered' || event.type === 'question-closed') open.delete(event.question);
      if (!wasOpen && open.size > 0) since = at;
      // Never negative, even if the clock was set back in between.
      if (wasOpen && open.size === 0) waited += Math.max(at - since, 0);
    }
    if (page.events.length === 0 || after >= page.last)
      return open.size > 0 ? waited + Math.max(now - since, 0) : waited;
  }
}
