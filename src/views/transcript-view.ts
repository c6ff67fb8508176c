import type { AgentRef } from '../kernel/agent.ts';
import type { CallId, EffectId, QuestionId, SessionId } from '../kernel/ids.ts';
import type { QueuedPrompt } from '../kernel/prompt.ts';
import type { WorkerReport } from '../kernel/report.ts';
import { listAppended, listChanged, newList, type PersistentList } from './persistent-list.ts';
import { newMap, type PersistentMap } from './persistent-map.ts';
import type { Edited, Item, ItemId } from './transcript-item.ts';

/** The conversation as people see it at one moment. Views are immutable; see `transcript.ts`. */
export interface Transcript {
  readonly session: SessionId;
  /** The sequence of its newest event. */
  readonly seq: number;
  readonly items: PersistentList<Item>;
  /** Prompts that no turn has taken yet, in queue order. */
  readonly waiting: readonly WaitingPrompt[];
  /** The message that the model is currently writing. */
  readonly writing: Writing | undefined;
  readonly current: Current;
}

export interface WaitingPrompt extends QueuedPrompt {
  readonly at: number;
  readonly edited?: Edited;
}

interface Writing {
  readonly effect: EffectId;
  readonly since: number;
  readonly attempt: number;
}

/** Data that later events refer to. Bounded by what a turn may have in flight, except `agentCalls`, which is shared. */
export interface Current {
  /** The session's agent, which serves the next turn. */
  readonly agent: AgentRef | undefined;
  readonly turn:
    | { readonly id: number; readonly startedAt: number; readonly agent: AgentRef | undefined }
    | undefined;
  /** The calls of the newest reply or task. They are consecutive items from index `first` on. */
  readonly calls: { readonly first: number; readonly ids: readonly CallId[] };
  readonly questions: readonly { readonly id: QuestionId; readonly place: number }[];
  readonly pause: { readonly effect: EffectId; readonly place: number } | undefined;
  /** Item indexes of the calls that an external agent reported in its current turn. */
  readonly agentCalls: PersistentMap<number>;
  /** The call that each of the agent's requests was about. */
  readonly agentRequests: PersistentMap<string>;
  readonly plan: number | undefined;
  /** The newest report of each live worker. */
  readonly workers: readonly WorkerReport[];
}

export function newTranscript(session: SessionId): Transcript {
  return {
    session,
    seq: 0,
    items: newList(),
    waiting: [],
    writing: undefined,
    current: {
      agent: undefined,
      turn: undefined,
      calls: { first: 0, ids: [] },
      questions: [],
      pause: undefined,
      agentCalls: newMap(),
      agentRequests: newMap(),
      plan: undefined,
      workers: [],
    },
  };
}

export function withItem(view: Transcript, item: Item): Transcript {
  return { ...view, items: listAppended(view.items, item) };
}

/** Changes the item at an index, if it has the expected type. */
export function withChanged<Type extends Item['type']>(
  view: Transcript,
  place: number | undefined,
  type: Type,
  change: (item: Extract<Item, { type: Type }>) => Item,
): Transcript {
  if (place === undefined) return view;
  const isExpected = (item: Item): item is Extract<Item, { type: Type }> => item.type === type;
  return { ...view, items: listChanged(view.items, place, (item) => (isExpected(item) ? change(item) : item)) };
}

export function withCurrent(view: Transcript, changes: Partial<Current>): Transcript {
  return { ...view, current: { ...view.current, ...changes } };
}

export function itemId(seq: number, index = 0): ItemId {
  return index === 0 ? `${seq}` : `${seq}.${index}`;
}
