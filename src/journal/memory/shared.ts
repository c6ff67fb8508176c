/** What all seats at a memory store share, and one seat, which stands for a process. */
import { Fault } from '../../kernel/fault.ts';
import type { Time } from '../../kernel/time.ts';
import type { BlobHash, QuestionId, SessionId } from '../../kernel/ids.ts';
import type { StoredRecord } from '../../ports/stored-record.ts';
import type {
  Commit,
  Creation,
  Damage,
  KeptKey,
  NewRecord,
  QuestionEntry,
  Snapshot,
} from '../../ports/journal.ts';
import type { DirectoryEntry } from '../../views/directory.ts';
import type { StoredDocument } from '../../ports/documents.ts';
import type { HandOverRequest, Owner, Standing } from '../../ports/lease.ts';
import type { NodeEntry } from '../../ports/nodes.ts';
import { createListeners, type Listeners } from '../listeners.ts';
import type { MemoryBlob } from '../memory-blobs.ts';

export interface Shared {
  readonly sessions: Map<SessionId, MemorySession>;
  readonly seats: Set<Seat>;
  seatsTaken: number;
  readonly messages: Map<number, MemoryMessage>;
  readonly blobs: Map<BlobHash, MemoryBlob>;
  readonly setAside: StoredRecord[];
  readonly creations: Map<string, Creation>;
  readonly hosted: Map<SessionId, string>;
  readonly nodes: Map<string, MemoryNode>;
  readonly documents: Map<string, StoredDocument>;
}

interface MemoryNode {
  readonly seat: Seat;
  entry: NodeEntry;
}

export interface MemorySession {
  readonly id: SessionId;
  seq: number;
  epoch: number;
  owner: Seat | undefined;
  isUnclean: boolean;
  /** Consecutive owners that didn't release it. */
  fences: number;
  /** Released with work in flight. */
  isLeftOpen: boolean;
  inFlight: boolean;
  /** Sessions whose journals it refers to. */
  refersTo: readonly SessionId[];
  /** Seats that requested a hand-over. */
  readonly askers: Set<Seat>;
  withinMs: number | undefined;
  readonly records: MemoryRecord[];
  readonly keys: Map<string, KeptKey>;
  readonly questions: Map<QuestionId, QuestionEntry>;
  entry: DirectoryEntry | undefined;
  due: Time | undefined;
  leastReader: number;
  snapshot: Snapshot | undefined;
  damage: Damage | undefined;
}

interface MemoryRecord {
  readonly first: number;
  /** The id of its append. */
  readonly append?: string;
  readonly record: NewRecord;
}

interface MemoryMessage {
  readonly session: SessionId;
  readonly key: string;
  readonly body: string;
  answer: string | undefined;
  buried: string | undefined;
  readonly answered: Listeners<string>;
}

export interface Seat {
  readonly owner: Owner;
  /** A lapsed seat may be taken over and doesn't know it yet. A crashed one never answers again. */
  status: 'alive' | 'lapsed' | 'crashed' | 'closed';
  readonly commits: Listeners<Commit>;
  /** Epochs of the claims held here. */
  readonly held: Map<SessionId, number>;
  readonly handOvers: Listeners<HandOverRequest>;
  readonly releases: Listeners<SessionId>;
  readonly losses: Listeners<readonly SessionId[]>;
  readonly arrivals: Listeners<SessionId>;
  readonly standings: Listeners<Standing>;
  readonly drains: Listeners<void>;
  readonly topics: Map<string, Listeners<string>>;
  /** Closes in order and releases everything. */
  readonly leaving: Listeners<void>;
}

export function createShared(): Shared {
  return {
    sessions: new Map(),
    seats: new Set(),
    seatsTaken: 0,
    messages: new Map(),
    blobs: new Map(),
    setAside: [],
    creations: new Map(),
    hosted: new Map(),
    nodes: new Map(),
    documents: new Map(),
  };
}

export function takeSeat(shared: Shared): Seat {
  shared.seatsTaken += 1;
  const id = `memory-${shared.seatsTaken}`;
  const seat: Seat = {
    owner: { id, pid: process.pid, startedAt: 'memory', bootId: 'memory', host: 'memory' },
    status: 'alive',
    commits: createListeners(),
    held: new Map(),
    handOvers: createListeners(),
    releases: createListeners(),
    losses: createListeners(),
    arrivals: createListeners(),
    standings: createListeners(),
    drains: createListeners(),
    topics: new Map(),
    leaving: createListeners(),
  };
  shared.seats.add(seat);
  return seat;
}

/** The seat releases everything and hears nothing more. */
export function leaveSeat(shared: Shared, seat: Seat, status: 'crashed' | 'closed'): void {
  if (seat.status === 'crashed' || seat.status === 'closed') return;
  seat.status = status;
  for (const listeners of [seat.commits, seat.handOvers, seat.releases, seat.losses, seat.arrivals]) {
    listeners.clear();
  }
  seat.topics.clear();
  shared.seats.delete(seat);
  if (status === 'crashed') return;
  seat.leaving.tell();
  for (const [name, node] of shared.nodes) if (node.seat === seat) shared.nodes.delete(name);
  for (const session of shared.sessions.values()) {
    if (session.owner !== seat) continue;
    // Rejects writes still on their way from there.
    session.epoch += 1;
    session.isUnclean = true;
    session.fences += 1;
    free(session);
  }
}

/** Removes the owner. */
export function free(session: MemorySession): void {
  session.owner = undefined;
  session.isLeftOpen = session.inFlight;
  if (!session.isUnclean) session.fences = 0;
}

/** Answers like a process: a closed one with a fault, a crashed one never. */
export function answerAsProcess<Value>(seat: Seat, work: () => Value): Promise<Awaited<Value>> {
  if (seat.status === 'crashed') return new Promise(() => {});
  if (seat.status === 'closed') {
    return Promise.reject(new Fault('closed', 'The memory store was closed. Open another seat.'));
  }
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(error);
  }
}

export function ensureSession(shared: Shared, id: SessionId): MemorySession {
  const existing = shared.sessions.get(id);
  if (existing !== undefined) return existing;
  const created: MemorySession = {
    id,
    seq: 0,
    epoch: 0,
    owner: undefined,
    isUnclean: false,
    fences: 0,
    isLeftOpen: false,
    inFlight: false,
    refersTo: [],
    askers: new Set(),
    withinMs: undefined,
    records: [],
    keys: new Map(),
    questions: new Map(),
    entry: undefined,
    due: undefined,
    leastReader: 1,
    snapshot: undefined,
    damage: undefined,
  };
  shared.sessions.set(id, created);
  return created;
}
