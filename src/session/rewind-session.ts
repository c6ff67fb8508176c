/**
 * Going back, on two axes that do not depend on each other: what was said, and what the files were. Each
 * leaves an event and takes nothing away, so that each can be undone. Files first: where they cannot be had
 * again, the conversation stays where it is.
 */
import type { Journal } from '../journal/journal.ts';
import type { Actor } from '../kernel/actor.ts';
import type { FileCheckpoint } from '../kernel/checkpoint.ts';
import type { Refusal } from '../kernel/draft.ts';
import type { Recorded } from '../kernel/event.ts';
import type { SessionId } from '../kernel/ids.ts';
import { importProblem } from '../kernel/imported.ts';
import { turnOf, type State } from '../kernel/state.ts';
import { digestOfText } from './input-digest.ts';
import { receiptOfKey, type UsedKey } from './key-receipt.ts';
import { restAt } from './past-state.ts';
import { findNewest, newestFirst } from './read-back.ts';
import { readSpan } from './read-span.ts';
import type { SessionAccess } from './session-access.ts';

/** How far back, and whether the files go back too. */
export interface RewindOptions {
  /** An event: what follows the last rest at or before it is passed over. `undo`: back from the newest rewind. */
  readonly to: number | 'undo';
  /** Default: both. */
  readonly axes?: 'both' | 'conversation' | 'files';
  readonly by?: Actor;
  readonly key?: string;
}

/** What was taken back, or why it was not. */
export type RewindResult =
  | { readonly type: 'refused'; readonly refusal: Refusal }
  | {
      readonly type: 'rewound';
      /** Where the conversation goes on from; absent where it stayed. */
      readonly conversation?: number;
      readonly files: RewoundFiles;
    };

export type RewoundFiles =
  | { readonly type: 'left' }
  /** Nothing changed them since. */
  | { readonly type: 'unchanged' }
  /** The same wish, told by its key, brought them back before. */
  | { readonly type: 'restored-before' }
  | {
      readonly type: 'restored';
      readonly restored: readonly string[];
      readonly removed: readonly string[];
      readonly blocked: readonly string[];
    };

/** Brings files back to a checkpoint, and keeps what they are now. */
export type RestoreFiles = (
  checkpoint: FileCheckpoint,
  state: State,
) => Promise<
  | ({ readonly before: FileCheckpoint } & Extract<RewoundFiles, { type: 'restored' }>)
  | { readonly type: 'failed'; readonly message: string }
>;

export interface RewindParts {
  readonly access: SessionAccess;
  readonly journal: Journal;
  readonly restoreFiles?: RestoreFiles;
}

export async function rewindSession(parts: RewindParts, options: RewindOptions): Promise<RewindResult> {
  const { access, journal } = parts;
  const { axes = 'both', by } = options;
  const wish = keysOf(options);
  const before = wish && (await rewoundBefore(parts, wish.whole));
  if (before !== undefined) return before;
  const state = await access.state();
  const problem = restProblem(state);
  if (problem !== undefined) return { type: 'refused', refusal: problem };
  // A crash between the two leaves the files brought back and the conversation where it was.
  const half = wish && (await receiptOfKey(journal, access.id, wish.files));
  if (half?.type === 'refused') return half;
  const isHalfDone = half !== undefined;
  const goal =
    options.to === 'undo'
      ? await undoGoal(journal, access.id, { axes, passing: isHalfDone ? 1 : 0 })
      : await goalAt(journal, state, options.to, axes);
  if ('code' in goal) return { type: 'refused', refusal: goal };
  const imported = importProblem(state, goal.to);
  if (imported !== undefined) return { type: 'refused', refusal: imported };
  const from = { ...(by !== undefined && { by }) };

  let files: RewoundFiles = { type: axes === 'conversation' ? 'left' : 'unchanged' };
  if (isHalfDone) files = { type: 'restored-before' };
  else if (goal.checkpoint !== undefined) {
    if (parts.restoreFiles === undefined) return refused('invalid', `session ${access.id} keeps no files here`);
    const restored = await parts.restoreFiles(goal.checkpoint, state);
    if (restored.type === 'failed') return refused('conflict', restored.message);
    const { before: kept, ...rest } = restored;
    files = rest;
    const { checkpoint, to } = goal;
    const key = goal.conversation === undefined ? wish?.whole : wish?.files;
    const receipt = await access.send(
      { type: 'files-restored', to, checkpoint, before: kept },
      { ...from, ...key },
    );
    if (receipt.type === 'refused') return receipt;
  }
  if (goal.conversation === undefined) return { type: 'rewound', files };
  const to = goal.conversation;
  const receipt = await access.send({ type: 'rewind', to }, { ...from, ...wish?.whole });
  return receipt.type === 'refused' ? receipt : { type: 'rewound', conversation: to, files };
}

