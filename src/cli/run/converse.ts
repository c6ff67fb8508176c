/** Runs one prompt, or the rest of a turn, to its end. */
import { randomUUID } from 'node:crypto';

import { previewOf } from '../../kernel/content.ts';
import type { Recorded } from '../../kernel/event.ts';
import { Fault } from '../../kernel/fault.ts';
import type { Session } from '../../session/handle/session.ts';
import { isModeName, modes } from '../../kernel/mode.ts';
import type { Update } from '../../session/update.ts';
import type { Result } from '../../views/result.ts';
import type { Status } from '../../views/status.ts';
import { terminalActor } from '../terminal-actor.ts';
import { usageError } from '../usage-error.ts';
import { createOwnTurn, type BeforeTurn } from './own-turn.ts';
import { promptToRetry } from './prompt-to-retry.ts';
import { createProviderWait } from './provider-wait.ts';

interface ConverseOptions {
  readonly session: Session;
  /** The mode given to the run. Undefined: the session's own. */
  readonly mode: string | undefined;
  /** Called with the session's initial status. Every later change is an update. */
  readonly onBegin: (status: Status) => void;
  /** Called for earlier events of the resumed turn. */
  readonly onEarlier: (recorded: Recorded) => void;
  readonly onUpdate: (update: Update) => void;
  /** True if a person watches, who decides how long to wait for a provider. */
  readonly isAttended: boolean;
  /**
   * Called when this process released the session: it was suspended, or another process took over. Resolves when it
   * runs again.
   */
  readonly onGivenUp: () => Promise<void>;
}

/** Without a prompt: finishes the session's current work, or retries its last prompt if that failed. */
export async function converse(given: string | undefined, conversation: ConverseOptions): Promise<Result> {
  const { session, onUpdate, isAttended } = conversation;
  const status = await session.status();
  conversation.onBegin(status);
  const { mode = status.mode } = conversation;
  const prompt = given ?? (await promptToRetry(session, status));
  if (status.turn !== undefined) {
    const { events } = await session.events({ after: status.turn.id - 1, limit: mostEarlier });
    for (const recorded of events) if (recorded.seq <= status.seq) conversation.onEarlier(recorded);
  }
  const controller = new AbortController();
  const provider = createProviderWait(() => Date.now());
  const before = { seq: status.seq, isRunning: status.turn !== undefined };
  const ownTurn = createOwnTurn(prompt, before);
  let shown = status.seq;

  const show = (update: Update) => {
    shown = reachedBy(update) ?? shown;
    const isOwn = ownTurn.saw(update);
    if (isOwn || update.type !== 'progress' || update.kind !== 'text') onUpdate(update);
    if (!isAttended) provider.saw(update);
  };
  const follow = async () => {
    for await (const update of session.follow({ after: status.seq, signal: controller.signal })) show(update);
  };
  // The result may arrive before its events do: followers hear of a turn on another way than its caller, and later
  // when another process owns the session.
  const showRest = async () => {
    for await (const recorded of eventsAfter(session, shown))
      show({ type: 'event', recorded, json: JSON.stringify(recorded.event) });
  };
  const key = randomUUID();
  const attempt = async (): Promise<Result> => {
    if (prompt === undefined) return turnsOf(session, status.queue.paused ? 0 : status.queue.prompts.length);
    const reply = await session.chat(prompt, { whenAsked: 'return', by: terminalActor, key });
    if (reply.refusal?.code === 'invalid') throw usageError(reply.refusal.message);
    return reply;
  };
  // Repeating the key waits for the same turn, in whichever process it runs.
  const work = async (): Promise<Result> => {
    try {
      return await attempt();
    } catch (error) {
      if (controller.signal.aborted || !(error instanceof Fault && error.code === 'closed')) throw error;
      await conversation.onGivenUp();
      return work();
    }
  };
  const giveUp = async (): Promise<Result> => {
    const reason = await provider.tooLong;
    return { ...(await session.result()), outcome: 'unavailable', reason };
  };

  const display = follow();
  const working = work();
  // If the run gives up, closing the session also ends this.
  working.catch(() => undefined);
  try {
    const result = await Promise.race([working, giveUp(), display.then(() => working)]);
    controller.abort();
    await display;
    await showRest();
    return hasCallLines(mode) ? withCalls(result, await callsOf(session, prompt, before)) : result;
  } finally {
    controller.abort();
  }
}

/** The running turn, and those of the prompts that were queued behind it. */
async function turnsOf(session: Session, queued: number): Promise<Result> {
  for (let left = queued; ; left -= 1) {
    const result = await session.wait({ whenAsked: 'return' });
    const { turn, queue } = await session.status();
    const isOver = left <= 0 || queue.paused || (turn === undefined && queue.prompts.length === 0);
    if (isOver || result.outcome !== 'completed') return result;
  }
}

/** In a longer turn, some calls appear without their names. */
const mostEarlier = 10_000;

function hasCallLines(mode: string): boolean {
  return isModeName(mode) && 'lines' in modes[mode];
}

/** The session's events after a sequence, up to its newest. */
async function* eventsAfter(session: Session, after: number): AsyncGenerator<Recorded> {
  for (let last = after; ;) {
    const { events } = await session.events({ after: last });
    if (events.length === 0) return;
    yield* events;
    last = events.at(-1)?.seq ?? last;
  }
}

/** The sequence up to which a follower has seen the journal with this update. */
function reachedBy(update: Update): number | undefined {
  switch (update.type) {
    case 'event':
      return update.recorded.seq;
    case 'snapshot':
      return update.seq;
    case 'gap':
      return update.to;
    case 'progress':
      return undefined;
  }
}

interface Calls {
  readonly outputs: readonly string[];
  readonly problems: readonly string[];
}

/** Read from the journal, so that no result is missing whatever a follower received. */
async function callsOf(session: Session, prompt: string | undefined, before: BeforeTurn): Promise<Calls> {
  const ownTurn = createOwnTurn(prompt, before);
  const outputs: string[] = [];
  const problems: string[] = [];
  for await (const recorded of eventsAfter(session, before.seq)) {
    const isOwn = ownTurn.saw({ type: 'event', recorded, json: '' });
    if (!isOwn || recorded.event.type !== 'tool-settled') continue;
    const { result } = recorded.event;
    if (result.type === 'success') outputs.push(await session.read(result.output));
    else if (result.type === 'error') problems.push(previewOf(result.message));
  }
  return { outputs, problems };
}

/** Lists the calls' results if no model summarizes them. */
function withCalls(result: Result, { outputs, problems }: Calls): Result {
  const text = result.text === '' ? outputs.join('\n') : result.text;
  if (result.outcome !== 'failed' || problems.length === 0) return { ...result, text };
  return { ...result, text, reason: [result.reason ?? '', ...problems].join(' ').trim() };
}
