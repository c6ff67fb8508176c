/**
 * One session as one client of the protocol sees it. The client gets all events in order, from any origin. Its
 * requests are answered once the journal records the result.
 *
 * 1. A prompt is answered after the last update of its turn.
 * 2. A question also goes to this client. The first answer from any client wins, and the request is withdrawn from
 *    all others.
 * 3. Losing the client changes nothing in the session.
 */
import { randomUUID } from 'node:crypto';

import { RequestError, type SessionConfigOption, type SessionUpdate } from '@agentclientprotocol/sdk';
import type { Actor } from '../../kernel/actor.ts';
import type { Recorded } from '../../kernel/event.ts';
import { optional } from '../../kernel/optional.ts';
import type { FileBuffers } from '../../ports/tool.ts';
import type { Session } from '../../session/handle/session.ts';
import type { Progress } from '../../session/update.ts';
import { itemsBetween } from '../../views/persistent-list.ts';
import type { Item } from '../../views/transcript-item.ts';
import { newTranscript, transcriptWith, type Transcript } from '../../views/transcript.ts';
import type { HowUpdated, EditorSession } from './editor-client.ts';
import { createFilesBefore } from './file-before.ts';
import { createForeground } from './foreground.ts';
import { chunk, itemUpdates, promptMessageId, type ItemPlace } from './item-updates.ts';
import type { PromptContent } from './prompt-content.ts';
import { createQuestions } from './session-questions.ts';
import { createRunningOutput } from './running-output.ts';
import type { ShownTerminals } from './shown-terminals.ts';
import { createTurnWaiters, type SentPrompt } from './turn-waiters.ts';
import { howUpdated, changesBetween } from './item-changes.ts';

interface FeedParts {
  readonly session: Session;
  readonly cwd: string;
  readonly client: EditorSession;
  readonly by: Actor;
  /** False if this client may not answer questions. */
  readonly mayDecide: boolean;
  readonly buffers: FileBuffers | undefined;
  readonly terminals: ShownTerminals;
  /** The session's options as they are now. */
  readonly options: () => Promise<SessionConfigOption[]>;
  readonly onProblem: (message: string) => void;
}

/** How the client gets earlier events. `new`: there are none. */
export type History = 'replayed' | 'skipped' | 'new';

export interface SessionFeed {
  /** Catches up with the journal, with or without replaying it to the client. */
  begin(history: History): Promise<void>;
  /**
   * Follows new events, asks open questions and resumes interrupted work. Call it once the client knows the
   * session.
   */
  goOn(): void;
  prompt(content: PromptContent): Promise<SentPrompt>;
  /** Removes a prompt that no turn has taken. */
  withdraw(prompt: SentPrompt): Promise<void>;
  cancel(): Promise<void>;
  /** Shows a command and its result to this client only. Returns the command's message id. */
  say(command: string, result: string): Promise<string>;
  close(): Promise<void>;
}

