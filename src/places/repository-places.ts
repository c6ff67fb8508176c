/**
 * Repositories as places of sessions (C154). A session's clone is in the home of the node that runs it. After each
 * change it is saved to the store, so that any node that reaches the repository can continue.
 *
 * Work is never destroyed: a folder that another node has overtaken is moved aside, not deleted.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';

import path from 'node:path';
import type { GitFailure } from '../git/git-call.ts';
import { gitText } from '../git/run-git.ts';
import { Fault } from '../kernel/fault.ts';
import type { SessionId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import {
  forkedHome,
  originFile,
  type Place,
  type PlaceMoved,
  type PushedBranch,
  type SavedFiles,
} from '../kernel/place.ts';
import { turnOf, type State } from '../kernel/state.ts';
import type { Blobs } from '../ports/blobs.ts';
import { runSetUp } from '../worktrees/set-up.ts';
import { cloneFromCache } from './clone.ts';
import { hasUnpushedWork, pushResult } from './push-result.ts';
import { repositoryAddress, type AddressCaller } from './repository-address.ts';
import {
  cacheFolder,
  openFetchedCache,
  fetchCommit,
  isOnRemote,
  openCache,
  resolveBase,
  type RepositoryCache,
} from './repository-cache.ts';
import { bundleClone, restoreBase, restoreBundle, storeBundle } from './save-clone.ts';
import { unsavedParts } from './unsaved-parts.ts';
import { removeUnusedCaches } from './unused-caches.ts';
import { wayOut } from './way-out.ts';
import { fileExists } from './file-exists.ts';
import { readHomeId, branchName, checkFolder, folderIn, moveAside, asideMark } from './place-folder.ts';

/** The repository that a new session works on. */
export interface PlaceRequest {
  readonly url: string;
  /** A branch, tag or commit. Default: the remote's default branch. */
  readonly ref?: string;
  /** Words for the branch's name. Default: the session's title. */
  readonly name?: string;
  /** A folder below the top of the repository. */
  readonly folder?: string;
  /** Pushes the result's branch after each turn. Default: true. */
  readonly push?: boolean;
  readonly caller?: AddressCaller;
}

export interface RepositoryPlaces {
  /** Clones the repository for a new session. Throws a `Fault` if that isn't possible. */
  open(session: SessionId, request: PlaceRequest, title?: string): Promise<{ cwd: string; place: Place }>;
  /** Makes sure that the clone is in this home. Undefined if it is already. */
  bring(state: State, epoch: number): Promise<PlaceMoved | undefined>;
  /** Undefined if nothing changed since the last time here. */
  save(state: State): Promise<SavedFiles | GitFailure | undefined>;
  /**
   * Commits what is left and pushes the result's branch. Undefined if nothing is new, or if `isOwner`, which is
   * asked right before the push, denies it.
   */
  push(state: State, isOwner?: () => Promise<boolean>): Promise<PushedBranch | GitFailure | undefined>;
  /** Deletes the clone of a removed session, unless it holds work that isn't pushed (P12). */
  forget(session: SessionId): Promise<void>;
}

export interface RepositoryPlacesParts extends PlacesHome {
  readonly blobs: Blobs;
  readonly redact: (text: string) => string;
}

/** Where clones are, and how they are set up. */
export interface PlacesHome {
  readonly home: string;
  /** Commands that create the files of a new clone that git ignores, such as `npm ci`. Default: none. */
  readonly setUp?: (cwd: string) => Promise<readonly string[]>;
}

