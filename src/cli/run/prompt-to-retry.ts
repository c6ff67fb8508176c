import type { Session } from '../../session/handle/session.ts';
import type { Status } from '../../views/status.ts';

/**
 * The prompt of a session's last turn if that turn ended without success: resuming the session should retry it, not
 * repeat its old error. Undefined if the turn completed, still runs, or wasn't a prompt. A task never runs twice
 * unless the user asks for it.
 */
export async function promptToRetry(session: Session, status: Status): Promise<string | undefined> {
  const { lastEnding, turn } = status;
  if (lastEnding === undefined || turn !== undefined) return undefined;
  const { outcome } = await session.result();
  // Don't retry automatically what a person or a rule refused.
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
