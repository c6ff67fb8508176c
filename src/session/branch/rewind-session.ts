/**
 * Rewinds a session on two independent axes: the conversation and the files. Each rewind appends an event and
 * deletes nothing, so each can be undone. One input requests both. The session's owner restores the files; if it
 * can't, the conversation doesn't move either.
 */
import type { Journal, Page } from '../../ports/journal.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { ChangedFiles, FileCheckpoint, Restore } from '../../kernel/checkpoint.ts';
import type { Body } from '../../kernel/content.ts';
import type { Refusal } from '../../kernel/decide/draft.ts';
import type { Recorded } from '../../kernel/event.ts';
import { seqOfEffect, type SessionId } from '../../kernel/ids.ts';
import { importProblem } from '../../kernel/imported.ts';
import type { State } from '../../kernel/state.ts';
import type { RewindOptions, RewindResult, RewoundFiles } from '../../ports/rewind.ts';
import type { ClientInput } from '../client-input.ts';
import { digestOfText } from '../mailbox/input-digest.ts';
import { receiptOfKey, type UsedKey } from '../mailbox/key-receipt.ts';
import { restAt } from '../read/past-state.ts';
import { findNewest, newestFirst } from '../read/read-back.ts';
import { readPages } from '../read/read-span.ts';
import type { Receipt } from '../receipt.ts';
import { optional } from '../../kernel/optional.ts';

export type { RewindOptions, RewindResult } from '../../ports/rewind.ts';

/** The session to rewind, in this process or another. */
export interface Rewindable {
  readonly id: SessionId;
  state(): Promise<State>;
  send(input: ClientInput, from: { readonly by?: Actor; readonly key?: string }): Promise<Receipt>;
  events(range: { readonly after: number; readonly limit: number }): Promise<Pick<Page, 'events'>>;
  eventAfter(after: number, isWanted: (recorded: Recorded) => boolean): Promise<Recorded>;
  read(body: Body): Promise<string>;
}

interface RewindParts {
  readonly access: Rewindable;
  readonly journal: Journal;
}

export async function rewindSession(parts: RewindParts, options: RewindOptions): Promise<RewindResult> {
  const { access, journal } = parts;
  const { axes = 'both' } = options;
  const used = usedKey(options);
  const before = used && (await receiptOfKey(journal, access.id, used));
  if (before !== undefined) return before.type === 'refused' ? before : rewoundBefore(parts, before.seq, axes);
  const state = await access.state();
  if (state.phase.type === 'restoring') return refusedAfter(parts, state.phase.restore);
  const goal =
    options.to === 'undo'
      ? await undoGoal(journal, access.id, axes)
      : await goalAt(journal, state, options.to, axes);
  if ('code' in goal) return { type: 'refused', refusal: goal };
  const imported = importProblem(state, goal.to);
  if (imported !== undefined) return { type: 'refused', refusal: imported };
  const from = { ...optional({ by: options.by }), ...used };
  const { to, checkpoint, conversation } = goal;

  if (checkpoint !== undefined) {
    const rewind = conversation === undefined ? {} : { rewind: conversation };
    const receipt = await access.send({ type: 'restore', to, checkpoint, ...rewind }, from);
    return receipt.type === 'refused' ? receipt : restored(parts, receipt.seq, conversation);
  }
  const files: RewoundFiles = { type: axes === 'conversation' ? 'left' : 'unchanged' };
  if (conversation === undefined) return { type: 'rewound', files };
  const receipt = await access.send({ type: 'rewind', to: conversation }, from);
  return receipt.type === 'refused' ? receipt : { type: 'rewound', conversation, files };
}

function usedKey({ to, axes, key }: RewindOptions): UsedKey | undefined {
  return key === undefined ? undefined : { key, digest: digestOfText(JSON.stringify({ rewind: to, axes })) };
}

/** Repeating an undo would redo. A request that was already carried out only returns its first result. */
async function rewoundBefore(
  parts: RewindParts,
  seq: number,
  axes: NonNullable<RewindOptions['axes']>,
): Promise<RewindResult> {
  const [first] = (await parts.access.events({ after: seq - 1, limit: 1 })).events;
  switch (first?.event.type) {
    case 'restore-intended': {
      const result = await restored(parts, seq, first.event.rewind?.to);
      return result.type === 'refused' ? result : { ...result, files: { type: 'restored-before' } };
    }
    case 'rewound':
      return {
        type: 'rewound',
        conversation: first.event.to,
        files: { type: axes === 'conversation' ? 'left' : 'unchanged' },
      };
    default:
      return { type: 'rewound', files: { type: 'restored-before' } };
  }
}

