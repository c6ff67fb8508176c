import type { Effect } from './effect.ts';

/**
 * Everyday calls that one grant covers together, because each can be undone or runs the same code.
 *
 * - `edits`: changes of ordinary files that a checkpoint of the session's folder holds.
 * - `commits`: local changes of the repository that lose nothing: staging, committing, branches, stashes, merges.
 * - `checks`: the project's tests, linters, type checks and builds. They run code from the folder, so the grant is
 *   pinned to the text of the project's scripts.
 */
export type CallSet = keyof typeof callSets;

/** The largest effect of a call in the set, the set in words, and every kind of call that it covers. */
export const callSets = {
  edits: {
    effect: 'edit',
    words: 'changes of files in this folder that Rondo can restore',
    covers:
      'edit, write, delete, mkdir, touch, cp, mv, tee, rm, unlink, echo > FILE, cat > FILE; ' +
      'no secrets, and no files that decide what programs or agents do',
  },
  commits: {
    effect: 'build',
    words: 'local git commands that lose nothing, such as add, commit, switch and stash',
    covers:
      'git add, commit, switch, checkout BRANCH, stash, merge, branch, tag, cherry-pick, revert, restore --staged, ' +
      'reset, mv, rm, worktree list, git_commit; no branch that changes files which decide what programs or agents do',
  },
  checks: {
    effect: 'build',
    words: "this project's tests, linters, type checks and builds, as its scripts are now",
    covers:
      'package scripts and make, just or turbo targets named test, unit, spec, lint, check, types, tsc, format, fmt, ' +
      'build, compile or coverage; node --test; cargo, go, mvn, gradle and dotnet test, build, check, compile, clippy, ' +
      'vet, doc and fmt; pytest, mypy, ruff, black, flake8, vitest, jest, mocha, tsc, eslint, prettier, biome, oxlint, ava',
  },
} as const satisfies Readonly<
  Record<string, { readonly effect: Effect; readonly words: string; readonly covers: string }>
>;

/** A part of a call that belongs to a set. A grant with another pin doesn't cover it. */
export interface SetFact {
  readonly name: CallSet;
  readonly pin?: string;
}

export function isCallSet(name: string): name is CallSet {
  return Object.hasOwn(callSets, name);
}
