import type { SessionId } from '../kernel/ids.ts';
import { turnOf, type State } from '../kernel/state.ts';
import { doingLine } from './doing.ts';
import { lifecycleOf, type Lifecycle } from './status.ts';
import { totalUsageOf, type ChildUsage } from './total-usage.ts';

/** A session as lists show it; the journal keeps this row beside its events. */
export interface DirectoryEntry {
  readonly session: SessionId;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly title: string;
  readonly agent: string;
  readonly mode: string;
  readonly cwd: string;
  readonly parent?: SessionId;
  /** The session it was forked from; that one's events up to `at` are part of it and must be kept. */
  readonly origin?: { readonly session: SessionId; readonly at: number };
  /** It was imported and waits for a person to continue it. */
  readonly isForeign?: true;
  readonly state: DirectoryState;
  /** What it is at now, in words that follow "it is …", and since when its turn runs. Absent at rest. */
  readonly doing?: string;
  readonly workingSince?: number;
  /** How many are open, also while the session goes on beside them. */
  readonly questions: number;
  readonly queued: number;
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost: number;
  /** Where it is not, `cost` is the least it can have been. */
  readonly costIsKnown: boolean;
  /** The part of these that sub-agents used; absent where there were none. */
  readonly children?: ChildUsage;
  /** The version of this row; absent in those of the first Rondos. */
  readonly view?: number;
}

/** Raised with every change of what a row says, in shape or in words: an older row is made anew, it is not wrong. */
export const directoryVersion = 3;

export type DirectoryState = 'idle' | 'running' | 'waiting' | 'cancelling' | 'closed';

export function directoryEntryOf(state: State): DirectoryEntry {
  const { parent, origin } = state;
  const usage = totalUsageOf(state);
  const doing = doingLine(state);
  const turn = turnOf(state);
  // What may be missing is added and not spread: an entry is made at every step.
  const entry: { -readonly [Key in keyof DirectoryEntry]: DirectoryEntry[Key] } = {
    session: state.id,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    title: state.title ?? '',
    agent: state.agent.name,
    mode: state.mode.name,
    cwd: state.cwd,
    state: directoryStateOf(lifecycleOf(state)),
    questions: state.questions.length,
    queued: state.queue.prompts.length,
    turns: usage.turns,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cost: usage.cost,
    costIsKnown: usage.costIsKnown,
    view: directoryVersion,
  };
  if (usage.children !== undefined) entry.children = usage.children;
  if (parent !== undefined) entry.parent = parent;
  if (origin !== undefined) entry.origin = origin;
  if (state.imported?.isForeign === true) entry.isForeign = true;
  if (doing !== undefined) entry.doing = doing;
  if (turn !== undefined) entry.workingSince = turn.startedAt;
  return entry;
}

function directoryStateOf(lifecycle: Lifecycle): DirectoryState {
  switch (lifecycle) {
    case 'new':
      return 'idle';
    // A pause ends by itself: nobody is waited for.
    case 'pausing':
      return 'running';
    case 'idle':
    case 'running':
    case 'waiting':
    case 'cancelling':
    case 'closed':
      return lifecycle;
  }
}
