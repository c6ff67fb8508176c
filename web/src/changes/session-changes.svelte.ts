/** The changed files of a session's folder, and its branch. Loaded again after every turn and action. */
import { counted } from '../../../src/wording/counted.ts';
import type { FolderChanges } from '../../../src/views/session-row.ts';
import { callApi, getApi } from '../connection/api.ts';
import type { RondoApp } from '../connection/rondo-app.svelte.ts';
import { changedFiles, type ChangedFile, type WireDiff } from './changed-files.ts';

interface Tree {
  readonly name: string;
  readonly branch: string;
  readonly baseBranch?: string;
  readonly session?: string;
  readonly uncommitted: number;
  /** Commits that only this branch has, and that only its base has. */
  readonly ahead: number;
  readonly behind: number;
}

/** What a push would send. */
export interface PushPlan {
  readonly remote: string;
  readonly url: string;
  readonly branch: string;
  readonly commit: string;
  readonly commits: readonly string[];
}

export interface Changes {
  readonly files: readonly ChangedFile[] | undefined;
  readonly tree: Tree | undefined;
  /** Not a worktree of this session: others may change it, too. Undefined until that is known. */
  readonly isShared: boolean | undefined;
  /** Of the folder, whether or not it is a worktree. */
  readonly branch: string | undefined;
  /** Of the folder. */
  readonly added: number;
  readonly removed: number;
  /** What this session changed itself. */
  readonly own: Pick<FolderChanges, 'added' | 'removed'>;
  readonly problem: string | undefined;
  readonly isBusy: boolean;
  /** What was merged, if the worktree's commits are all in its base branch. */
  readonly merged: string | undefined;
  /** Files that the next commit takes. */
  readonly selected: readonly ChangedFile[];
  isSelected(path: string): boolean;
  select(paths: readonly string[], isSelected: boolean): void;
  commit(message: string): Promise<boolean>;
  discard(files: readonly ChangedFile[]): Promise<boolean>;
  planPush(): Promise<PushPlan | undefined>;
  push(plan: PushPlan): Promise<boolean>;
  merge(): Promise<boolean>;
}

/** The server's answer to a commit, a discard, a push or a merge. */
interface ActionAnswer {
  readonly files?: readonly string[];
  readonly kept?: string;
  readonly into?: string;
}

const none = { added: 0, removed: 0 };

/** Changes when files may have changed. Undefined until the session is known. */
type FilesMoment = () => readonly unknown[] | 'no-folder' | undefined;

