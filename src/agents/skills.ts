/**
 * Skills: folders with a `SKILL.md` that says how to do something. The model sees names and descriptions, and loads
 * a text when it needs it. A project's skills need its trust.
 */
import path from 'node:path';

import { firstByName, lineOf, projectTexts, userTexts, type NamedText } from './named-texts.ts';
import type { FileCommandSources } from './file-commands.ts';

export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly from: 'project' | 'user';
  /** The folder with the skill's other files. */
  readonly folder: string;
  readonly text: string;
}

const most = 100;

/** By name. The project's come first, and Rondo's own folders before those of other tools. */
export async function findSkills({
  home,
  userHome,
  project: { folder, files },
}: FileCommandSources): Promise<readonly Skill[]> {
  const lists = await Promise.all([
    projectTexts(files, folder, '.rondo/skills'),
    projectTexts(files, folder, '.agents/skills'),
    projectTexts(files, folder, '.claude/skills'),
    projectTexts(files, folder, '.opencode/skill'),
    projectTexts(files, folder, '.opencode/skills'),
    userTexts(path.join(home, 'skills')),
    userTexts(path.join(userHome, '.agents', 'skills')),
    userTexts(path.join(userHome, '.claude', 'skills')),
  ]);
  return firstByName(lists.flat(), skillFrom).slice(0, most);
}

function skillFrom({ path: at, file, layer, facts, text }: NamedText): Skill | undefined {
  const folder = /^([^/]+)\/SKILL$/.exec(at)?.[1];
  const description = lineOf(facts['description'], 500);
  if (folder === undefined || description === undefined || text === '') return undefined;
  const name = lineOf(facts['name'], 64) ?? folder;
  return /^[\w-]+$/.test(name) ? { name, description, from: layer, folder: path.dirname(file), text } : undefined;
}