export function createRepositoryPlaces({
  home,
  setUp = async () => [],
  blobs,
  redact,
}: RepositoryPlacesParts): RepositoryPlaces {
  const root = path.join(home, 'places');
  const saved = new Map<
    SessionId,
    { readonly fingerprint: string; readonly times: number; readonly isComplete: boolean }
  >();
  let own: Promise<string> | undefined;
  const homeId = () => (own ??= readHomeId(root));
  const folderOf = (session: SessionId, name: string) => path.join(root, session, name);

  async function cacheOf(
    { url }: Pick<Place, 'url'>,
    open: typeof openCache = openCache,
  ): Promise<RepositoryCache> {
    const address = checked(repositoryAddress(url, 'local'));
    await mkdir(home, { recursive: true, mode: 0o700 });
    return worked(await open(home, address));
  }

  /** The top of the session's clone in this home. */
  function cloneOf({ id, place }: State): string {
    const address = checked(repositoryAddress(place?.url ?? '', 'local'));
    return folderOf(id, address.name);
  }

  /** The same, unless its git folder leads elsewhere. */
  async function soundClone(state: State): Promise<string | GitFailure> {
    const folder = cloneOf(state);
    const address = checked(repositoryAddress(state.place?.url ?? '', 'local'));
    return (await wayOut(folder, cacheFolder(home, address))) ?? folder;
  }

  async function olderCopies(session: SessionId): Promise<readonly string[]> {
    const names = await readdir(root).catch(() => []);
    return names.filter((name) => name.startsWith(`${session}${asideMark}`)).map((name) => path.join(root, name));
  }

  /** Notes for `findProject` that this is a clone of the cache's repository, then runs its set-up commands. */
  async function prepare(session: SessionId, cache: RepositoryCache, top: string) {
    await writeFile(path.join(root, session, originFile), `${path.basename(cache.folder)}\n`, { mode: 0o600 });
    const commands = await setUp(top);
    return { commands, failed: await runSetUp(commands, { cwd: top, session }) };
  }

  return {
    async open(session, { url, ref, name, folder, push = true, caller = 'local' }, title) {
      const address = checked(repositoryAddress(url, caller));
      checkFolder(folder);
      const cache = await cacheOf(address, openFetchedCache);
      await removeUnusedCaches(home);
      const base = worked(await resolveBase(cache, ref));
      const branch = branchName(name ?? title, session);
      const top = folderOf(session, address.name);
      worked(await cloneFromCache({ cache, folder: top, base, branch }));
      const cwd = await folderIn(top, folder);
      const dropped = () => rm(path.join(root, session), { recursive: true, force: true });
      if (cwd === undefined) {
        await dropped();
        throw new Fault(
          'not-found',
          `Repository ${url} has no folder ${folder}, or that leads out of the repository.`,
        );
      }
      const { failed } = await prepare(session, cache, top);
      if (failed !== undefined) {
        await dropped();
        throw new Fault('process', `Setting up the clone of ${url}: ${failed.problem}.\n${failed.output}`.trim());
      }
      const place: Place = {
        url: address.url,
        base,
        branch,
        push,
        home: await homeId(),
        ...optional({ ref, folder }),
      };
      return { cwd, place };
    },

    async bring(state, epoch) {
      const { id, place, saved: files } = state;
      if (place === undefined) return undefined;
      const top = cloneOf(state);
      const here = await homeId();
      if (place.home === here && (await fileExists(path.join(top, '.git')))) return undefined;
      const cache = await cacheOf(place, openFetchedCache);
      if (files?.isComplete === true) worked(await restoreBase(cache, id, files, blobs));
      worked(await fetchCommit(cache, place.base));
      await moveAside(path.join(root, id), top, epoch);
      worked(
        await cloneFromCache({
          cache,
          folder: top,
          base: place.base,
          branch: place.branch,
          ...(files !== undefined && { fill: (folder) => restoreBundle(folder, files, blobs) }),
        }),
      );
      const cwd = await folderIn(top, place.folder);
      const { commands, failed } = await prepare(id, cache, top);
      const isNew = state.usage.turns === 0 && turnOf(state) === undefined;
      const missing = [
        ...(isNew
          ? []
          : [files === undefined ? 'all changes: nothing was saved yet' : await changesSince(top, files)]),
        ...(isNew ? [] : [ignoredFiles(commands)]),
        ...(failed === undefined ? [] : [`what the set-up makes: ${failed.problem}`]),
        ...(await unsavedParts(top)),
        ...(files?.leftOut ?? []),
        ...(cwd === undefined ? [`the folder ${place.folder}: it was gone when the files were saved`] : []),
        ...(await olderCopies(id)).map((aside) => `an older copy from this machine is in ${aside}`),
      ];
      return {
        ...(place.home === forkedHome && { isFork: true }),
        cwd: cwd ?? top,
        home: here,
        missing,
      };
    },

    async save(state) {
      const { id, place } = state;
      if (place === undefined || place.home !== (await homeId())) return undefined;
      const last = saved.get(id);
      const times = (last?.times ?? 0) + 1;
      const isComplete =
        last?.isComplete === true ||
        state.saved?.isComplete === true ||
        (times % checkedEvery === 0 && !(await isOnRemote(await cacheOf(place), place.base)));
      const folder = await soundClone(state);
      if (typeof folder !== 'string') return folder;
      const made = await bundleClone(folder, place.base, { since: last?.fingerprint, isComplete });
      if (made === undefined || 'type' in made) return made;
      await using bundle = made;
      if (bundle.bytes > mostBytes) return tooLarge(bundle.bytes);
      const files = await storeBundle(bundle, blobs);
      saved.set(id, { fingerprint: bundle.fingerprint, times, isComplete });
      return files;
    },

    async push(state, isOwner) {
      const { id, place, pushed, title } = state;
      if (place === undefined || !place.push || place.home !== (await homeId())) return undefined;
      const cache = await cacheOf(place);
      const message = `${title ?? 'Changes by Rondo'}\n\nRondo session ${id}\n`;
      const folder = await soundClone(state);
      if (typeof folder !== 'string') return folder;
      const { base } = place;
      // A session that began without words is named by its title once there is something to push.
      const isUnnamed = place.branch === branchName(undefined, id);
      const branch = pushed?.branch ?? (isUnnamed ? branchName(title, id) : place.branch);
      const request = { cache, folder, session: id, base, branch, message, redact };
      return await pushResult({ ...request, ...optional({ before: pushed?.commit, isOwner }) });
    },

    async forget(session) {
      saved.delete(session);
      for (const folder of [path.join(root, session), ...(await olderCopies(session))]) {
        const names = (await readdir(folder).catch(() => [])).filter((name) => name !== originFile);
        const holdsWork = await Promise.all(names.map((name) => hasUnpushedWork(path.join(folder, name))));
        if (!holdsWork.includes(true)) await rm(folder, { recursive: true, force: true });
      }
      await removeUnusedCaches(home);
    },
  };
}

