/**
 * Steps a batch of letters and writes them with one append.
 *
 * 1. The append also settles the letters from the inbox, including refused ones (O8).
 * 2. A letter that repeats a key gets the first answer, and the others are stepped without it.
 * 3. A locked store isn't a failure: the append is retried until the store answers.
 */
import { randomUUID } from 'node:crypto';

import type { Blobs } from '../../ports/blobs.ts';
import type { AppendAnswer, AppendRequest, Journal } from '../../ports/journal.ts';
import type { Claim, Position } from '../../ports/lease.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { leastReaderOf } from '../../journal/reader-version.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { State } from '../../kernel/state.ts';
import type { Step } from '../../kernel/decide/step.ts';
import { appendPatiently, type PatientAppend } from './append-patiently.ts';
import { receiptOf, receiptOfKey } from './key-receipt.ts';
import { receiptFor, recordOf, stepAll, type Letter, type Stepped } from './letter.ts';
import { project, projectedOf, type Projected } from '../read/projector.ts';
import type { Receipt } from '../receipt.ts';
import { refusedAppend } from './session-fault.ts';
import { forgetWritten, newUnwrittenBlobs, putAgain, type UnwrittenBlobs } from './unwritten-blobs.ts';

/** The state of a session's appends. */
export interface Commits {
  readonly claim: Claim;
  readonly creation: AppendRequest['creation'] | undefined;
  readonly projected: Projected;
  position: Position;
  /** Names this claim's appends. Unique, because two processes may create a session with the same id. */
  readonly appendsBy: string;
  appends: number;
  isAppending: boolean;
  /** True until this owner gets past its recovery. While true, the owners before it count as consecutive crashes. */
  isUnproven: boolean;
  /** Created with the first long content: most sessions never have any pending. */
  unwritten: UnwrittenBlobs | undefined;
}

export interface CommitParts extends Omit<PatientAppend, 'journal'> {
  readonly journal: Journal;
  readonly blobs: Blobs;
  readonly step: Step;
  /** True if no other input is pending. */
  readonly isLast: () => boolean;
}

export function newCommits(claim: Claim, opened: State, creation: Commits['creation']): Commits {
  return {
    claim,
    creation,
    projected: projectedOf(opened),
    position: claim.position,
    appendsBy: randomUUID(),
    appends: 0,
    isAppending: false,
    isUnproven: claim.isUnclean || claim.fences > 0,
    unwritten: undefined,
  };
}

/** The letters' outcome, once it is on disk. Undefined if they cause nothing to write. */
export function commitLetters(
  commits: Commits,
  from: State,
  letters: readonly Letter[],
  parts: CommitParts,
): readonly Stepped[] | Promise<readonly Stepped[]> {
  const stepped = stepAll(parts.step, from, letters);
  const isSilent = !stepped.some((one) => writes(one) || isKeyedRefusal(one) || isFromInbox(one));
  return isSilent ? stepped : append(commits, from, stepped, parts);
}

async function append(
  commits: Commits,
  from: State,
  stepped: readonly Stepped[],
  parts: CommitParts,
): Promise<readonly Stepped[]> {
  const { journal, blobs, step } = parts;
  const { session } = commits.claim;
  for (let fresh = stepped; ;) {
    const batch = fresh.some(isKeyedRefusal) ? await withEarlierReceipts(journal, session, fresh) : fresh;
    const writing = batch.every(writes) ? batch : batch.filter(writes);
    const settles = batch.flatMap(settlementOf);
    if (writing.length === 0 && settles.length === 0) return batch;
    commits.isAppending = true;
    const next = batch.at(-1)?.transition.state ?? from;
    const request = requestFor(commits, { from, next, writing, settles });
    const answer = await appendPatiently(request, parts);
    commits.isAppending = false;
    if (answer.type === 'appended') {
      commits.position = answer.position;
      commits.projected.writtenDue = commits.projected.due;
      forgetWritten(commits.unwritten, request.records, { isLast: parts.isLast() });
      prove(commits, batch);
      return batch;
    }
    let letters: readonly Letter[] = batch.map(({ letter }) => letter);
    if (answer.type === 'blob-missing') {
      await putAgain((commits.unwritten ??= newUnwrittenBlobs()), blobs, answer.hashes);
    } else if (answer.type === 'duplicate' || answer.type === 'key-reused') {
      const repeated = writing[answer.index]?.letter;
      invariant(repeated !== undefined, 'journal: a repeated key names a record of the append');
      const answered = await receiptOfRepeated(journal, session, repeated, answer);
      letters = letters.map((letter) => (letter === repeated ? { ...letter, answered } : letter));
    } else {
      throw refusedAppend(session, answer, from.seq);
    }
    fresh = stepAll(step, from, letters);
  }
}

