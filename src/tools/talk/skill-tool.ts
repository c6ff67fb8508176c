import { z } from 'zod';

import type { Tool } from '../../ports/tool.ts';
import { builtinTool } from '../define/builtin-tool.ts';
import { failure } from '../define/tool-failure.ts';

export interface SkillText {
  readonly name: string;
  readonly description: string;
  readonly folder: string;
  readonly text: string;
}

const schema = () => z.strictObject({ name: z.string().describe('The name of the skill.') });

/** Loads a skill's text. The model sees only names and descriptions before that. */
export function createSkillTool(skills: readonly SkillText[]): Tool {
  const list = skills.map(({ name, description }) => `- ${name}: ${description}`).join('\n');
  return builtinTool({
    name: 'skill',
    description: `Loads instructions for a kind of task that this project or person keeps as a skill. Use it before the task if a description fits. Skills:\n${list}`,
    schema,
    describe: () => ({ access: 'read', repeat: 'safe', order: 'parallel', runs: 'tool' }),
    run: async ({ name }) => {
      const skill = skills.find((one) => one.name === name);
      if (skill === undefined)
        return failure(
          'not-found',
          `Unknown skill ${name}. The skills are ${skills.map((one) => one.name).join(', ')}.`,
        );
      return { type: 'success', output: `Other files of this skill are in ${skill.folder}.\n\n${skill.text}` };
    },
  });
}