async function changesSince(top: string, { commit }: SavedFiles): Promise<string> {
  const text = await gitText({ cwd: top, dir: 'generated', args: ['show', '--no-patch', '--format=%ct', commit] });
  const savedAt = typeof text === 'string' ? new Date(Number(text) * 1000) : undefined;
  const since = savedAt?.toISOString().replace(/^(.*)T(.*)\.000Z$/, '$1 $2 UTC') ?? 'the last save';
  return `changes after ${since}, when the files were saved last`;
}

function ignoredFiles(commands: readonly string[]): string {
  if (commands.length === 0) return 'files that git ignores, such as installed packages';
  return `files that git ignores, except what ${commands.map((one) => `\`${one}\``).join(', ')} made again`;
}

function checked(address: ReturnType<typeof repositoryAddress>): { readonly url: string; readonly name: string } {
  if (address.type === 'refused') throw new Fault('not-found', address.message);
  return address;
}

function worked<Value>(answer: Value | GitFailure): Exclude<Value, GitFailure> {
  if (typeof answer === 'object' && answer !== null && 'type' in answer && answer.type === 'failed') {
    throw new Fault('process', answer.message);
  }
  return answer as Exclude<Value, GitFailure>;
}

function tooLarge(bytes: number): GitFailure {
  const [size, most] = [bytes, mostBytes].map((one) => `${Math.round(one / 1_000_000)} MB`);
  return { type: 'failed', message: `The changes take ${size}, more than the ${most} that Rondo saves.` };
}

const mostBytes = 200_000_000;
/** Check after this many saves that the remote still has the base. */
const checkedEvery = 20;
