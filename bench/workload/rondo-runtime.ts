/** Rondo through its public API: `createRondo`, `session.follow`, `session.chat`. */
import { createRondo, type Rondo } from '../../src/rondo.ts';
import type { Model } from '../../src/ports/model.ts';
import type { Tool } from '../../src/ports/tool.ts';
import type { Session } from '../../src/session/handle/session.ts';
import type { TurnRuntime, TurnSession } from './turn-runtime.ts';
import {
  deltas,
  finalText,
  systemPrompt,
  toolArguments,
  toolDescription,
  toolName,
  type TurnWork,
} from './turn-work.ts';

interface RondoRuntimeOptions {
  readonly store: string;
  /** True if deltas are delivered to a follower. Otherwise only the reply is awaited, and the model counts deltas. */
  readonly isFollowed: boolean;
}

/**
 * A store in memory keeps everything, so a fresh one after this many sessions keeps heap size out of the
 * measurement.
 */
const sessionsInMemory = 1000;

export async function createRondoRuntime(
  { store, isFollowed }: RondoRuntimeOptions,
  work: TurnWork,
): Promise<TurnRuntime> {
  let heard: ((delta: string) => void) | undefined;
  const open = () => openBenchRondo(store, work, (delta) => heard?.(delta));
  let rondo = await open();
  let opened = 0;
  let closed = 0;

  async function forgetOne(): Promise<void> {
    closed += 1;
    if (store !== 'memory:' || closed < opened || opened < sessionsInMemory) return;
    await rondo.close();
    rondo = await open();
    opened = 0;
    closed = 0;
  }

  return {
    async openSession() {
      opened += 1;
      const session = await rondo.sessions.create();
      if (isFollowed) return createFollowedSession(session, forgetOne);
      return {
        async turn(text, onDelta) {
          heard = onDelta;
          return (await session.chat(text)).text;
        },
        async close() {
          await session.close();
          await forgetOne();
        },
      };
    },
    [Symbol.asyncDispose]: () => rondo.close(),
  };
}

/** A Rondo whose only agent does the standard work. */
function openBenchRondo(store: string, work: TurnWork, onDelta: (delta: string) => void): Promise<Rondo> {
  return createRondo({
    store,
    agents: { bench: { prompt: systemPrompt } },
    models: { bench: createWorkModel(work, onDelta) },
    tools: [createWorkTool(work)],
  });
}

async function createFollowedSession(session: Session, onClose: () => Promise<void>): Promise<TurnSession> {
  const stop = new AbortController();
  const updates = session.follow({ signal: stop.signal })[Symbol.asyncIterator]();
  // The snapshot: from here on the follower misses nothing.
  await updates.next();
  let onDelta: (delta: string) => void = () => undefined;
  let onEnd: () => void = () => undefined;
  const following = (async () => {
    for (let next = await updates.next(); next.done !== true; next = await updates.next()) {
      const update = next.value;
      if (update.type === 'progress') onDelta(update.text);
      else if (update.type === 'event' && update.recorded.event.type === 'turn-ended') onEnd();
    }
  })();
  return {
    async turn(text, listener) {
      onDelta = listener;
      const followed = new Promise<void>((resolve) => (onEnd = resolve));
      const reply = await session.chat(text);
      if (reply.outcome === 'completed') await followed;
      return reply.text;
    },
    async close() {
      stop.abort();
      await following;
      await session.close();
      await onClose();
    },
  };
}

function createWorkModel(work: TurnWork, onDelta: (delta: string) => void): Model {
  const usage = { inputTokens: 100, outputTokens: 40, cost: 0 };
  return {
    name: 'bench',
    async call({ messages }, sink) {
      const answers = work.modelAnswers();
      if (answers !== undefined) await answers;
      if (messages.at(-1)?.role === 'user') {
        const calls = [{ id: work.nextCallId(), tool: toolName, args: toolArguments }];
        return { type: 'completed', text: '', calls, usage, stop: 'calls' };
      }
      for (const delta of deltas) {
        sink.text(delta);
        onDelta(delta);
      }
      return { type: 'completed', text: finalText, calls: [], usage, stop: 'end' };
    },
  };
}

function createWorkTool(work: TurnWork): Tool {
  return {
    name: toolName,
    description: toolDescription,
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    describe: () => ({ access: 'read', repeat: 'safe', order: 'parallel', runs: 'tool' }),
    run: () => Promise.resolve({ type: 'success', output: work.runTool() }),
  };
}
