import type { JobRow } from '../ports/job-queue.ts';
import type { Body } from '../kernel/content.ts';
import { replyAfter } from '../session/read/reply-after.ts';
import type { SessionSource } from './worker-parts.ts';

/** The worker's last text for a job, read on demand from its session. */
export async function textOfJob(row: JobRow, sessions: SessionSource): Promise<string> {
  const { run } = row;
  if (run === undefined) return '';
  const session = sessions.open(run.session);
  let texts: readonly Body[] = [];
  let isMine = false;
  for (let after = run.prompt - 1; ;) {
    const page = await session.events({ after, limit: 1000 });
    for (const { seq, event } of page.events) {
      after = seq;
      if (event.type === 'turn-started') isMine = event.prompt === run.prompt;
      if (event.type === 'prompt-joined') isMine ||= event.prompt === run.prompt;
      if (!isMine) continue;
      texts = replyAfter(texts, event);
      if (event.type === 'turn-ended') return joined(texts);
    }
    if (page.events.length === 0 || after >= page.last) return joined(texts);
  }

  async function joined(bodies: readonly Body[]): Promise<string> {
    return (await Promise.all(bodies.map((body) => session.read(body)))).join('');
  }
}
