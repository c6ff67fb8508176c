/**
 * A file of a session's folder as people are shown it, viewers included. The rules are those of a diff: only files
 * of the repository that git doesn't ignore, none that hold keys, and no secret in their text (S5, S21).
 */
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';

import { runGit } from '../git/run-git.ts';
import { openInside } from '../security/paths/open-inside.ts';
import { sensitivityOf } from '../security/paths/paths.ts';
import { createRedactor } from '../security/secrets/redact.ts';
import { collectSecrets } from '../security/secrets/secrets.ts';
import { workspaceSecrets } from '../security/secrets/workspace-secrets.ts';
import { findRepository } from './repository.ts';
import { refused, type Refused } from './worktree.ts';

export type ShownFile =
  | { readonly type: 'text'; readonly path: string; readonly bytes: number; readonly text: string }
  | { readonly type: 'binary'; readonly path: string; readonly bytes: number }
  | { readonly type: 'too-large'; readonly path: string; readonly bytes: number; readonly most: number };

const most = 512 * 1024;

/** `requested` is relative to the folder, or an absolute path in it. */
export async function shownFile(folder: string, requested: string): Promise<ShownFile | Refused> {
  const repository = await findRepository(folder);
  if (repository.type === 'no-repository') return refused('no-repository', `${repository.why}.`);
  if (repository.type === 'failed') return refused('git-failed', repository.message);
  const { root, top } = repository;
  if (isWithheld(path.relative(folder, path.resolve(folder, requested)))) return withheld(requested);
  const opened = await openInside(requested, { roots: [root], access: 'read' });
  // One answer for everything else: a viewer learns nothing about files elsewhere.
  if (opened.type !== 'opened') return noFile(requested);
  await using handle = opened.handle;
  const { real } = opened;
  if (isWithheld(path.relative(top, real))) return withheld(requested);
  if (!(await handle.stat()).isFile()) return noFile(requested);
  const asked = await runGit({
    cwd: root,
    dir: 'generated',
    args: ['check-ignore', '-q', '--', real],
    // `check-ignore` accepts only plain paths and fails if this variable is set.
    environment: { GIT_LITERAL_PATHSPECS: '0' },
  });
  if (asked.type !== 'done' || asked.code > 1) return noFile(requested);
  if (asked.code === 0)
    return refused('withheld', `${requested} isn't shown: git ignores it, so it isn't part of the repository.`);
  const name = path.relative(root, real).split(path.sep).join('/');
  const secrets = async () => collectSecrets(process.env, await workspaceSecrets(top));
  return await readShown(handle, name, async (text) => createRedactor(await secrets())(text));
}

async function readShown(
  handle: FileHandle,
  name: string,
  redact: (text: string) => Promise<string>,
): Promise<ShownFile> {
  const { size: bytes } = await handle.stat();
  if (bytes > most) return { type: 'too-large', path: name, bytes, most };
  const content = Buffer.alloc(bytes);
  // If the file grows while it is read, the rest is left out.
  const { bytesRead } = await handle.read(content, 0, bytes, 0);
  const text = textOf(content.subarray(0, bytesRead));
  return text === undefined
    ? { type: 'binary', path: name, bytes }
    : { type: 'text', path: name, bytes, text: await redact(text) };
}

function textOf(content: Buffer): string | undefined {
  if (content.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}

/** Files with keys, and git's own, which hold credentials of remotes. */
function isWithheld(relative: string): boolean {
  const kind = sensitivityOf(relative);
  return kind === 'secret' || kind === 'repository';
}

function withheld(requested: string): Refused {
  return refused('withheld', `${requested} isn't shown: files of that name can hold keys.`);
}

function noFile(requested: string): Refused {
  return refused('no-file', `${requested} isn't a file in the folder of this session.`);
}
