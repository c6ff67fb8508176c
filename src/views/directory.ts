import { machineLabel } from '../kernel/agent.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { Ending } from '../kernel/outcome.ts';
import { turnOf, type State } from '../kernel/state.ts';
import { doingLine } from './doing.ts';
import { oneLine } from './one-line.ts';
import { lifecycleOf, type Lifecycle } from './status.ts';
import { totalUsageOf, type ChildUsage } from './total-usage.ts';

/** A session in lists. The journal stores this row beside its events. */
export interface DirectoryEntry {
  readonly session: SessionId;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly title: string;
  readonly agent: string;
  readonly mode: string;
  readonly cwd: string;
  readonly parent?: SessionId;
  /** The session it was forked from. Its events up to `at` are part of this one and must be kept. */
  readonly origin?: { readonly session: SessionId; readonly at: number };
  /** Imported, and waits for a person to continue it. */
  readonly isForeign?: true;
  readonly state: DirectoryState;
  /** How the last turn ended. Absent before the first one ends. */
  readonly ending?: Ending['type'];
  /** Why it failed. */
  readonly problem?: string;
  /** The current activity, as text that follows "it is …", and when its turn started. Absent if idle. */
  readonly doing?: string;
  readonly workingSince?: number;
  /** The number of open questions, including those that don't block the session. */
  readonly questions: number;
  readonly queued: number;
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost: number;
  /** If false, `cost` is a lower bound. */
  readonly costIsKnown: boolean;
  /** The share of its sub-agents. Absent if there were none. */
  readonly children?: ChildUsage;
  /** Labels that a machine must offer to open it. Absent: none. Stores read it from the row. */
  readonly needs?: readonly string[];
  /** The version of this row. Absent in rows of the first releases. */
  readonly view?: number;
}

/** Incremented with every change to a row's shape or text. Older rows aren't wrong; they are rebuilt. */
export const directoryVersion = 5;

export type DirectoryState = 'idle' | 'running' | 'waiting' | 'cancelling' | 'closed';

export function directoryEntryOf(state: State): DirectoryEntry {
  const { parent, origin } = state;
  const usage = totalUsageOf(state);
  const doing = doingLine(state);
  const turn = turnOf(state);
  // Optional fields are assigned, not spread, because every step builds an entry.
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
  const ending = state.lastEnding?.ending;
  if (ending !== undefined) entry.ending = ending.type;
  if (ending !== undefined && 'message' in ending) entry.problem = oneLine(ending.message);
  if (doing !== undefined) entry.doing = doing;
  if (turn !== undefined) entry.workingSince = turn.startedAt;
  const needs = needsOf(state);
  if (needs.length > 0) entry.needs = needs;
  return entry;
}

/** A turn keeps the agent it started with. */
export function needsOf(state: State): readonly string[] {
  const next = state.agent.needs ?? none;
  const now = turnOf(state)?.agent.needs ?? none;
  const { machine } = state;
  if (machine === undefined && (now === next || now.length === 0)) return next;
  const folder = machine === undefined ? none : [machineLabel(machine)];
  return [...new Set([...now, ...next, ...folder])].toSorted();
}

const none: readonly string[] = [];

function directoryStateOf(lifecycle: Lifecycle): DirectoryState {
  switch (lifecycle) {
    case 'new':
      return 'idle';
    // A pause ends by itself: it waits for nobody.
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
