/**
 * Finds where git looks for a work tree's hooks besides `.git/hooks`, without running git. Files there run on the
 * host with the next commit, so they are protected like `.git` (S7).
 */
import { homedir } from 'node:os';
import path from 'node:path';

import { gitDirOf, nearest, smallFileText } from './git-dir.ts';
import { isBelow } from './is-below.ts';

/** The folders that `core.hooksPath` names for a folder of a work tree. Empty if it isn't set. */
export function configuredHooks(folder: string): readonly string[] {
  const gitPath = nearest(folder, '.git');
  const gitDir = gitDirOf(folder);
  if (gitPath === undefined || gitDir === undefined) return [];
  const files = ['config', 'config.worktree'].map((name) => path.join(gitDir, name));
  const texts = [...files, path.join(homedir(), '.gitconfig')].flatMap(withIncluded);
  // Every value, although git uses only the last: an earlier one may become it.
  const values = new Set(texts.flatMap((text) => valuesOf(text, 'hookspath')));
  return [...values].flatMap((value) => {
    const place = atHome(value, path.dirname(gitPath));
    // husky's own folder calls the scripts next to it.
    return path.basename(place) === '_' ? [path.dirname(place), place] : [place];
  });
}

/** The hook folders inside a root, relative to it. */
export function hookNames(root: string): readonly string[] {
  return configuredHooks(root).flatMap((folder) =>
    folder !== root && isBelow(folder, root) ? [path.relative(root, folder).split(path.sep).join('/')] : [],
  );
}

function withIncluded(file: string): readonly string[] {
  const text = smallFileText(file);
  if (text === undefined) return [];
  const included = valuesOf(text, 'path').map((value) => smallFileText(atHome(value, path.dirname(file))));
  return [text, ...included.flatMap((one) => one ?? [])];
}

function valuesOf(text: string, key: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^\\s*(?:\\[[^\\]]*\\]\\s*)?${key}\\s*=\\s*(.*)$`, 'gim'))].flatMap(
    ([, value = '']) => {
      const plain = value.replace(/"([^"]*)"|\s*[#;].*$/g, '$1').trim();
      return plain === '' ? [] : [plain];
    },
  );
}

function atHome(value: string, base: string): string {
  return value.startsWith('~/') ? path.join(homedir(), value.slice(2)) : path.resolve(base, value);
}