export function createChanges(app: RondoApp, session: string, moment: FilesMoment): Changes {
  let files = $state.raw<readonly ChangedFile[]>();
  let tree = $state.raw<Tree>();
  let isShared = $state<boolean>();
  let folder = $state.raw<FolderChanges>();
  let problem = $state<string>();
  let isBusy = $state(false);
  let deselected = $state.raw<ReadonlySet<string>>(new Set());
  let lastMerge = $state<string>();

  async function load(): Promise<void> {
    await Promise.all([loadBranch(), loadFiles(), loadTree()]);
  }
  async function loadBranch(): Promise<void> {
    const answer = await getApi<{ changes: Readonly<Record<string, FolderChanges>> }>(
      `/sessions/changes?sessions=${session}`,
    );
    if (answer.type === 'ok') folder = answer.value.changes[session];
  }
  async function loadFiles(): Promise<void> {
    const diff = await getApi<WireDiff>(`/sessions/${session}/diff?patch=true`);
    problem = diff.type === 'problem' && diff.code !== 'UNREACHABLE' ? diff.message : undefined;
    if (diff.type === 'ok') files = changedFiles(diff.value);
  }
  async function loadTree(): Promise<void> {
    const trees = await getApi<{ worktrees: readonly Tree[] }>('/worktrees');
    if (trees.type === 'problem') return;
    tree = trees.value.worktrees.find((one) => one.session === session);
    isShared = tree === undefined;
  }
  $effect(() => {
    const at = moment();
    if (at === 'no-folder') files = [];
    if (at === undefined || at === 'no-folder') return undefined;
    const timer = setTimeout(() => void load(), 50);
    return () => clearTimeout(timer);
  });
  /** Runs one action at a time. Its outcome is a toast. */
  async function act(
    place: string,
    body: object,
    words: { readonly failed: string; done(answer: ActionAnswer): { title: string; text?: string } },
  ): Promise<boolean> {
    isBusy = true;
    const done = await callApi<ActionAnswer>('POST', place, { body });
    isBusy = false;
    if (done.type === 'ok') app.toasts.add({ tone: 'good', ...words.done(done.value) });
    else app.toasts.add({ tone: 'bad', title: words.failed, text: done.message });
    await load();
    return done.type === 'ok';
  }
  const sum = (key: 'added' | 'removed') => (files ?? []).reduce((total, file) => total + file[key], 0);
  const pathsOf = (chosen: readonly ChangedFile[]) =>
    chosen.flatMap(({ path, was }) => (was === undefined ? [path] : [path, was]));
  const selected = () => (files ?? []).filter(({ path, isUncommitted }) => isUncommitted && !deselected.has(path));
  return {
    get files() {
      return files;
    },
    get tree() {
      return tree;
    },
    get isShared() {
      return isShared;
    },
    get branch() {
      return folder?.branch ?? tree?.branch;
    },
    get added() {
      return sum('added');
    },
    get removed() {
      return sum('removed');
    },
    get own() {
      return folder ?? none;
    },
    get problem() {
      return problem;
    },
    get isBusy() {
      return isBusy;
    },
    get merged() {
      if (tree === undefined || tree.uncommitted > 0 || tree.ahead > 0) return undefined;
      if (lastMerge !== undefined) return lastMerge;
      const isBehind = tree.behind > 0 || (files?.length ?? 0) > 0;
      return isBehind ? `All commits of ${tree.branch} are in ${tree.baseBranch ?? 'its base branch'}` : undefined;
    },
    get selected() {
      return selected();
    },
    isSelected: (path) => !deselected.has(path),
    select(paths, isSelected) {
      const rest = [...deselected].filter((path) => !paths.includes(path));
      deselected = new Set(isSelected ? rest : [...rest, ...paths]);
    },
    commit: (message) =>
      act(
        `/sessions/${session}/commit`,
        { message, paths: pathsOf(selected()) },
        {
          failed: 'Commit failed',
          done: ({ files: done = [] }) => ({
            title: `Committed ${counted(done.length, 'file')}`,
          }),
        },
      ),
    discard: (chosen) =>
      act(
        `/sessions/${session}/discard`,
        { paths: pathsOf(chosen) },
        {
          failed: 'Discard failed',
          done: ({ files: done = [], kept = '' }) => ({
            title: `Discarded changes to ${counted(done.length, 'file')}`,
            text: `A copy is kept in git as ${kept}`,
          }),
        },
      ),
    async planPush() {
      const plan = await getApi<PushPlan>(`/sessions/${session}/push`);
      if (plan.type === 'ok') return plan.value;
      app.toasts.add({ tone: 'bad', title: "Can't push", text: plan.message });
      return undefined;
    },
    push: ({ remote, branch, commit }) =>
      act(
        `/sessions/${session}/push`,
        { remote, branch, commit },
        { failed: 'Push failed', done: () => ({ title: `Pushed ${branch} to ${remote}` }) },
      ),
    async merge() {
      if (tree === undefined) return false;
      const about = `${counted(tree.ahead, 'commit')}, ${counted(files?.length ?? 0, 'file')}, +${sum('added')} −${sum('removed')}`;
      return act(
        `/worktrees/${encodeURIComponent(tree.name)}/merge`,
        {},
        {
          failed: 'Merge failed',
          done: ({ into }) => {
            lastMerge = `Merged into ${into ?? 'its base branch'}: ${about}`;
            return { title: lastMerge };
          },
        },
      );
    },
  };
}
