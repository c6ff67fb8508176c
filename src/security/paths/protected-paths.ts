/**
 * Names in a project that decide what runs on the host (S7, first tier), and how a sandbox protects them.
 *
 * 1. Each is a separate mount point, and so is every folder between it and the root. Otherwise a command could move
 *    it away and replace it with a copy.
 * 2. A missing path can't be protected in advance. `appeared` finds what a command created there.
 * 3. A symbolic link can't be protected at all. In that case commands don't run without approval.
 */
import path from 'node:path';

import { linkOnTheWay, statsAt } from './link-on-the-way.ts';
import { runsOnHost } from './protected-names.ts';

/** Repository folders that no commit touches and that decide what git or Rondo starts. */
const HELD_IN_GIT: readonly string[] = ['hooks', 'info', 'modules', 'worktrees', 'rondo'];

/** Repository files that git replaces when it changes them, so they can't be mounted. */
const COMPARED_IN_GIT: readonly string[] = ['config', 'config.worktree', 'commondir', 'gitdir'];

/**
 * How a command may write to the repository. `work`: not at all. `commits`: only to the repository. `checkouts`:
 * git itself changes files of the work tree, including protected ones, which are compared afterwards.
 */
export type SandboxProfile = 'work' | 'commits' | 'checkouts';

interface ProfileNames {
  /** Mounted read-only. */
  readonly mounted: readonly string[];
  /** Compared after the command ends, and restored. The same applies to mounted paths that were missing. */
  readonly compared: readonly string[];
  /** Moved away if they appear. */
  readonly watched: readonly string[];
}

/**
 * `hooks`: folders of the root in which git looks for hooks. `repository`: paths of a git folder itself, which may
 * lie outside the roots.
 */
export function profileNames(
  profile: SandboxProfile,
  hooks: readonly string[] = [],
): {
  readonly root: ProfileNames;
  readonly repository: ProfileNames;
} {
  const repository = { mounted: HELD_IN_GIT, compared: COMPARED_IN_GIT, watched: [] };
  const inGit = (names: readonly string[]) => names.map((name) => `.git/${name}`);
  const all = [...runsOnHost, ...hooks];
  const besidesGit = all.filter((name) => name !== '.git');
  switch (profile) {
    case 'work':
      return {
        root: { mounted: all, compared: [], watched: all },
        repository: { mounted: [], compared: [], watched: [] },
      };
    case 'commits':
      return {
        root: {
          mounted: [...besidesGit, ...inGit(HELD_IN_GIT)],
          compared: inGit(COMPARED_IN_GIT),
          watched: besidesGit,
        },
        repository,
      };
    case 'checkouts':
      return {
        root: {
          mounted: inGit(HELD_IN_GIT),
          compared: [...besidesGit, ...inGit(COMPARED_IN_GIT)],
          watched: besidesGit,
        },
        repository,
      };
  }
}

export interface Protection {
  /** Existing paths to mount read-only. */
  readonly present: readonly string[];
  /** Folders between these paths and the root, to mount unchanged. */
  readonly parents: readonly string[];
  readonly missing: readonly string[];
  readonly links: readonly string[];
}

/** Synchronous: some 20 local lookups cost less than one turn of the event loop each, and every command waits for them. */
export function protectionOf(root: string, names: readonly string[]): Protection {
  const kinds = names.map((name) => kindOf(root, name));
  const of = (kind: Kind) =>
    names.filter((_, index) => kinds[index] === kind).map((name) => path.join(root, name));
  const present = of('there');
  const parents = new Set(present.flatMap((file) => between(root, file)));
  return { present, parents: [...parents].toSorted(), missing: of('missing'), links: of('link') };
}

/**
 * Returns those of the missing paths that now exist. If a folder on the way is now a link, it returns the link: what is
 * behind it isn't the command's. The paths are real ones, so no link was on the way before.
 */
export function appeared(missing: readonly string[]): readonly string[] {
  const places = missing.flatMap((file) => linkOnTheWay('/', file) ?? (statsAt(file) === undefined ? [] : [file]));
  return [...new Set(places)];
}

type Kind = 'there' | 'missing' | 'link';

function kindOf(root: string, name: string): Kind {
  let at = root;
  for (const part of name.split('/')) {
    at = path.join(at, part);
    const stats = statsAt(at);
    if (stats === undefined) return 'missing';
    if (stats.isSymbolicLink()) return 'link';
  }
  return 'there';
}

function between(root: string, file: string): readonly string[] {
  const parent = path.dirname(file);
  return parent === root || !parent.startsWith(root + path.sep) ? [] : [...between(root, parent), parent];
}
