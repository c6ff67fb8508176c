/**
 * Skills: folders with a `SKILL.md` that says how to do something. The model sees names and descriptions, and loads
 * a text when it needs it. A project's skills need its trust.
 */
import path from 'node:path';

import { firstByName, lineOf, projectTexts, userTexts, type NamedText, type TextSources } from './named-texts.ts';

export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly from: 'project' | 'user';
  /** The folder with the skill's other files. */
  readonly folder: string;
  readonly text: string;
}

const most = 100;

/** Those that the model may load, by name. */
export async function findSkills(sources: TextSources): Promise<readonly Skill[]> {
  return firstByName(await skillTexts(sources), skillFrom).slice(0, most);
}

/** The project's come first, and Rondo's own folders before those of other tools. */
export async function skillTexts({
  home,
  userHome,
  project: { folder, files },
}: TextSources): Promise<readonly NamedText[]> {
  const lists = await Promise.all([
    ...projectFolders.map((name) => projectTexts(files, folder, name)),
    userTexts(path.join(home, 'skills')),
    ...userFolders.map((name) => userTexts(path.join(userHome, name))),
  ]);
  return lists.flat();
}

const projectFolders = [
  '.rondo/skills',
  '.agents/skills',
  '.claude/skills',
  '.opencode/skill',
  '.opencode/skills',
  '.gemini/skills',
  '.codex/skills',
];
const userFolders = [
  '.agents/skills',
  '.claude/skills',
  '.config/opencode/skill',
  '.config/opencode/skills',
  '.gemini/skills',
  '.codex/skills',
];

/** Undefined if the text isn't a skill. */
export function usesOf({ path: at, facts, text }: NamedText):
  | {
      readonly name: string;
      readonly description: string;
      readonly isForModel: boolean;
      readonly isForPerson: boolean;
    }
  | undefined {
  const folder = /^([^/]+)\/SKILL$/.exec(at)?.[1];
  const description = lineOf(facts['description'], 500);
  if (folder === undefined || description === undefined || text === '') return undefined;
  const name = lineOf(facts['name'], 64) ?? folder;
  if (!/^[\w-]+$/.test(name)) return undefined;
  return {
    name,
    description,
    isForModel: String(facts['disable-model-invocation']) !== 'true',
    isForPerson: String(facts['user-invocable']) !== 'false',
  };
}

function skillFrom(given: NamedText): Skill | undefined {
  const uses = usesOf(given);
  if (uses?.isForModel !== true) return undefined;
  const { name, description } = uses;
  return { name, description, from: given.layer, folder: path.dirname(given.file), text: given.text };
}