/** A wish may take two inputs: the last carries its key, the first one derived from it. */
function keysOf({
  to,
  axes,
  key,
}: RewindOptions): { readonly whole: UsedKey; readonly files: UsedKey } | undefined {
  if (key === undefined) return undefined;
  const digest = digestOfText(JSON.stringify({ rewind: to, axes }));
  return { whole: { key, digest }, files: { key: `${key} files`, digest } };
}

/** To undo again would be to redo: a wish that was carried out is only told again. */
async function rewoundBefore({ access, journal }: RewindParts, used: UsedKey): Promise<RewindResult | undefined> {
  const receipt = await receiptOfKey(journal, access.id, used);
  if (receipt === undefined || receipt.type === 'refused') return receipt;
  const [last, first] = await newestFirst(journal, access.id, receipt.seq + 1, 2);
  if (last?.event.type !== 'rewound') return { type: 'rewound', files: { type: 'restored-before' } };
  const files = first?.event.type === 'files-restored' ? 'restored-before' : 'left';
  return { type: 'rewound', conversation: last.event.to, files: { type: files } };
}

interface Goal {
  readonly to: number;
  readonly conversation?: number;
  readonly checkpoint?: FileCheckpoint;
}

async function goalAt(
  journal: Journal,
  state: State,
  at: number,
  axes: NonNullable<RewindOptions['axes']>,
): Promise<Goal | Refusal> {
  const rest = at > state.seq ? undefined : await restAt(journal, state.id, at);
  if (rest === undefined) {
    const message = `session ${state.id} has the events 1 to ${state.seq}; ${at} is none of them`;
    return { code: 'invalid', message };
  }
  const after = axes === 'conversation' ? [] : await readSpan(journal, state.id, { from: rest.seq + 1 });
  const checkpoint = after.map(filesBefore).find((found) => found !== undefined);
  return {
    to: rest.seq,
    ...(axes !== 'files' && { conversation: rest.seq }),
    ...(checkpoint !== undefined && { checkpoint }),
  };
}

/** What the files were just before an event, where that was kept. */
function filesBefore({ event }: Recorded): FileCheckpoint | undefined {
  if (event.type === 'checkpoint-taken') return event.checkpoint;
  return event.type === 'files-restored' ? event.before : undefined;
}

async function undoGoal(
  journal: Journal,
  session: SessionId,
  /** `passing`: how many of the newest events are of this very wish. */
  { axes, passing }: { readonly axes: NonNullable<RewindOptions['axes']>; readonly passing: number },
): Promise<Goal | Refusal> {
  const head = ((await journal.head(session))?.seq ?? 0) - passing;
  const newest = await findNewest(journal, session, head + 1, ({ event }) =>
    event.type === 'rewound' ? axes !== 'files' : event.type === 'files-restored' && axes !== 'conversation',
  );
  if (newest === undefined) return { code: 'not-found', message: `session ${session} has no rewind to undo` };
  // Where one wish moved both, the files came first. What is older belongs to an earlier one.
  const beside =
    axes === 'both' && newest.event.type === 'rewound' ? await newestFirst(journal, session, newest.seq, 1) : [];
  const moved = [newest, ...beside];
  const rewound = moved.find(({ event }) => event.type === 'rewound');
  const checkpoint = moved.map(restoredIn).find((kept) => kept !== undefined);
  return {
    to: newest.seq - 1,
    ...(rewound !== undefined && { conversation: rewound.seq - 1 }),
    ...(checkpoint !== undefined && { checkpoint }),
  };
}

function restoredIn({ event }: Recorded): FileCheckpoint | undefined {
  return event.type === 'files-restored' ? event.before : undefined;
}

function restProblem(state: State): Refusal | undefined {
  if (state.phase.type === 'closed') {
    return { code: 'closed', message: `session ${state.id} is closed; fork it to go on from an earlier point` };
  }
  if (turnOf(state) === undefined) return undefined;
  const message = `session ${state.id} is in the middle of a turn; wait for its end or interrupt it, then rewind`;
  return { code: 'conflict', message };
}

function refused(code: Refusal['code'], message: string): RewindResult {
  return { type: 'refused', refusal: { code, message } };
}
