import { sessionCommand } from './command.ts';

export const diff = sessionCommand({
  name: 'diff',
  parameters: [{ name: 'path' }],
  summary: "show this session's changes, of all files or one path",
  async run({ path }, { session }) {
    const changes = await session.changes({ patch: true });
    if (changes.type === 'unavailable') return { type: 'refused', message: changes.message };
    const isWanted = (file: string) => path === undefined || file === path || file.startsWith(`${path}/`);
    return { type: 'changes', changes: changes.changes.filter((change) => isWanted(change.path)) };
  },
});
