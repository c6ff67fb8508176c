import type { ExportFormat } from '../ports/session-client.ts';
import { sessionCommand } from './command.ts';

export const exportFile = sessionCommand({
  name: 'export',
  parameters: [{ name: 'file' }],
  summary: 'write the session to a file (.rondo, .md or .json)',
  async run({ file }, { session, save }) {
    const name = file ?? `${session.id}.rondo`;
    const { pieces, leftOut } = await session.export({ format: exportFormatOf(name) });
    return { type: 'exported', file: await save({ name, pieces }), leftOut };
  },
});

/** The file extension decides. */
export function exportFormatOf(name: string): ExportFormat {
  if (name.endsWith('.md')) return 'markdown';
  return name.endsWith('.json') ? 'json' : 'bundle';
}
