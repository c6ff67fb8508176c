/**
 * A second git dir that shares only the objects of the person's repository. Checkpoints keep bytes as they are and
 * never use the person's index, hooks, filters or attributes.
 *
 * 1. It is inside the work tree's git dir and is removed with it.
 * 2. Its files are written atomically. Its index is a cache of hashes: each use works on a copy and stores it, so
 *    concurrent uses don't interfere. Losing it costs only time.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { copyIndex } from './copy-index.ts';
import type { GitCall, GitFailure, GitOutput } from '../git/git-call.ts';
import { gitText, runGit } from '../git/run-git.ts';
import { prefixOf, type Repository } from './repository.ts';

export interface Shadow {
  /** Runs git on the shadow's index, in the checkpoint's folder. */
  git(args: readonly string[], options?: Pick<GitCall, 'input' | 'environment'>): Promise<GitOutput | GitFailure>;
  text(args: readonly string[], options?: Pick<GitCall, 'input' | 'environment'>): Promise<string | GitFailure>;
  /** Stores the index for the next use. */
  keepIndex(): Promise<void>;
  /** Discards cached hashes: the next use reads every file. */
  dropIndex(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function openShadow(repository: Repository): Promise<Shadow | GitFailure> {
  const settings = await settingsOf(repository);
  if (typeof settings !== 'string') return settings;
  const name = createHash('sha256').update(prefixOf(repository)).digest('hex').slice(0, 12);
  const folder = path.join(repository.gitDir, 'rondo', `shadow-${name}`);
  const index = path.join(folder, 'index');
  const working = path.join(folder, `index-${randomBytes(6).toString('hex')}`);
  await mkdir(path.join(folder, 'refs'), { recursive: true });
  await mkdir(path.join(folder, 'info'), { recursive: true });
  await putWhole(path.join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  await putWhole(path.join(folder, 'config'), settings);
  await putWhole(path.join(folder, 'info', 'attributes'), BYTES_AS_THEY_ARE);
  await putWhole(path.join(folder, 'info', 'exclude'), await excludesOf(repository));
  await sweep(folder);
  await copyIndex(index, working);

  const call = (args: readonly string[], options: Pick<GitCall, 'input' | 'environment'> = {}): GitCall => ({
    ...options,
    args,
    cwd: repository.root,
    dir: 'own',
    timeoutMs: 600_000,
    environment: {
      GIT_DIR: folder,
      GIT_WORK_TREE: repository.top,
      GIT_OBJECT_DIRECTORY: repository.objects,
      GIT_INDEX_FILE: working,
      ...options.environment,
    },
  });
  return {
    git: (args, options) => runGit(call(args, options)),
    text: (args, options) => gitText(call(args, options)),
    keepIndex: () => rename(working, index).catch(() => undefined),
    dropIndex: async () => {
      await rm(index, { force: true });
      await rm(working, { force: true });
    },
    async [Symbol.asyncDispose]() {
      await rm(working, { force: true });
      await rm(`${working}.lock`, { force: true });
    },
  };
}

// The attribute file in the git dir overrides all others.
const BYTES_AS_THEY_ARE = '* -text -eol -crlf -filter -ident -working-tree-encoding\n';

const FOLLOWED = ['excludesfile', 'filemode', 'symlinks', 'ignorecase', 'precomposeunicode'];

/** The person's settings that affect which files exist and what they contain. */
async function settingsOf(repository: Repository): Promise<string | GitFailure> {
  const answer = await runGit({
    cwd: repository.root,
    dir: 'generated',
    args: ['config', '-z', '--type=path', '--get-regexp', `^core\\.(${FOLLOWED.join('|')})$`],
  });
  if (answer.type === 'failed') return answer;
  const lines = answer.stdout.split('\0').flatMap((entry) => {
    const [key, value] = entry.split('\n', 2);
    return key === undefined || key === '' || value === undefined
      ? []
      : [`\t${key.slice('core.'.length)} = ${JSON.stringify(value)}`];
  });
  const format = repository.objectFormat;
  return [
    '[core]',
    `\trepositoryformatversion = ${format === 'sha1' ? 0 : 1}`,
    '\tbare = false',
    ...lines,
    ...(format === 'sha1' ? [] : ['[extensions]', `\tobjectFormat = ${format}`]),
    '',
  ].join('\n');
}

async function excludesOf(repository: Repository): Promise<string> {
  try {
    return await readFile(path.join(repository.commonDir, 'info', 'exclude'), 'utf8');
  } catch {
    return '';
  }
}

/** Concurrent readers never see an empty or partial file. */
async function putWhole(file: string, content: string): Promise<void> {
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept === content) return;
  const fresh = `${file}-${randomBytes(6).toString('hex')}`;
  await writeFile(fresh, content);
  await rename(fresh, file);
}

/** Removes index copies of killed processes. */
async function sweep(folder: string): Promise<void> {
  const names = await readdir(folder);
  for (const name of names.filter((one) => one.startsWith('index-'))) {
    const file = path.join(folder, name);
    const age = await stat(file).then(
      ({ ctimeMs }) => Date.now() - ctimeMs,
      () => 0,
    );
    if (age > STALE_MS) await rm(file, { force: true });
  }
}

const STALE_MS = 24 * 60 * 60 * 1000;
