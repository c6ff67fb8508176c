/**
 * What `rondo store copy` moves between engines, as rows that mean the same in each. Ids, sequences, record texts,
 * keys, epochs, letters, timers, jobs and set-aside records stay as they are. Owners, nodes, requests to hand over,
 * the list of writers and the search index are left behind: they belong to processes, or are made again.
 */
import type { Blobs } from '../../ports/blobs.ts';
import type { StoreState } from '../moved-store.ts';

/** A table's columns. `scoped`: its session is a number in the table and an id in a copied row. */
export interface TableShape {
  readonly key: readonly string[];
  readonly columns: readonly string[];
  readonly scoped?: true;
}

/** In this order: later tables refer to earlier ones. */
export const tableShapes = {
  sessions: {
    key: ['id'],
    columns: [
      'least_seq',
      'least_reader',
      'epoch',
      'due',
      'damage_seq',
      'damage_reason',
      'unclean',
      'fences',
      'left_open',
    ],
  },
  records: { key: ['session', 'first'], columns: ['last', 'checksum', 'body'], scoped: true },
  keys: { key: ['session', 'key'], columns: ['digest', 'seq'], scoped: true },
  directory: {
    key: ['session'],
    columns: ['id', 'updated_at', 'state', 'agent', 'parent', 'origin', 'title', 'in_flight', 'entry'],
    scoped: true,
  },
  questions: { key: ['session', 'id'], columns: ['opened_at', 'type', 'about'], scoped: true },
  snapshots: { key: ['session'], columns: ['seq', 'version', 'body'], scoped: true },
  blob_references: { key: ['session', 'hash'], columns: [], scoped: true },
  inbox: { key: ['id'], columns: ['session', 'key', 'body', 'answer', 'settled_at', 'buried'] },
  creations: { key: ['key'], columns: ['digest', 'session'] },
  hosted: { key: ['session'], columns: ['body'] },
  fork_references: { key: ['origin', 'session'], columns: [] },
  set_aside: { key: ['number'], columns: ['session', 'first', 'last', 'checksum', 'body', 'reason', 'at'] },
  documents: { key: ['name'], columns: ['version', 'body'] },
  workers: { key: ['place'], columns: ['id', 'body'] },
  jobs: { key: ['place'], columns: ['id', 'body'] },
} as const satisfies Readonly<Record<string, TableShape>>;

export type CopiedTable = keyof typeof tableShapes;

export const copiedTables = Object.keys(tableShapes) as readonly CopiedTable[];

export type CopiedRow = Readonly<Record<string, string | number | null>>;

/** One store, opened for copying only. */
export interface CopySide extends AsyncDisposable {
  /** For people. */
  readonly name: string;
  readonly blobs: Blobs;
  /** Names this process as one that uses the store, so that no second copy starts beside it. */
  enter(): Promise<void>;
  leave(): Promise<void>;
  state(): Promise<StoreState>;
  setState(state: StoreState): Promise<void>;
  /** Other processes that may still use it, for people. */
  living(): Promise<readonly string[]>;
  /** Rows after a row, by key. */
  page(table: CopiedTable, after: CopiedRow | undefined, limit: number): Promise<readonly CopiedRow[]>;
  /** Adds rows that aren't there, all or none. */
  put(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void>;
  /** The row with the highest key. */
  last(table: CopiedTable): Promise<CopiedRow | undefined>;
}

/** The columns of a copied row, in order. */
export function columnsOf(table: CopiedTable): readonly string[] {
  const { key, columns } = tableShapes[table];
  return [...key, ...columns];
}
