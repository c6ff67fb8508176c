/** The end of a session's last reply and its changes, for its row in a list. Read when the row becomes visible, cached until it changes. */
import { previewOf } from '../kernel/content.ts';
import type { SessionId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import { replyEnd } from '../views/reply-end.ts';
import { undoneItems } from '../views/rewind-points.ts';
import { standingChanges } from '../views/standing-changes.ts';
import type { SessionOutcome } from '../views/session-row.ts';
import type { CallItem, Item } from '../views/transcript-item.ts';
import { commandResult } from '../wording/call-words.ts';
import type { Backend } from './backend.ts';

export interface SessionOutcomes {
  of(sessions: readonly SessionId[]): Promise<Readonly<Record<string, SessionOutcome>>>;
}

/** How much of the end of a conversation is read. */
const mostItems = 1000;
const mostKept = 2000;

export function createSessionOutcomes({ sessions }: Pick<Backend, 'sessions'>): SessionOutcomes {
  const kept = new Map<SessionId, { readonly seq: number; readonly outcome: SessionOutcome }>();

  async function one(id: SessionId): Promise<SessionOutcome | undefined> {
    const session = await sessions.get(id);
    if (session === undefined || session.id !== id) return undefined;
    const { seq } = await session.status();
    const had = kept.get(id);
    if (had?.seq === seq) return had.outcome;
    const { items } = await session.transcript({ limit: mostItems });
    const outcome = outcomeOf(items);
    kept.delete(id);
    kept.set(id, { seq, outcome });
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return outcome;
  }
  return {
    async of(ids) {
      const pairs = await Promise.all(ids.map(async (id) => [id, await one(id)] as const));
      return Object.fromEntries(pairs.flatMap(([id, outcome]) => (outcome === undefined ? [] : [[id, outcome]])));
    },
  };
}

function outcomeOf(all: readonly Item[]): SessionOutcome {
  const undone = undoneItems(all);
  const items = all.filter(({ id }) => !undone.has(id));
  const calls = items.filter((item) => item.type === 'call').filter(({ state }) => state.type === 'succeeded');
  const reply = items.findLast(
    (item) => (item.type === 'message' || item.type === 'agent-message') && item.text !== '',
  );
  const sentence =
    reply !== undefined && 'text' in reply && reply.text !== undefined ? replyEnd(previewOf(reply.text)) : '';
  const tests = calls.map(testsIn).findLast((result) => result !== undefined);
  return {
    ...(sentence !== '' && { sentence }),
    ...standingChanges(all),
    ...optional({ tests, plan: planIn(items) }),
  };
}

/** A plan belongs to its turn: it ends with the next prompt. */
function planIn(items: readonly Item[]): SessionOutcome['plan'] {
  const last = items.findLast(({ type }) => type === 'agent-plan' || type === 'prompt');
  if (last?.type !== 'agent-plan' || last.entries.length === 0) return undefined;
  const done = last.entries.filter(({ state }) => state === 'completed').length;
  return { done, total: last.entries.length };
}

/** Of the tool for tests, or of a command whose output ends with a count of tests. */
function testsIn({ tool, state }: CallItem): SessionOutcome['tests'] {
  if (state.type !== 'succeeded') return undefined;
  const { passed } = (state.data ?? {}) as { readonly passed?: unknown };
  if (typeof passed === 'boolean') return passed ? 'passed' : 'failed';
  const { text, isFailed } = tool === 'shell' ? commandResult(previewOf(state.output), state.data) : noResult;
  return /\d (?:passed|failed)$/.test(text) ? (isFailed ? 'failed' : 'passed') : undefined;
}

const noResult = { text: '', isFailed: false };
