/**
 * A git folder for looking at a repository: its own configuration, and links to what the repository holds. The
 * repository's configuration isn't read, so no filter, signature program, monitor, pager or hook of it can run.
 */
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import type { GitPlace } from './find-git-place.ts';
import { harmlessSettings, settingsToText } from './harmless-settings.ts';

interface GeneratedGitDir extends AsyncDisposable {
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * `more`: settings of the person's own, as configuration text. `index`: `copied` for commands that write a refreshed
 * index although a flag forbids it.
 */
export async function generateGitDir(
  { gitDir, commonDir, top }: GitPlace,
  more: string,
  index: 'named' | 'copied',
): Promise<GeneratedGitDir> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-git-'));
  const config = await readFile(path.join(commonDir, 'config'), 'utf8').catch(() => '');
  const settings = settingsToText(harmlessSettings(config));
  await Promise.all([mkdir(path.join(folder, 'info')), mkdir(path.join(folder, 'logs'))]);
  const link = (target: string, name: string) => symlink(target, path.join(folder, name));
  await Promise.all([
    writeFile(path.join(folder, 'config'), `${more}${settings}${FIXED}`),
    writeFile(path.join(folder, 'global'), more),
    link(path.join(commonDir, 'refs'), 'refs'),
    link(path.join(commonDir, 'objects'), 'objects'),
    link(path.join(commonDir, 'packed-refs'), 'packed-refs'),
    link(path.join(commonDir, 'reftable'), 'reftable'),
    link(path.join(commonDir, 'shallow'), 'shallow'),
    link(path.join(commonDir, 'info', 'exclude'), 'info/exclude'),
    link(path.join(gitDir, 'info', 'sparse-checkout'), 'info/sparse-checkout'),
    link(path.join(commonDir, 'logs', 'refs'), 'logs/refs'),
    link(path.join(gitDir, 'logs', 'HEAD'), 'logs/HEAD'),
    ...HEADS.map((name) => copyFile(path.join(gitDir, name), path.join(folder, name)).catch(() => undefined)),
    ...(await sharedIndexes(gitDir)).map((name) => link(path.join(gitDir, name), name)),
    ...(index === 'copied'
      ? [copyFile(path.join(gitDir, 'index'), path.join(folder, 'index')).catch(() => undefined)]
      : []),
  ]);
  return {
    environment: {
      GIT_DIR: folder,
      ...(top !== undefined && { GIT_WORK_TREE: top }),
      // Named besides the link: relative paths in `objects/info/alternates` start at the real folder.
      GIT_OBJECT_DIRECTORY: path.join(commonDir, 'objects'),
      GIT_INDEX_FILE: path.join(index === 'copied' ? folder : gitDir, 'index'),
      GIT_CONFIG_GLOBAL: path.join(folder, 'global'),
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

const HEADS = ['HEAD', 'ORIG_HEAD', 'FETCH_HEAD', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'];

const FIXED = '[core]\n\tbare = false\n';

async function sharedIndexes(gitDir: string): Promise<readonly string[]> {
  const names = await readdir(gitDir).catch((): string[] => []);
  return names.filter((name) => name.startsWith('sharedindex.'));
}
