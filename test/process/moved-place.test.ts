/** What a move to another home must not lose or overwrite, on real git. */
import { existsSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { createPlaceKeeper } from '../../src/assembly/sessions/keep-places.ts';
import { createMemoryStore } from '../../src/journal/memory-store.ts';
import { host } from '../../src/kernel/actor.ts';
import { optional } from '../../src/kernel/optional.ts';
import { newState, type State } from '../../src/kernel/state.ts';
import type { SavedFiles } from '../../src/kernel/place.ts';
import { createFakeClock } from '../../src/testing/fake-clock.ts';
import { branchesOf } from '../fixtures/bare-remote.ts';
import { createPlaceScene as createScene, expectSaved, id, read, unsavedSince } from '../fixtures/place-scene.ts';

test('[C154] a moved session learns what its clone may lack: submodules, LFS objects, large files', async () => {
  const { remote, work, git, home, stateOf } = createScene();
  git(work, 'submodule', '--quiet', 'add', remote, 'libs/list');
  writeFileSync(path.join(work, '.gitattributes'), '*.bin filter=lfs diff=lfs merge=lfs -text\n');
  git(work, 'add', '.');
  git(work, 'commit', '--quiet', '-m', 'with submodule');
  git(work, 'push', '--quiet', 'origin', 'main');
  const a = home('a');
  const opened = await a.open(id, { url: remote });
  writeFileSync(path.join(opened.cwd, 'huge.log'), '');
  truncateSync(path.join(opened.cwd, 'huge.log'), 65 * 1024 * 1024);
  const saved = expectSaved(await a.save(stateOf(opened)));
  const moved = await home('b').bring(stateOf(opened, { saved }), 2);
  expect(moved?.missing).toEqual([
    unsavedSince,
    'files that git ignores, such as installed packages',
    'submodules (libs/list): run `git submodule update --init`; changes inside them were not saved',
    'Git LFS files: run `git lfs pull`; objects that were never pushed are on the other machine only',
    'huge.log (too-large)',
  ]);
});

test('[C154] a session whose folder was renamed in its clone continues at the top of the next one', async () => {
  const { root, remote, home, stateOf } = createScene();
  const a = home('a');
  const opened = await a.open(id, { url: remote, folder: 'docs' });
  renameSync(opened.cwd, path.join(path.dirname(opened.cwd), 'manual'));
  const saved = expectSaved(await a.save(stateOf(opened)));
  const moved = await home('b').bring(stateOf(opened, { saved }), 2);
  expect(moved).toMatchObject({ cwd: path.join(root, 'b/places', id, 'remote') });
  expect(moved?.missing.at(-1)).toBe('the folder docs: it was gone when the files were saved');
});

test('[C154] set-up commands make again what git ignores; one that fails stops a start, but no take-over', async () => {
  const { root, remote, home, stateOf } = createScene();
  const setUp = ['mkdir ignored', 'echo made > ignored/package'];
  const a = home('a', setUp);
  const opened = await a.open(id, { url: remote });
  expect(read(opened.cwd, 'ignored/package')).toBe('made\n');
  const saved = expectSaved(await a.save(stateOf(opened)));
  const there = await home('b', setUp).bring(stateOf(opened, { saved }), 2);
  expect(read(there?.cwd ?? '', 'ignored/package')).toBe('made\n');
  expect(there?.missing).toEqual([
    unsavedSince,
    'files that git ignores, except what `mkdir ignored`, `echo made > ignored/package` made again',
  ]);
  const failing = ['echo no registry >&2; exit 7', 'touch never'];
  const moved = await home('c', failing).bring(stateOf(opened, { saved }), 3);
  expect(moved?.missing).toContain('what the set-up makes: `echo no registry >&2; exit 7` ended with exit code 7');
  expect(existsSync(path.join(moved?.cwd ?? '', 'never'))).toBe(false);
  await expect(home('d', failing).open(id, { url: remote })).rejects.toThrow(
    `Setting up the clone of ${remote}: \`echo no registry >&2; exit 7\` ended with exit code 7.\nno registry`,
  );
  expect(existsSync(path.join(root, 'd/places', id))).toBe(false);
});

test('[C154] a session that moves before its first turn lacks nothing', async () => {
  const { remote, home, stateOf } = createScene();
  const opened = await home('a').open(id, { url: remote });
  const { usage } = newState(id);
  expect(await home('b').bring(stateOf(opened, { usage }), 2)).toMatchObject({ missing: [] });
});

test('[C154] files are saved every five minutes while one call runs', async () => {
  const { remote, home, stateOf } = createScene();
  const places = home('a');
  const opened = await places.open(id, { url: remote });
  const clock = createFakeClock();
  const sent: string[] = [];
  const turn = { ...stateOf(opened), phase: { type: 'turn', turn: {} } } as State;
  let state = turn;
  const keeper = createPlaceKeeper({
    places: async () => places,
    live: () => ({ state, submit: async ({ type }: { type: string }) => void sent.push(type) }) as never,
    leases: createMemoryStore().leases,
    clock,
    logger: { log: () => undefined },
  });
  const wait = async (minutes: number) => {
    await clock.advance(minutes * 60_000);
    await keeper.settled(id);
  };
  keeper.saw(id, { seq: 1, at: 0, by: host, event: { type: 'calls-described', calls: [] } as never }, turn);
  for (const text of ['first\n', 'second\n']) {
    writeFileSync(path.join(opened.cwd, 'a.txt'), text);
    const before = sent.length;
    await wait(4);
    expect(sent).toHaveLength(before);
    await wait(2);
    expect(sent).toHaveLength(before + 1);
  }
  state = stateOf(opened);
  await wait(6);
  expect(clock.armed).toEqual([]);
});

test('[C154][O1] an owner that lost its session pushes nothing, and the new owner pushes the branch', async () => {
  const { remote, git, home, stateOf } = createScene();
  const first = createMemoryStore();
  const second = first.another();
  const keeperOf = (name: string, store: typeof first) => {
    const places = home(name);
    return createPlaceKeeper({
      places: async () => places,
      live: () => undefined,
      leases: store.leases,
      clock: createFakeClock(),
      logger: { log: () => undefined },
    });
  };
  const [a, b] = [home('a'), home('b')];
  const opened = await a.open(id, { url: remote });
  writeFileSync(path.join(opened.cwd, 'a.txt'), 'of the first\n');
  const saved = expectSaved(await a.save(stateOf(opened)));
  await second.leases.claim(id);
  const moved = await b.bring(stateOf(opened, { saved }), 2);
  writeFileSync(path.join(moved?.cwd ?? '', 'a.txt'), 'of the second\n');
  const ended = { type: 'turn-ended', ending: { type: 'completed' } } as const;
  const end = async (keeper: ReturnType<typeof keeperOf>, state: Parameters<typeof keeper.saw>[2]) => {
    keeper.saw(id, { seq: 1, at: 0, by: host, event: ended }, state);
    await keeper.settled(id);
  };
  await end(keeperOf('a', first), stateOf(opened));
  expect(branchesOf(remote)).toEqual(['main']);
  const { home: there = '' } = moved ?? {};
  await end(keeperOf('b', second), stateOf({ ...opened, place: { ...opened.place, home: there } }, { saved }));
  expect(branchesOf(remote)).toEqual(['main', 'rondo/fix-the-list-etest1']);
  expect(git(remote, 'show', 'rondo/fix-the-list-etest1:a.txt')).toBe('of the second');
});

test('[C154][P2] a base that is force-pushed away is saved with the files, so that another home restores them', async () => {
  const { remote, work, git, home, stateOf } = createScene();
  const a = home('a');
  const opened = await a.open(id, { url: remote });
  git(work, 'commit', '--quiet', '--amend', '-m', 'rewritten');
  git(work, 'push', '--quiet', '--force', 'origin', 'main');
  git(remote, 'reflog', 'expire', '--expire=now', '--all');
  git(remote, 'gc', '--quiet', '--prune=now');
  const savedAs = async (text: string) => {
    writeFileSync(path.join(opened.cwd, 'a.txt'), text);
    return expectSaved(await a.save(stateOf(opened)));
  };
  const first = await savedAs('save 1\n');
  await expect(home('b').bring(stateOf(opened, { saved: first }), 2)).rejects.toThrow(
    new RegExp(
      `Commit ${opened.place.base} is no longer in file://.*Push a branch or tag with it, then retry`,
      's',
    ),
  );
  const later: SavedFiles[] = [];
  for (let save = 2; save <= 20; save += 1) later.push(await savedAs(`save ${save}\n`));
  expect(later.map(({ isComplete }) => isComplete)).toEqual([...Array.from({ length: 18 }), true]);
  const moved = await home('b').bring(stateOf(opened, optional({ saved: later.at(-1) })), 2);
  expect({
    text: read(moved?.cwd ?? '', 'a.txt'),
    head: git(moved?.cwd ?? '', 'rev-parse', 'HEAD'),
  }).toEqual({ text: 'save 20\n', head: opened.place.base });
});
