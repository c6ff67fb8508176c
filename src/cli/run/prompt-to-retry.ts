import type { Session } from '../../session/handle/session.ts';
import type { Status } from '../../views/status.ts';

/**
 * The prompt of a session's last turn, where that turn is over and did not do its work: who resumes the session
 * wants it tried again, not its old error. Undefined where it completed, still runs, or was no prompt: a task is
 * not run twice unless somebody says so.
 */
export async function promptToRetry(session: Session, status: Status): Promise<string | undefined> {
  const { lastEnding, turn } = status;
  if (lastEnding === undefined || turn !== undefined) return undefined;
  const { outcome } = await session.result();
  // What a person or a rule refused is not asked for once more by itself.
  if (outcome === 'completed' || outcome === 'needs-input' || outcome === 'refused') return undefined;
  const started = await eventAt(session, lastEnding.turn);
  const prompt = started?.type === 'turn-started' ? await eventAt(session, started.prompt) : undefined;
  if (prompt?.type !== 'prompt-received' || prompt.request.type !== 'chat') return undefined;
  return session.read(prompt.request.text);
}

async function eventAt(session: Session, seq: number) {
  const { events } = await session.events({ after: seq - 1, limit: 1 });
  return events[0]?.event;
}
