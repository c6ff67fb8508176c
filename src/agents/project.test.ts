import { expect, test } from 'vitest';

import { readProjectFiles } from './project-files.ts';
import { findProject } from './project.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

test('outside a repository only the folder itself counts', async () => {
  await using place = await temporaryFolder({ 'rondo.json': '{}', 'a/b/': '' });
  const home = place.at('home');
  expect((await findProject(place.at('a/b'), home)).parts).toEqual([]);
  expect((await findProject(place.folder, home)).parts).toEqual(['rondo.json']);
});

test("the user's own folder isn't a project, even with the name of one", async () => {
  await using place = await temporaryFolder({
    '.git/': '',
    '.rondo/config.json': '{}',
    'rondo.json': '{}',
    'a/': '',
  });
  const project = await findProject(place.at('a'), place.at('.rondo'));
  expect(project).toEqual({
    folder: place.folder,
    root: place.folder,
    identity: place.folder,
    parts: ['rondo.json'],
  });
  expect([...(await readProjectFiles(project)).files.keys()]).toEqual(['rondo.json']);
});

test('a worktree is known by its main repository, if that knows the worktree too', async () => {
  await using place = await temporaryFolder({
    'main/.git/worktrees/one/': '',
    'main/.git/worktrees/two/': '',
    'trees/one/pkg/rondo.json': '{}',
    'trees/liar/rondo.json': '{}',
  });
  const home = place.at('home');
  await place.write('trees/one/.git', `gitdir: ${place.at('main/.git/worktrees/one')}\n`);
  await place.write('main/.git/worktrees/one/gitdir', `${place.at('trees/one/.git')}\n`);
  await place.write('trees/liar/.git', `gitdir: ${place.at('main/.git/worktrees/one')}\n`);
  expect(await findProject(place.at('trees/one/pkg'), home)).toEqual({
    folder: place.at('trees/one/pkg'),
    root: place.at('trees/one'),
    identity: place.at('main/pkg'),
    parts: ['rondo.json'],
  });
  expect((await findProject(place.at('trees/liar'), home)).identity).toBe(place.at('trees/liar'));
});

test('a session’s clone is known by its repository, whatever it holds itself', async () => {
  await using place = await temporaryFolder({
    'home/places/ses_1/.repository': 'shop-0123.git\n',
    'home/places/ses_1/shop/.git/': '',
    'home/places/ses_1/shop/pkg/rondo.json': '{}',
    'home/places/ses_1/shop/deep/places/ses_2/.repository': 'bank-4567.git',
    'home/places/ses_1/shop/deep/places/ses_2/shop/.git/': '',
    'home/places/ses_3/.repository': '../../elsewhere.git',
    'home/places/ses_3/shop/.git/': '',
  });
  const home = place.at('home');
  const identityOf = async (folder: string) =>
    (await findProject(place.at(`home/places/${folder}`), home)).identity;
  expect([
    await identityOf('ses_1/shop'),
    await identityOf('ses_1/shop/pkg'),
    await identityOf('ses_1/shop/deep/places/ses_2/shop'),
    await identityOf('ses_3/shop'),
  ]).toEqual([
    place.at('home/repositories/shop-0123.git'),
    place.at('home/repositories/shop-0123.git/pkg'),
    place.at('home/places/ses_1/shop/deep/places/ses_2/shop'),
    place.at('home/repositories/elsewhere.git'),
  ]);
});

test('a worktree without a configuration has the one of its main repository', async () => {
  await using place = await temporaryFolder({
    'main/.git/worktrees/one/': '',
    'main/pkg/rondo.json': '{}',
    'trees/one/pkg/src/': '',
  });
  await place.write('trees/one/.git', `gitdir: ${place.at('main/.git/worktrees/one')}\n`);
  await place.write('main/.git/worktrees/one/gitdir', `${place.at('trees/one/.git')}\n`);
  expect(await findProject(place.at('trees/one/pkg/src'), place.at('home'))).toEqual({
    folder: place.at('main/pkg'),
    root: place.at('trees/one'),
    identity: place.at('main/pkg'),
    parts: ['rondo.json'],
  });
  expect(await findProject(place.at('trees/one'), place.at('home'))).toEqual({
    folder: place.at('trees/one'),
    root: place.at('trees/one'),
    identity: place.at('main'),
    parts: [],
  });
});

test('a folder that is not there is a fault that names it', async () => {
  await using place = await temporaryFolder();
  await expect(findProject(place.at('none'), place.at('home'))).rejects.toMatchObject({
    name: 'Fault',
    code: 'not-found',
    message: `Folder ${place.at('none')} doesn't exist. Create it, or choose another one.`,
  });
});
