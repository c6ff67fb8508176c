import path from 'node:path';

import { parseConfig, type ReadConfigFile, type Variables } from './config-file.ts';
import { problemAt, wholeFile } from './config-problem.ts';
import type { ProjectFiles } from './project-files.ts';

const candidates = ['rondo.json', '.rondo/config.json'];

/** Parses the project's configuration; `relative` names a file other than the usual one. */
export async function readProjectConfig(
  files: ProjectFiles,
  variables: Variables,
  relative?: string,
): Promise<ReadConfigFile> {
  const there = relative === undefined ? candidates.filter((name) => files.files.has(name)) : [relative];
  const [name, second] = there;
  if (name === undefined) return { type: 'absent' };
  const file = path.join(files.folder, name);
  if (second !== undefined) {
    const message = `${second} exists too; keep one of the two.`;
    return { type: 'invalid', problems: [problemAt({ file, ...wholeFile }, [], 'defined-twice', message)] };
  }
  const text = files.files.get(name)?.text;
  if (text === undefined) {
    const message = 'it must be a plain file of less than 1 MB, not a symbolic link.';
    return { type: 'invalid', problems: [problemAt({ file, ...wholeFile }, [], 'unreadable', message)] };
  }
  return parseConfig(text, file, variables);
}
