/** Creates a worktree's folder with git and adds what a checkout doesn't include. */
import { cp, glob, mkdir } from 'node:fs/promises';
import path from 'node:path';

import type { GitFailure } from '../git/git-call.ts';
import { repositoryPrograms } from '../git/repository-programs.ts';
import { gitText, runGit, splitNul } from '../git/run-git.ts';
import { isThere } from '../security/paths/is-there.ts';
import type { Repository } from './repository.ts';

interface Added {
  readonly type: 'added';
  /** How the result differs from a full checkout. */
  readonly notes: readonly string[];
}

interface AddRequest {
  readonly path: string;
  readonly branch: string;
  /** The commit where a new branch starts. Without it, the branch already exists. */
  readonly startAt?: string;
  readonly copy: readonly string[];
}

export async function addWorktree(repository: Repository, request: AddRequest): Promise<Added | GitFailure> {
  const { branch, startAt } = request;
  const target = request.path;
  await mkdir(path.dirname(target), { recursive: true });
  const what = startAt === undefined ? [target, branch] : ['-b', branch, target, startAt];
  const notes: string[] = [];
  let added = await gitText({
    cwd: repository.top,
    dir: 'repository',
    args: ['worktree', 'add', '--quiet', ...what],
    timeoutMs: 600_000,
  });
  if (typeof added !== 'string' && /lfs|smudge|filter/i.test(added.message)) {
    await undoAdd(repository, request);
    const filters = await filterNames(repository);
    const settings = (name: string) =>
      ['smudge=', 'process=', 'required=false'].map((one) => `filter.${name}.${one}`);
    const off = filters.flatMap(settings).flatMap((setting) => ['-c', setting]);
    const args = [...off, 'worktree', 'add', '--quiet', ...what];
    added = await gitText({ cwd: repository.top, dir: 'repository', args, timeoutMs: 600_000 });
    notes.push(`the filters ${filters.join(', ')} could not run: their files are pointers, as git keeps them`);
  }
  if (typeof added !== 'string') {
    await undoAdd(repository, request);
    return added;
  }
  const { filters } = await repositoryPrograms(repository.top);
  if (filters.length > 0)
    notes.push(
      `the repository's own filters (${[...new Set(filters.map(({ name }) => name))].join(', ')}) don't run: their files are as git keeps them, and committing is refused`,
    );
  notes.push(
    ...(await fillSubmodules(repository, target)),
    ...(await copyIgnored(repository, target, request.copy)),
  );
  return { type: 'added', notes };
}

/** Removes what a failed `worktree add` created, and nothing else. */
async function undoAdd(repository: Repository, request: AddRequest): Promise<void> {
  await runGit({ cwd: repository.top, dir: 'repository', args: ['worktree', 'remove', '--force', request.path] });
  if (request.startAt !== undefined)
    await runGit({
      cwd: repository.top,
      dir: 'repository',
      args: ['update-ref', '-d', `refs/heads/${request.branch}`, request.startAt],
    });
}

async function filterNames(repository: Repository): Promise<readonly string[]> {
  const text = await gitText({
    cwd: repository.top,
    dir: 'repository',
    args: ['config', '-z', '--name-only', '--get-regexp', '^filter\\..*\\.(smudge|process|required)$'],
  });
  if (typeof text !== 'string') return ['lfs'];
  const names = splitNul(text).map((key) => key.replace(/^filter\.|\.[^.]*$/g, ''));
  return [...new Set(names)];
}

/** Clones submodules from the person's checkout, without the network. Submodules missing there stay empty. */
async function fillSubmodules(repository: Repository, target: string): Promise<readonly string[]> {
  const text = await gitText({
    cwd: target,
    dir: 'generated',
    args: ['config', '-z', '--file', '.gitmodules', '--get-regexp', '^submodule\\..*\\.path$'],
  });
  if (typeof text !== 'string') return [];
  const notes: string[] = [];
  for (const entry of splitNul(text)) {
    const [key = '', folder = ''] = entry.split('\n', 2);
    const name = key.replace(/^submodule\.|\.path$/g, '');
    const own = path.join(repository.top, folder);
    const isHere = await isThere(path.join(own, '.git'));
    const from = ['-c', `submodule.${name}.url=${own}`, '-c', 'protocol.file.allow=always'];
    const args = [...from, 'submodule', 'update', '--init', '--quiet', '--', folder];
    const filled = isHere
      ? await gitText({ cwd: target, dir: 'repository', args, timeoutMs: 600_000 })
      : undefined;
    if (typeof filled === 'string')
      await runGit({ cwd: target, dir: 'repository', args: ['submodule', '--quiet', 'sync', '--', folder] });
    else notes.push(`the submodule ${folder} is empty: ${filled?.message ?? 'it is not checked out here either'}`);
  }
  return notes;
}

/** Copies only ignored files: the branch has everything else. */
async function copyIgnored(
  repository: Repository,
  target: string,
  patterns: readonly string[],
): Promise<readonly string[]> {
  if (patterns.length === 0) return [];
  const names = new Set<string>();
  for (const pattern of patterns) {
    for await (const one of glob(pattern, { cwd: repository.top })) {
      const file = one.split(path.sep).join('/');
      if (!/^(?:\.\.|\.git)(?:\/|$)/.test(file) && !path.isAbsolute(file)) names.add(file);
    }
  }
  const answer = await runGit({
    cwd: repository.top,
    dir: 'generated',
    args: ['check-ignore', '-z', '--stdin'],
    input: [...names].map((file) => `${file}\0`).join(''),
    // `check-ignore` accepts only plain paths and fails if this variable is set.
    environment: { GIT_LITERAL_PATHSPECS: '0' },
  });
  const ignored = answer.type === 'done' ? splitNul(answer.stdout) : [];
  const notes: string[] = [];
  for (const file of ignored) {
    const to = path.join(target, file);
    try {
      await cp(path.join(repository.top, file), to, {
        recursive: true,
        verbatimSymlinks: true,
        errorOnExist: false,
        force: false,
        preserveTimestamps: true,
      });
    } catch (error) {
      notes.push(`${file} could not be copied: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return notes;
}
