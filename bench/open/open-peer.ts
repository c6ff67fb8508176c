/**
 * Seeded sessions of other runtimes, opened in a fresh process as their users would. Their packages are loaded and
 * an empty store was opened once before the clock starts.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';

import { createScratchFolder } from '../harness/scratch-folder.ts';
import { openLangGraph, type LangGraph } from '../peers/langgraph-peer.ts';
import { openMastra, type Mastra } from '../peers/mastra-peer.ts';
import { openPiStore, seedPiSession } from '../peers/pi-peer.ts';
import { folderOf } from '../peers/turn-peers.ts';
import {
  createTurnWork,
  finalText,
  toolArguments,
  toolName,
  toolOutput,
  userText,
  type TurnWork,
} from '../workload/turn-work.ts';
import type { OpeningTask } from './open-session.ts';

export type OpenPeerName = 'pi-sqlite' | 'langgraph-sqlite' | 'mastra-libsql';

const messagesInTurn = 4;
const thread = { configurable: { thread_id: 'seeded' }, recursionLimit: 25 };

export async function seedPeer(name: OpenPeerName, turns: number, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  switch (name) {
    case 'pi-sqlite':
      return seedPiSession(await openPiStore(folderOf(name), createTurnWork(), folder), turns);
    case 'langgraph-sqlite': {
      await using langGraph = await openLangGraph(folderOf(name), createTurnWork(), folder);
      return await seedLangGraph(langGraph, turns);
    }
    case 'mastra-libsql':
      return seedMastra(await openMastra(folderOf(name), createTurnWork(), folder), turns);
  }
}

export async function measurePeerOpening(name: OpenPeerName, task: OpeningTask): Promise<number> {
  using empty = createScratchFolder();
  const called = Promise.withResolvers<void>();
  const work: TurnWork = {
    ...createTurnWork(),
    modelAnswers() {
      called.resolve();
      return new Promise(() => undefined);
    },
  };
  const open = { 'pi-sqlite': openPi, 'langgraph-sqlite': openLang, 'mastra-libsql': openMastraThread }[name];
  await open(empty.path, work);

  const started = performance.now();
  const { ready, prompt, count } = await open(task.folder, work);
  await ready();
  if (task.until === 'model-call') {
    void prompt();
    await called.promise;
  }
  const ms = performance.now() - started;
  const found = await count();
  const least = task.turns * messagesInTurn;
  if (found < least) throw new Error(`${name} has ${found} messages instead of ${least}.`);
  return ms;
}

interface OpenedPeer {
  /** The conversation is loaded. */
  ready(): Promise<void>;
  prompt(): Promise<unknown>;
  count(): Promise<number>;
}

async function openPi(folder: string, work: TurnWork): Promise<OpenedPeer> {
  const store = await openPiStore(folderOf('pi-sqlite'), work, folder);
  const drive = async () => (await store.drive(await store.reopen(), false)).lane;
  let lane: Awaited<ReturnType<typeof drive>> | undefined;
  const driven = async () => (lane ??= await drive());
  return {
    ready: async () => void (await driven()),
    prompt: async () => (await driven()).prompt(userText, undefined, store.context),
    count: async () => (await (await driven()).findEntries(undefined, store.context)).length,
  };
}

async function openLang(folder: string, work: TurnWork): Promise<OpenedPeer> {
  const { graph, messages } = await openLangGraph(folderOf('langgraph-sqlite'), work, folder);
  let found = 0;
  return {
    async ready() {
      found = (await graph.getState(thread)).values.messages.length;
    },
    async prompt() {
      const input = { messages: [new messages.HumanMessage(userText)] };
      for await (const _ of await graph.stream(input, { ...thread, streamMode: ['messages'] }));
    },
    count: () => Promise.resolve(found),
  };
}

/** A Mastra message holds the output of a model call and its tool, so a turn is two of them instead of four. */
const messagesInMastraMessage = 2;
const mastraThread = { thread: 'seeded', resource: 'bench' };
const mastraQuery = { threadId: mastraThread.thread, resourceId: mastraThread.resource, perPage: false };

async function openMastraThread(folder: string, work: TurnWork): Promise<OpenedPeer> {
  const { agent, memory } = await openMastra(folderOf('mastra-libsql'), work, folder);
  let found = 0;
  return {
    async ready() {
      found = ((await memory?.recall(mastraQuery))?.messages.length ?? 0) * messagesInMastraMessage;
    },
    async prompt() {
      const run = await agent.stream(userText, { maxSteps: 10, memory: mastraThread });
      for await (const _ of run.textStream);
    },
    count: () => Promise.resolve(found),
  };
}

/** One turn is real; the others are copies of its messages. */
async function seedMastra({ agent, memory }: Mastra, turns: number): Promise<void> {
  const run = await agent.stream(userText, { maxSteps: 10, memory: mastraThread });
  for await (const _ of run.textStream);
  await run.getFullOutput();
  const first = (await memory?.recall(mastraQuery))?.messages ?? [];
  if (first.length * messagesInMastraMessage !== messagesInTurn) {
    throw new Error(`Mastra kept ${first.length} messages of a turn.`);
  }
  const begun = Date.now() - turns * 1000;
  for (let turn = 1; turn < turns; turn += 100) {
    const batch = Array.from({ length: Math.min(100, turns - turn) }, (_, index) =>
      first.map((message, place) => {
        const copy = structuredClone(message);
        copy.id = `${message.id}-${turn + index}`;
        copy.createdAt = new Date(begun + (turn + index) * 900 + place);
        for (const { toolInvocation } of copy.content.parts ?? []) {
          if (toolInvocation !== undefined) toolInvocation.toolCallId += `-${turn + index}`;
        }
        return copy;
      }),
    );
    await memory?.saveMessages({ messages: batch.flat() });
  }
}

async function seedLangGraph({ graph, messages }: LangGraph, turns: number): Promise<void> {
  const { AIMessage, HumanMessage, ToolMessage } = messages;
  const conversation = Array.from({ length: turns }, (_, turn) => {
    const id = `call_seed_${turn}`;
    const args = JSON.parse(toolArguments) as object;
    return [
      new HumanMessage({ id: `user_${turn}`, content: userText }),
      new AIMessage({
        id: `asks_${turn}`,
        content: '',
        tool_calls: [{ id, name: toolName, args, type: 'tool_call' }],
      }),
      new ToolMessage({ id: `tool_${turn}`, content: toolOutput, tool_call_id: id, name: toolName }),
      new AIMessage({ id: `says_${turn}`, content: finalText }),
    ];
  });
  await graph.updateState(thread, { messages: conversation.flat() }, 'agent');
}

/** Path of a peer's seed in its cache; it doesn't depend on our code. */
export function seedFolderOf(name: OpenPeerName, turns: number): string {
  return path.join(folderOf(name), `seed-${name}-${turns}`);
}