function requestFor(
  commits: Commits,
  {
    from,
    next,
    writing,
    settles,
  }: {
    readonly from: State;
    readonly next: State;
    readonly writing: readonly Stepped[];
    readonly settles: Settlements;
  },
): AppendRequest {
  const { claim, creation, projected, position, unwritten } = commits;
  commits.appends += 1;
  const request: { -readonly [Key in keyof AppendRequest]: AppendRequest[Key] } = {
    session: claim.session,
    id: `${commits.appendsBy}.${commits.appends}`,
    position,
    expected: from.seq,
    records: writing.map(recordOf),
  };
  if (writing.length > 0) {
    const events = eventsOf(writing);
    request.projection = project(projected, next, events);
    const leastReader = leastReaderOf(events);
    if (leastReader > 1) request.leastReader = leastReader;
  }
  if (settles.length > 0) request.settles = settles;
  if (unwritten !== undefined && unwritten.lost.length > 0) request.lost = unwritten.lost;
  if (writing.some(({ letter }) => letter.recovers)) request.recovered = true;
  if (from.seq === 0 && creation !== undefined) request.creation = creation;
  return request;
}

/** A refused input whose key was used before gets its first answer: the first copy may have been accepted. */
function withEarlierReceipts(
  journal: Journal,
  session: SessionId,
  stepped: readonly Stepped[],
): Promise<readonly Stepped[]> {
  return Promise.all(
    stepped.map(async (one) => {
      const { key } = one.letter.sender;
      const before =
        key !== undefined && isKeyedRefusal(one) ? await receiptOfKey(journal, session, key) : undefined;
      return before === undefined ? one : { ...one, before };
    }),
  );
}

/** An append after its recovery proves that this owner doesn't fail where earlier ones did. */
function prove(commits: Commits, stepped: readonly Stepped[]): void {
  if (!commits.isUnproven || stepped.some(({ letter }) => letter.recovers)) return;
  commits.isUnproven = false;
  commits.claim.cleaned().catch(() => undefined);
}

function receiptOfRepeated(
  journal: Journal,
  session: SessionId,
  { sender }: Letter,
  answer: Extract<AppendAnswer, { type: 'duplicate' | 'key-reused' }>,
): Promise<Receipt> {
  const used = sender.key ?? { key: '', digest: '' };
  const digest = answer.type === 'duplicate' ? used.digest : '';
  return receiptOf(journal, session, used, { digest, seq: answer.seq });
}

function eventsOf(stepped: readonly Stepped[]): readonly Recorded[] {
  const [first] = stepped;
  if (stepped.length === 1 && first !== undefined) return first.transition.events;
  return stepped.flatMap(({ transition }) => transition.events);
}

const writes = ({ transition }: Stepped) => transition.events.length > 0;

const isFromInbox = ({ letter }: Stepped) => letter.sender.letter !== undefined;

const isKeyedRefusal = ({ letter, transition }: Stepped) =>
  letter.sender.key !== undefined && transition.refusal !== undefined;

type Settlements = NonNullable<AppendRequest['settles']>;

function settlementOf(stepped: Stepped): Settlements {
  const number = stepped.letter.sender.letter;
  return number === undefined ? [] : [{ letter: number, answer: JSON.stringify(receiptFor(stepped)) }];
}
