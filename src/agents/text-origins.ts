import path from 'node:path';

import { wholeFile } from './config-problem.ts';
import { findFileCommands } from './file-commands.ts';
import { loadInstructions } from './instruction-files.ts';
import type { TextSources } from './named-texts.ts';
import type { ConfigRow } from './show-config.ts';
import { findSkills } from './skills.ts';

/** Instruction files, commands and skills with their files, for `rondo config show --origin`. */
export async function textOrigins(
  sources: TextSources,
  { root, cwd }: { readonly root: string; readonly cwd: string },
): Promise<readonly ConfigRow[]> {
  const [instructions, commands, skills] = await Promise.all([
    loadInstructions(root, cwd),
    findFileCommands(sources),
    findSkills(sources),
  ]);
  return [
    ...instructions.map((one) => rowOf('instructions', one.path, 'project', path.join(root, one.path))),
    ...commands.map(({ name, summary, from, file }) => rowOf(`commands.${name}`, summary, from, file)),
    ...skills.map(({ name, description, from, folder }) =>
      rowOf(`skills.${name}`, description, from, path.join(folder, 'SKILL.md')),
    ),
  ];
}

function rowOf(key: string, value: string, layer: 'project' | 'user', file: string): ConfigRow {
  return { path: key, value: JSON.stringify(value), origin: { layer, file, ...wholeFile } };
}
