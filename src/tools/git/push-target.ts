import path from 'node:path';

import { gitDirOf, smallFileText } from '../../security/paths/git-dir.ts';

/** Describes the target of a push: the branch and the URLs of its remotes, as far as files show them. */
export function pushTarget(folder: string | undefined): string | undefined {
  const gitDir = folder === undefined ? undefined : gitDirOf(folder);
  if (gitDir === undefined) return undefined;
  const [, branch] = /^ref: refs\/heads\/(.+)$/m.exec(smallFileText(path.join(gitDir, 'HEAD')) ?? '') ?? [];
  const remotes = Array.from(
    (smallFileText(path.join(gitDir, 'config')) ?? '').matchAll(/^\[remote "([^"]+)"\]((?:\n(?!\[).*)*)/gm),
    ([, name = '', body = '']) => {
      const [, url] = /^\s*(?:pushurl|url)\s*=\s*(.+)$/m.exec(body) ?? [];
      return url === undefined ? name : `${name} = ${url.trim().replace(/\/\/[^@/]*@/, '//')}`;
    },
  );
  const here = branch === undefined ? [] : [`on ${branch}`];
  const there = remotes.length === 0 ? ['no remote is configured'] : remotes;
  return [...here, ...there].join(', ');
}
