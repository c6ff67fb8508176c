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

/** The largest effect of a call in the set, and the set in words. */
export const callSets = {
  edits: { effect: 'edit', words: 'changes of files in this folder that Rondo can restore' },
  commits: {
    effect: 'build',
    words: 'local git commands that lose nothing, such as add, commit, switch and stash',
  },
  checks: {
    effect: 'build',
    words: "this project's tests, linters, type checks and builds, as its scripts are now",
  },
} as const satisfies Readonly<Record<string, { readonly effect: Effect; readonly words: string }>>;

/** A part of a call that belongs to a set. A grant with another pin doesn't cover it. */
export interface SetFact {
  readonly name: CallSet;
  readonly pin?: string;
}

export function isCallSet(name: string): name is CallSet {
  return Object.hasOwn(callSets, name);
}
