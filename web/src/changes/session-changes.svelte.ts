/** The changed files of a session's folder, and its worktree. Loaded again after every turn. */
import { callApi, getApi } from '../connection/api.ts';
import type { RondoApp } from '../connection/rondo-app.svelte.ts';
import { changedFiles, type ChangedFile, type WireDiff } from './changed-files.ts';

export interface Tree {
  readonly name: string;
  readonly branch: string;
  readonly baseBranch?: string;
  readonly session?: string;
  readonly uncommitted: number;
  /** Commits that only this branch has, and that only its base has. */
  readonly ahead: number;
  readonly behind: number;
}

export interface Changes {
  readonly files: readonly ChangedFile[] | undefined;
  readonly tree: Tree | undefined;
  readonly added: number;
  readonly removed: number;
  readonly problem: string | undefined;
  readonly isBusy: boolean;
  /** True if the worktree's commits are all in its base branch. */
  readonly isMerged: boolean;
  commit(message: string): Promise<boolean>;
  merge(): Promise<boolean>;
}

/** `moment` changes when files may have changed. */
export function createChanges(app: RondoApp, session: string, moment: () => unknown): Changes {
  let files = $state.raw<readonly ChangedFile[]>();
  let tree = $state.raw<Tree>();
  let problem = $state<string>();
  let isBusy = $state(false);
  let hasCommitted = $state(false);

  async function load(): Promise<void> {
    const [diff, trees] = await Promise.all([
      getApi<WireDiff>(`/sessions/${session}/diff?patch=true`),
      getApi<{ worktrees: readonly Tree[] }>('/worktrees'),
    ]);
    if (trees.type === 'ok') tree = trees.value.worktrees.find((one) => one.session === session);
    problem = diff.type === 'problem' && diff.code !== 'UNREACHABLE' ? diff.message : undefined;
    if (diff.type === 'ok') files = changedFiles(diff.value);
  }
  $effect(() => {
    void moment();
    const timer = setTimeout(() => void load(), 50);
    return () => clearTimeout(timer);
  });
  async function act(what: 'commit' | 'merge', body: object): Promise<boolean> {
    if (tree === undefined) return false;
    isBusy = true;
    const done = await callApi<{ into?: string }>('POST', `/worktrees/${encodeURIComponent(tree.name)}/${what}`, {
      body,
    });
    isBusy = false;
    if (done.type === 'ok') hasCommitted = true;
    const title =
      what === 'commit'
        ? 'Committed'
        : `Merged into ${done.type === 'ok' ? (done.value.into ?? 'its base branch') : ''}`;
    if (done.type === 'ok') app.toasts.add({ tone: 'good', title });
    else
      app.toasts.add({
        tone: 'bad',
        title: what === 'commit' ? 'Commit failed' : 'Merge failed',
        text: done.message,
      });
    await load();
    return done.type === 'ok';
  }
  const sum = (key: 'added' | 'removed') => (files ?? []).reduce((total, file) => total + file[key], 0);
  return {
    get files() {
      return files;
    },
    get tree() {
      return tree;
    },
    get added() {
      return sum('added');
    },
    get removed() {
      return sum('removed');
    },
    get problem() {
      return problem;
    },
    get isBusy() {
      return isBusy;
    },
    get isMerged() {
      return (
        tree !== undefined &&
        tree.uncommitted === 0 &&
        tree.ahead === 0 &&
        (hasCommitted || (files?.length ?? 0) > 0 || tree.behind > 0)
      );
    },
    commit: (message) => act('commit', { message }),
    merge: () => act('merge', {}),
  };
}
