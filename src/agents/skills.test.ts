import { expect, test } from 'vitest';

import { readProjectFiles } from './project-files.ts';
import { findSkills } from './skills.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const skill = (facts: string, text = 'Do it.') => `---\n${facts}\n---\n${text}\n`;

test('[C130] skills are folders with a SKILL.md that has a description; the project comes first', async () => {
  await using place = await temporaryFolder({
    'project/.agents/skills/deploy/SKILL.md': skill('name: deploy\ndescription: |\n  How to\n  deploy.'),
    'project/.claude/skills/deploy/SKILL.md': skill('description: another'),
    'project/.claude/skills/deploy/notes.md': skill('description: not a skill'),
    'project/.claude/skills/silent/SKILL.md': 'has no description',
    'project/.claude/skills/manual/SKILL.md': skill('description: By hand.\ndisable-model-invocation: true'),
    'project/.claude/skills/odd/SKILL.md': skill('name: "a b; rm"\ndescription: bad name'),
    'home/skills/mine/SKILL.md': skill('description: My own.'),
  });
  const folder = place.at('project');
  const { files } = await readProjectFiles({ folder, parts: ['.agents/skills', '.claude/skills'] });
  const sources = { home: place.at('home'), userHome: place.at('person') };
  expect(await findSkills({ ...sources, project: { folder, files } })).toEqual([
    {
      name: 'deploy',
      description: 'How to deploy.',
      from: 'project',
      folder: place.at('project/.agents/skills/deploy'),
      text: 'Do it.',
    },
    { name: 'mine', description: 'My own.', from: 'user', folder: place.at('home/skills/mine'), text: 'Do it.' },
  ]);
  expect(await findSkills({ ...sources, home: place.at('none'), project: { folder, files: new Map() } })).toEqual(
    [],
  );
});