/** The outcome of a restore, by the sequence of its intent. The session's owner carries it out. */
async function restored(
  { access }: RewindParts,
  intended: number,
  conversation: number | undefined,
): Promise<RewindResult> {
  const { event } = await access.eventAfter(intended, isSettlement);
  if (event.type === 'restore-failed') {
    return { type: 'refused', refusal: { code: 'conflict', message: event.message } };
  }
  const changed = event.type === 'files-restored' ? event.changed : undefined;
  const files =
    changed === undefined
      ? { restored: [], removed: [], blocked: [] }
      : (JSON.parse(await access.read(changed)) as ChangedFiles);
  return {
    type: 'rewound',
    ...optional({ conversation }),
    files: { type: 'restored', ...files },
  };
}

const isSettlement = ({ event: { type } }: Recorded) => type === 'files-restored' || type === 'restore-failed';

/** Settles a dead owner's restore first: otherwise it would stay open until another process opens the session. */
async function refusedAfter({ access }: RewindParts, { effect }: Restore): Promise<RewindResult> {
  await access.eventAfter(seqOfEffect(effect), isSettlement);
  const message = `session ${access.id} has just finished restoring files; check them, then rewind again`;
  return { type: 'refused', refusal: { code: 'conflict', message } };
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
    const message = `session ${state.id} has the events 1 to ${state.seq}; ${at} doesn't exist`;
    return { code: 'invalid', message };
  }
  const checkpoint = axes === 'conversation' ? undefined : await checkpointAfter(journal, state.id, rest.seq);
  return {
    to: rest.seq,
    ...(axes !== 'files' && { conversation: rest.seq }),
    ...optional({ checkpoint }),
  };
}

/** The files as they were at an event. Undefined if they haven't changed since. */
export async function filesAt(
  journal: Journal,
  session: SessionId,
  event: number,
): Promise<FileCheckpoint | undefined> {
  const rest = event === 0 ? undefined : await restAt(journal, session, event);
  return checkpointAfter(journal, session, rest?.seq ?? 0);
}

async function checkpointAfter(
  journal: Journal,
  session: SessionId,
  seq: number,
): Promise<FileCheckpoint | undefined> {
  for await (const page of readPages(journal, session, { from: seq + 1 })) {
    const latest = page.map(filesBefore).find((checkpoint) => checkpoint !== undefined);
    if (latest !== undefined) return latest;
  }
  return undefined;
}

/** The checkpoint of the files right before an event, if one was taken. */
function filesBefore({ event }: Recorded): FileCheckpoint | undefined {
  if (event.type === 'checkpoint-taken') return event.checkpoint;
  return event.type === 'files-restored' ? event.before : undefined;
}

async function undoGoal(
  journal: Journal,
  session: SessionId,
  axes: NonNullable<RewindOptions['axes']>,
): Promise<Goal | Refusal> {
  const head = (await journal.head(session))?.seq ?? 0;
  const newest = await findNewest(journal, session, head + 1, ({ event }) =>
    event.type === 'rewound' ? axes !== 'files' : event.type === 'files-restored' && axes !== 'conversation',
  );
  if (newest === undefined) return { code: 'not-found', message: `session ${session} has no rewind to undo` };
  // If one request moved both axes, the files moved first. Anything older belongs to an earlier request.
  const beside =
    axes === 'both' && newest.event.type === 'rewound' ? await newestFirst(journal, session, newest.seq, 1) : [];
  const moved = [newest, ...beside];
  const rewound = moved.find(({ event }) => event.type === 'rewound');
  const checkpoint = moved.map(restoredIn).find((kept) => kept !== undefined);
  return {
    to: newest.seq - 1,
    ...(rewound !== undefined && { conversation: rewound.seq - 1 }),
    ...optional({ checkpoint }),
  };
}

function restoredIn({ event }: Recorded): FileCheckpoint | undefined {
  return event.type === 'files-restored' ? event.before : undefined;
}
