import { z } from 'zod';

import type { Tool } from '../../ports/tool.ts';
import { builtinTool } from '../define/builtin-tool.ts';
import { searchFiles, searchNotes } from './search-files.ts';
import { folderToSearch, searchFacts } from './search-start.ts';
import { failure } from '../define/tool-failure.ts';

const schema = () =>
  z.strictObject({
    path: z
      .string()
      .min(1)
      .optional()
      .describe('The folder, relative to the working directory. Default: that directory.'),
    depth: z.int().min(1).max(10).optional().describe('How many levels to show. Default 2.'),
    ignored: z.boolean().optional().describe('Include files that .gitignore excludes.'),
  });

const LIMITS = { findings: 500, timeoutMs: 10_000 };

/** Lists a folder's content as an indented tree. */
export function createListTool(): Tool {
  return builtinTool({
    name: 'list',
    description:
      'Lists files and folders as a tree, folders with a slash. Ignored files (.gitignore) are left out.',
    schema,
    describe: (args, context) => searchFacts('list', args.path, context),
    run: async (args, context) => {
      const start = await folderToSearch(args.path, context);
      if (start.type === 'error') return start;
      if (start.kind === 'file')
        return failure('not-a-folder', `${start.label} is a file. Use read to see its content.`);
      const walk = {
        root: start.root,
        start: start.real,
        depth: args.depth ?? 2,
        ignored: args.ignored === true ? ('included' as const) : ('left-out' as const),
      };
      const report = await searchFiles({ type: 'list', walk }, { ...LIMITS, signal: context.signal });
      if (report.ended === 'cancelled') return { type: 'cancelled' };
      if (report.ended === 'failed') return failure('search-failed', report.problem ?? "Can't list the folder.");
      const entries = report.findings.flatMap((finding) => (finding.type === 'entry' ? [finding] : []));
      const lines = entries.map(({ path, kind, depth }) => {
        const name = path.slice(path.lastIndexOf('/') + 1);
        return `${'  '.repeat(depth - 1)}${name}${kind === 'folder' ? '/' : kind === 'link' ? ' (link)' : ''}`;
      });
      return {
        type: 'success',
        output: [
          ...(lines.length === 0 ? ['[The folder is empty.]'] : lines),
          ...searchNotes(report, LIMITS),
        ].join('\n'),
        data: { path: start.label, entries: entries.length, ended: report.ended },
      };
    },
  });
}
