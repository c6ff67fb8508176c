/**
 * Selects the stored sessions that a rule matches, and archives or deletes them.
 *
 * 1. A rule applies to sessions without a parent in this store; sub-agents follow their parent.
 * 2. Only idle sessions go; `remove-session.ts` lists what keeps a session.
 * 3. Before an archived session is removed, its bundle on disk is read back and verified. Nothing is redacted: an
 *    import restores the original.
 */
import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { readBundle } from '../journal/bundle/read-bundle.ts';
import type { DirectoryEntry, DirectoryState } from '../views/directory.ts';
import type { Store } from '../ports/store.ts';
import { Fault } from '../kernel/fault.ts';
import type { SessionId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import { exportSession } from './export-session.ts';
import { familyOf, removeSession, whyFamilyStays, type Removal, type RemovalParts } from './remove-session.ts';
import { writePieces } from './write-pieces.ts';

export interface RetentionRule {
  readonly olderThanMs?: number;
  /** Bytes of the session with its sub-agents. */
  readonly largerThan?: number;
  /** Default: idle and closed. */
  readonly states?: readonly DirectoryState[];
}

export interface Candidate {
  readonly entry: DirectoryEntry;
  readonly family: readonly SessionId[];
  readonly bytes: number;
  /** Why it stays although the rule matches. */
  readonly stays?: string;
}

export type RetentionAction = { readonly type: 'delete' } | { readonly type: 'archive'; readonly folder: string };

export interface RetentionParts extends RemovalParts {
  readonly store: Store;
}

export async function candidatesFor(
  { store, clock }: RetentionParts,
  { olderThanMs = 0, largerThan = 0, states = ['idle', 'closed'] }: RetentionRule,
): Promise<readonly Candidate[]> {
  const sizes = await store.upkeep.sizes();
  const candidates: Candidate[] = [];
  for await (const entry of everyEntry(store)) {
    const isOld = clock.now() - entry.updatedAt >= olderThanMs;
    if (!isOld || !states.includes(entry.state) || (entry.parent !== undefined && sizes.has(entry.parent)))
      continue;
    const family = await familyOf(store, entry.session);
    const bytes = family.reduce((sum, session) => sum + (sizes.get(session) ?? 0), 0);
    if (bytes < largerThan) continue;
    const kept = await whyFamilyStays(store, family);
    candidates.push({ entry, family, bytes, ...optional({ stays: kept?.why }) });
  }
  return candidates;
}

export async function retire(
  parts: RetentionParts,
  { entry }: Candidate,
  action: RetentionAction,
): Promise<Removal> {
  const { session } = entry;
  if (action.type === 'delete') return removeSession(parts, session);
  // Data outside the store stays, for a later import.
  const { store, clock } = parts;
  return removeSession({ store, clock }, session, () => archive(parts, session, action.folder));
}

async function archive({ store, clock }: RetentionParts, session: SessionId, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = archiveFile(folder, session);
  const { pieces } = await exportSession(store, session, { format: 'bundle', children: 'all', at: clock.now() });
  await writePieces(pieces, file);
  const doing = `Archiving session ${session} in ${file}`;
  for await (const item of readBundle(createReadStream(file, 'utf8'), doing)) {
    if (item.type === 'problem') {
      throw new Fault(
        'damaged',
        `${doing}: ${item.what}. The session was kept; \`rondo doctor --repair\` repairs it.`,
      );
    }
  }
}

export function archiveFile(folder: string, session: SessionId): string {
  return path.join(folder, `${session}.rondo`);
}

async function* everyEntry({ journal }: Pick<Store, 'journal'>): AsyncGenerator<DirectoryEntry> {
  let cursor: string | undefined;
  do {
    const page = await journal.list({ limit: 200, ...optional({ cursor }) });
    yield* page.entries;
    cursor = page.cursor;
  } while (cursor !== undefined);
}
