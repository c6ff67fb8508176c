/** The sessions as the server reports them, sorted by relevance. */
import { stateText } from '../../../src/wording/state.ts';
import type { DirectoryMessage } from '../../../src/protocol/server-message.ts';
import type { DirectoryEntry } from '../../../src/views/directory.ts';
import type { Glyph } from '../look/glyph.ts';

export type Directory = ReadonlyMap<string, DirectoryEntry>;

/** A page only replaces the entries it contains, because it lists only the newest ones. */
export function directoryWith(directory: Directory, { entries }: Pick<DirectoryMessage, 'entries'>): Directory {
  const next = new Map(directory);
  for (const entry of entries) {
    const had = next.get(entry.session);
    if (had === undefined || had.updatedAt <= entry.updatedAt) next.set(entry.session, entry);
  }
  return next;
}

export interface DirectoryFilter {
  readonly words: string;
  readonly state: 'all' | 'open' | DirectoryEntry['state'];
  readonly agent?: string;
}

export interface SessionGroup {
  readonly name: string;
  readonly entries: readonly DirectoryEntry[];
}

/** Sessions that wait for a person first, then working ones, then the rest by last change. */
function orderOf(entry: DirectoryEntry): number {
  if (entry.questions > 0) return 0;
  switch (entry.state) {
    case 'waiting':
      return 0;
    case 'running':
    case 'cancelling':
      return 1;
    case 'idle':
      return 2;
    case 'closed':
      return 3;
  }
}

export function sortedEntries(entries: Iterable<DirectoryEntry>): readonly DirectoryEntry[] {
  return [...entries].toSorted((a, b) => orderOf(a) - orderOf(b) || b.updatedAt - a.updatedAt);
}

export function matchingEntries(
  entries: Iterable<DirectoryEntry>,
  { words, state, agent }: DirectoryFilter,
): readonly DirectoryEntry[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return sortedEntries(entries).filter((entry) => {
    if (state === 'open' ? entry.state === 'closed' : state !== 'all' && !isInState(entry, state)) return false;
    if (agent !== undefined && entry.agent !== agent) return false;
    const text = `${entry.title} ${entry.agent} ${entry.cwd} ${entry.session}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

function isInState(entry: DirectoryEntry, state: DirectoryEntry['state']): boolean {
  return state === 'waiting' ? orderOf(entry) === 0 : entry.state === state;
}

export function byAttention(entries: readonly DirectoryEntry[]): readonly SessionGroup[] {
  const names = (['waiting', 'running', 'idle', 'closed'] as const).map(stateText);
  return names
    .map((name, order) => ({ name, entries: entries.filter((entry) => orderOf(entry) === order) }))
    .filter(({ entries: those }) => those.length > 0);
}

export function byProject(entries: readonly DirectoryEntry[]): readonly SessionGroup[] {
  const groups = new Map<string, DirectoryEntry[]>();
  for (const entry of entries) {
    const those = groups.get(entry.cwd);
    if (those === undefined) groups.set(entry.cwd, [entry]);
    else those.push(entry);
  }
  return [...groups].map(([name, those]) => ({ name, entries: those }));
}

/** Rondo names a worktree after its session, and the parent folder after the project. */
const ownWorktree = /[\\/]worktrees[\\/]([^\\/]+)-[0-9a-f]{8}[\\/][^\\/]+$/;

export function projectName(cwd: string): string {
  const [, project] = ownWorktree.exec(cwd) ?? [];
  if (project !== undefined) return project;
  return cwd.split(/[\\/]/).findLast((part) => part !== '') ?? cwd;
}

export function titleOf({ title, session }: Pick<DirectoryEntry, 'title' | 'session'>): string {
  return title === '' ? `Session ${session.slice(-6)}` : title;
}

/** The shape of a session's state. */
export function glyphOf(entry: DirectoryEntry): Glyph {
  if (entry.questions > 0) return 'need';
  switch (entry.state) {
    case 'waiting':
      return 'need';
    case 'running':
    case 'cancelling':
      return 'work';
    case 'idle':
      return 'idle';
    case 'closed':
      return 'stop';
  }
}

export interface Project {
  readonly cwd: string;
  readonly name: string;
  /** The most urgent state of its sessions. */
  readonly glyph: Glyph;
}

/** The folders with open sessions, most urgent first. */
export function projectsIn(entries: Iterable<DirectoryEntry>): readonly Project[] {
  const projects = new Map<string, Project>();
  for (const entry of sortedEntries(entries)) {
    const name = projectName(entry.cwd);
    if (entry.state !== 'closed' && !projects.has(name))
      projects.set(name, { cwd: entry.cwd, name, glyph: glyphOf(entry) });
  }
  return [...projects.values()];
}
