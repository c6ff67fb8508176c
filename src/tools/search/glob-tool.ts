import { z } from 'zod';

import type { Tool } from '../../ports/tool.ts';
import { builtinTool } from '../define/builtin-tool.ts';
import { searchFiles, searchNotes } from './search-files.ts';
import { pathFromStart, folderToSearch, searchFacts } from './search-start.ts';
import { failure } from '../define/tool-failure.ts';

const schema = () =>
  z.strictObject({
    pattern: z
      .string()
      .min(1)
      .max(500)
      .describe('For example src/**/*.ts or *.{json,yaml}; without a slash it matches names in any folder.'),
    path: z.string().min(1).optional().describe('The folder to look in. Default: the working directory.'),
  });

const LIMITS = { findings: 300, timeoutMs: 10_000 };

/** Finds files whose path matches a pattern. */
export function createGlobTool(): Tool {
  return builtinTool({
    name: 'glob',
    description: 'Finds files by name pattern. Ignored files (.gitignore) are left out.',
    schema,
    describe: (args, context) => searchFacts('glob', args.path, context),
    run: async (args, context) => {
      const start = await folderToSearch(args.path, context);
      if (start.type === 'error') return start;
      if (start.kind === 'file') return failure('not-a-folder', `${start.label} is a file, not a folder.`);
      const walk = { root: start.root, start: start.real };
      const report = await searchFiles(
        { type: 'glob', walk, pattern: args.pattern },
        { ...LIMITS, signal: context.signal },
      );
      if (report.ended === 'cancelled') return { type: 'cancelled' };
      if (report.ended === 'failed') return failure('search-failed', report.problem ?? 'The search failed.');
      const files = report.findings.flatMap((finding) =>
        finding.type === 'entry' ? [pathFromStart(start, finding.path)] : [],
      );
      return {
        type: 'success',
        output: [
          ...(files.length === 0 ? [`[No file matches ${args.pattern}.]`] : files),
          ...searchNotes(report, LIMITS),
        ].join('\n'),
        data: { files: files.length, ended: report.ended },
      };
    },
  });
}
