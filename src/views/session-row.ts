/** A row of the list of sessions: the directory's entry, with the group it belongs to and what its workers do. */
import type { DirectoryEntry } from './directory.ts';
import type { Wait } from './waits-for.ts';

/** In the order of the list. */
export const sessionGroups = ['needs-you', 'failed', 'working', 'unread', 'earlier'] as const;
export type SessionGroup = (typeof sessionGroups)[number];

/** What the list can be narrowed to. */
export type SessionFilter = SessionGroup | 'any-failed';

/** With what it waits for, if no running node can do its work: then a person decides. */
export interface SessionRow extends DirectoryEntry, Wait {
  readonly group: SessionGroup;
  readonly isPinned?: true;
  readonly isArchived?: true;
  /** Sessions that work for this one, at any depth. Absent without workers. */
  readonly team?: { readonly active: number; readonly waiting: number };
}

/** What a session last said and changed. */
export interface SessionOutcome {
  readonly sentence?: string;
  readonly added: number;
  readonly removed: number;
  /** The result of the last test run. */
  readonly tests?: 'passed' | 'failed';
  /** How far the plan of the last turn is. */
  readonly plan?: { readonly done: number; readonly total: number };
}

/** The branch of a session's folder, and the lines that the session itself changed. */
export interface FolderChanges {
  readonly branch?: string;
  readonly added: number;
  readonly removed: number;
}

/** A folder that has sessions, with the most urgent state among them. */
interface ListedProject {
  readonly name: string;
  readonly cwd: string;
  readonly group: SessionGroup;
  readonly sessions: number;
  readonly updatedAt: number;
}

/** A page of the list. Counts cover everything that matches, not only this page. */
export interface SessionList {
  readonly rows: readonly SessionRow[];
  readonly offset: number;
  readonly total: number;
  readonly counts: Readonly<Record<SessionFilter | 'all' | 'archived', number>>;
  /** The sizes of the groups in this order of rows: states, or projects. */
  readonly sections: readonly { readonly name: string; readonly count: number }[];
  readonly projects: readonly ListedProject[];
  readonly agents: readonly string[];
  /** Messages are still being searched: ask again for the rest. */
  readonly isSearching?: true;
}

interface ListMarks {
  readonly seenAt?: number;
  /** No running node can do its work. */
  readonly isStranded?: boolean;
  /** Turns that ended before this time count as read. */
  readonly since: number;
}

/** A session whose worker waits for a person needs that person too, as does one that no node can work on. */
export function groupOf(
  entry: DirectoryEntry,
  team: SessionRow['team'],
  { seenAt = 0, isStranded = false, since }: ListMarks,
): SessionGroup {
  if (isStranded || entry.questions > 0 || (team?.waiting ?? 0) > 0) return 'needs-you';
  switch (entry.state) {
    case 'waiting':
      return 'needs-you';
    case 'running':
    case 'cancelling':
      return 'working';
    case 'closed':
      return 'earlier';
    case 'idle': {
      const isSeen = entry.updatedAt <= Math.max(seenAt, since);
      if (isSeen || entry.turns === 0) return 'earlier';
      return isFailure(entry.ending) ? 'failed' : entry.ending === 'completed' ? 'unread' : 'earlier';
    }
  }
}

/** True if the last turn failed and nothing happens since, whether a person has read it or not. */
export function hasFailed({ group, ending }: Pick<SessionRow, 'group' | 'ending'>): boolean {
  return group === 'failed' || (group === 'earlier' && isFailure(ending));
}

function isFailure(ending: DirectoryEntry['ending']): boolean {
  return ending === 'failed' || ending === 'timed-out';
}

/** Rondo names a worktree after its session, and the parent folder after the project. */
const ownWorktree = /[\\/]worktrees[\\/]([^\\/]+)-[0-9a-f]{8}[\\/][^\\/]+$/;

export function isOwnWorktree(cwd: string): boolean {
  return ownWorktree.test(cwd);
}

export function projectName(cwd: string): string {
  const [, project] = ownWorktree.exec(cwd) ?? [];
  if (project !== undefined) return project;
  return cwd.split(/[\\/]/).findLast((part) => part !== '') ?? cwd;
}
