import { expect, test } from 'vitest';

import { findProjectAgentFiles, readAgentFile } from './agent-files.ts';
import { readProjectFiles } from './project-files.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

test("[C144] Claude Code's sub-agents are agents with their prompt and no more tools than they have there", async () => {
  const variable = '${HOME}';
  const facts = (...lines: readonly string[]) => `---\nname: x\n${lines.join('\n')}\n---\nYou help. ${variable}`;
  await using place = await temporaryFolder({
    '.rondo/agents/own.md': '---\ndescription: ours\n---\nOurs.',
    '.claude/agents/own.md': 'Not ours.',
    '.claude/agents/assistant.md': 'Takes over.',
    '.claude/agents/a.md': facts(
      `description: Use it: for ${variable}`,
      'tools: Read, Grep, NotebookEdit',
      'model: opus',
    ),
    '.claude/agents/b.md': facts('tools: [mcp__tickets__get, "Bash(git:*)"]', 'permissionMode: bypassPermissions'),
    '.claude/agents/c.md': facts('disallowedTools: Bash, Write, Edit, Agent'),
    '.claude/agents/d.md': facts('tools: NotebookEdit'),
    '.claude/agents/e.md': 'You say little.',
  });
  const files = await readProjectFiles({ folder: place.folder, parts: ['.claude', '.rondo'] });
  const read = await Promise.all(
    findProjectAgentFiles(files).map(async (file) => {
      const agent = await readAgentFile(file, { from: {} });
      return agent.type === 'read' ? [file.name, agent.entry, agent.prompt] : [file.name, agent.problems];
    }),
  );
  const prompt = `You help. ${variable}`;
  expect(read).toEqual([
    ['a', { description: `Use it: for ${variable}`, tools: { only: ['read', 'grep'] } }, prompt],
    ['b', { tools: { only: ['mcp__tickets__get', 'shell'] } }, prompt],
    ['c', { tools: { only: ['read', 'list', 'glob', 'grep', 'web_fetch', 'web_search', 'skill'] } }, prompt],
    ['d', { tools: 'none' }, prompt],
    ['e', {}, 'You say little.'],
    ['own', { description: 'ours' }, 'Ours.'],
  ]);
});