export async function openSessionFeed(parts: FeedParts): Promise<SessionFeed> {
  const { session, client, by } = parts;
  const closing = new AbortController();
  const own = new Set<number>();
  const withdrawals = new WeakMap<SentPrompt, number>();
  const streamed = new Map<string, number>();
  const sending = new Set<Promise<unknown>>();
  const turns = createTurnWaiters();
  const { tellState } = client;
  const foreground = tellState === undefined ? undefined : createForeground(session, tellState);
  const { terminals } = parts;
  const outputs = createRunningOutput((update) => client.update(update), terminals);
  let transcript: Transcript = newTranscript(session.id);
  /** Tokens in the context window at the newest call, and the window's size (0 if unknown). */
  let context: { readonly used: number; readonly size: number } | undefined;

  const place: ItemPlace = {
    cwd: parts.cwd,
    read: (body) => session.read(body),
    streamed: (effect, kind) => (foreground === undefined ? (streamed.get(`${effect}/${kind}`) ?? 0) : 0),
    isOwn: (prompt) => foreground === undefined && own.has(prompt),
    before: createFilesBefore(parts.cwd, parts.buffers),
  };
  const questions = createQuestions({
    ...parts,
    place,
    // Only the user's text continues the turn, and here text arrives as the next prompt.
    onWordsWanted: () => turns.settle({ type: 'completed' }),
    onDismissed: async () => (turns.isRunning() ? await cancel() : undefined),
  });
  const tell = async (updates: readonly SessionUpdate[], how?: HowUpdated) => {
    for (const update of updates) await client.update(update, how);
  };
  const tellItem = async (item: Item, updates: readonly SessionUpdate[]) => {
    for (const [index, update] of updates.entries()) await client.update(update, howUpdated(item, index));
  };

  async function catchUp(then: (recorded: Recorded) => Promise<void> | void): Promise<void> {
    for (;;) {
      const page = await session.events({ after: transcript.seq, limit: 1000 });
      for (const recorded of page.events) await then(recorded);
      if (page.events.length === 0) return;
    }
  }

  async function saw(recorded: Recorded): Promise<void> {
    if (recorded.seq <= transcript.seq) return;
    // Only an accepted prompt identifies itself as this client's.
    await Promise.all(sending);
    const before = transcript;
    transcript = transcriptWith(before, recorded);
    await foreground?.before(recorded.event);
    for (const [item, how] of changesBetween(before, transcript)) {
      await tellItem(item, terminals.dressed(item, await itemUpdates(item, place, how)));
      if (item.type === 'question') questions.saw(item, transcript);
    }
    await after(recorded);
    await foreground?.after(recorded.event, transcript);
  }

  async function after({ event, seq }: Recorded): Promise<void> {
    switch (event.type) {
      case 'model-settled': {
        const { outcome } = event;
        if (outcome.type !== 'completed') return;
        const used = outcome.usage.inputTokens + outcome.usage.outputTokens;
        context = { used, size: outcome.contextTokens ?? context?.size ?? 0 };
        return;
      }
      case 'turn-started':
      case 'prompt-joined':
        turns.taken(event.prompt, promptMessageId(seq));
        return;
      case 'queue-changed':
        if (event.change.type === 'removed') turns.dropped([event.change.prompt]);
        if (event.change.type === 'cleared') turns.dropped(own);
        return;
      case 'turn-ended':
        await tellFigures();
        turns.settle(event.ending);
        return;
      case 'session-closed':
        turns.close();
        return;
      case 'agent-changed':
      case 'mode-changed':
      case 'agent-setting-settled':
        await tellOptions();
        return;
      case 'agent-reported':
        if (event.report.type === 'mode' || event.report.type === 'options') await tellOptions();
        return;
      default:
        return;
    }
  }

  async function tellOptions(): Promise<void> {
    await tell([{ sessionUpdate: 'config_option_update', configOptions: await parts.options() }]);
  }

  async function tellFigures(): Promise<void> {
    const { title, updatedAt, usage } = await session.status();
    const cost = usage.costIsKnown ? { cost: { amount: usage.cost, currency: 'USD' } } : {};
    await tell([
      {
        sessionUpdate: 'session_info_update',
        ...optional({ title }),
        updatedAt: new Date(updatedAt).toISOString(),
      },
      ...(context === undefined ? [] : [{ sessionUpdate: 'usage_update' as const, ...context, ...cost }]),
    ]);
  }

  async function heard({ effect, kind, text, offset, attempt }: Progress): Promise<void> {
    if (kind === 'output') return await outputs.heard(effect, text, transcript);
    if (kind !== 'text' && kind !== 'reasoning') return;
    streamed.set(`${effect}/${kind}`, offset + text.length);
    const name = kind === 'text' ? 'agent_message_chunk' : 'agent_thought_chunk';
    // A repeated attempt replaces the text of the first where the client can replace, and else follows it.
    if (foreground !== undefined) return await tell(chunk(name, text, effect), { isWhole: offset === 0 });
    await tell(chunk(name, text, attempt === 1 ? effect : `${effect}/${attempt}`));
  }

  async function follow(): Promise<void> {
    for await (const update of session.follow({ after: transcript.seq, signal: closing.signal })) {
      switch (update.type) {
        case 'event':
          await saw(update.recorded);
          break;
        case 'progress':
          await heard(update);
          break;
        case 'gap':
        case 'snapshot':
          await catchUp(saw);
          break;
      }
    }
  }

  function track<Value>(work: Promise<Value>): Promise<Value> {
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    sending.add(settled);
    void settled.finally(() => sending.delete(settled));
    return work;
  }

  async function cancel(): Promise<void> {
    for (const prompt of turns.waiting())
      await session.send({ type: 'queue', change: { type: 'removed', prompt } }, { by });
    await session.send({ type: 'interrupt', reason: 'cancelled in the editor' }, { by });
  }

  let following: Promise<void> | undefined;
  function goOn(): void {
    if (following !== undefined || closing.signal.aborted) return;
    const { items, current } = transcript;
    following = follow().catch((error: unknown) => {
      if (!closing.signal.aborted) parts.onProblem(`following session ${session.id} broke: ${String(error)}`);
      turns.close();
    });
    for (const item of itemsBetween(items, 0, items.length))
      if (item.type === 'question') questions.saw(item, transcript);
    // Resume work that a dead process left unfinished.
    if (current.turn !== undefined) session.wait().catch(() => undefined);
  }

  /** Shows text of the user that isn't a prompt. */
  async function echo(text: string): Promise<string> {
    const id = `said-${randomUUID()}`;
    if (foreground !== undefined) await tell(chunk('user_message_chunk', text, id));
    return id;
  }

  return {
    async begin(history) {
      await catchUp((recorded) => {
        transcript = transcriptWith(transcript, recorded);
      });
      const items = itemsBetween(transcript.items, 0, transcript.items.length);
      for (const item of history === 'replayed' ? items : [])
        await tellItem(item, await itemUpdates(item, place, 'new'));
      if (history !== 'new') await foreground?.snapshot(transcript);
    },
    goOn,
    async prompt({ text, attachments }) {
      goOn();
      if (questions.wantWords()) {
        const id = await echo(text);
        const answered = await questions.answerInWords(text);
        const inserted = Promise.resolve(id);
        if (answered === 'unfitting') return { inserted, ended: Promise.resolve({ stopReason: 'end_turn' }) };
        if (answered === 'answered') {
          const ended = turns.next();
          await questions.askNext();
          return { inserted, ended };
        }
      }
      const sent = (async () => {
        const receipt = await session.send(
          { type: 'chat', text, delivery: 'queue', ...(attachments.length > 0 && { attachments }) },
          { by },
        );
        if (receipt.type === 'refused') throw RequestError.invalidRequest(undefined, receipt.refusal.message);
        own.add(receipt.seq);
        const waited = turns.wait(receipt.seq);
        withdrawals.set(waited, receipt.seq);
        return waited;
      })();
      return await track(sent);
    },
    async withdraw(prompt) {
      const seq = withdrawals.get(prompt);
      if (seq === undefined || !turns.waiting().includes(seq)) return;
      await session.send({ type: 'queue', change: { type: 'removed', prompt: seq } }, { by });
    },
    cancel,
    async say(command, result) {
      let id = '';
      const show = async () => {
        id = await echo(command);
        await tell(chunk('agent_message_chunk', result, id));
      };
      await (foreground === undefined ? show() : foreground.during(show));
      return id;
    },
    async close() {
      closing.abort();
      questions.close();
      turns.close();
      await following;
    },
  };
}
