import { z } from 'zod';

import { optional } from '../../kernel/optional.ts';
import type { Tool } from '../../ports/tool.ts';
import { privatePlacesIn } from '../../security/paths/private-places.ts';
import { builtinTool } from '../define/builtin-tool.ts';
import { unreadableFiles } from '../define/file-rules.ts';
import { searchFiles, type SearchReport, searchNotes } from './search-files.ts';
import { pathFromStart, folderToSearch, searchFacts, type SearchStart } from './search-start.ts';
import { failure, messageOf } from '../define/tool-failure.ts';

const schema = () =>
  z.strictObject({
    pattern: z.string().min(1).max(2_000).describe('A JavaScript regular expression, matched line by line.'),
    path: z.string().min(1).optional().describe('The folder or file to search. Default: the working directory.'),
    glob: z.string().min(1).max(500).optional().describe('Only files that match, for example *.ts.'),
    ignore_case: z.boolean().optional(),
    context: z.int().min(0).max(10).optional().describe('Lines to show before and after each match. Default 0.'),
    output: z
      .enum(['lines', 'files', 'counts'])
      .optional()
      .describe('Matching lines (default), only file names, or counts by file.'),
    limit: z.int().min(1).max(1_000).optional().describe('The most matches to find. Default 100.'),
  });

const TIMEOUT = 10_000;
const MATCHES_FOR_NAMES = 5_000;

/** Finds lines that match a regular expression. */
export function createGrepTool(options: { readonly timeoutMs?: number } = {}): Tool {
  const timeoutMs = options.timeoutMs ?? TIMEOUT;
  return builtinTool({
    name: 'grep',
    description: 'Searches files with a regular expression. Binary and ignored files (.gitignore) are left out.',
    schema,
    describe: (args, context) => searchFacts('grep', args.path, context),
    run: async (args, context) => {
      const flags = args.ignore_case === true ? 'i' : '';
      const bad = patternProblem(args.pattern, flags);
      if (bad !== undefined) return failure('bad-pattern', bad);
      const start = await folderToSearch(args.path, context);
      if (start.type === 'error') return start;
      const output = args.output ?? 'lines';
      const limits = { findings: output === 'lines' ? (args.limit ?? 100) : MATCHES_FOR_NAMES, timeoutMs };
      const report = await searchFiles(
        {
          type: 'grep',
          walk: { root: start.root, start: start.real },
          pattern: args.pattern,
          ...optional({ glob: args.glob }),
          flags,
          around: output === 'lines' ? (args.context ?? 0) : 0,
          named: start.kind === 'file',
          hidden:
            start.kind === 'file'
              ? []
              : [...privatePlacesIn(start.real, context.roots), ...unreadableFiles(context)],
        },
        { ...limits, signal: context.signal },
      );
      if (report.ended === 'cancelled') return { type: 'cancelled' };
      if (report.ended === 'failed') return failure('search-failed', report.problem ?? 'The search failed.');
      const body = { lines: lineOutput, files: fileOutput, counts: countOutput }[output](report, start);
      return {
        type: 'success',
        output: [...(body.length === 0 ? ['[No match.]'] : body), ...searchNotes(report, limits)].join('\n'),
        data: { matches: matchesOf(report).length, ended: report.ended },
      };
    },
  });
}

function patternProblem(pattern: string, flags: string): string | undefined {
  try {
    return new RegExp(pattern, flags) instanceof RegExp ? undefined : 'Not a regular expression.';
  } catch (error) {
    return `${messageOf(error)}. Escape special characters with a backslash to search for them as they are.`;
  }
}

function matchesOf(report: SearchReport) {
  return report.findings.flatMap((finding) => (finding.type === 'match' ? [finding] : []));
}

function lineOutput(report: SearchReport, start: SearchStart): readonly string[] {
  const lines: string[] = [];
  for (const { path, line, text, before, after } of matchesOf(report)) {
    const file = pathFromStart(start, path);
    for (const [index, each] of before.entries()) lines.push(`${file}-${line - before.length + index}-${each}`);
    lines.push(`${file}:${line}:${text}`);
    for (const [index, each] of after.entries()) lines.push(`${file}-${line + 1 + index}-${each}`);
    if (before.length + after.length > 0) lines.push('--');
  }
  return lines;
}

function fileOutput(report: SearchReport, start: SearchStart): readonly string[] {
  return [...new Set(matchesOf(report).map(({ path }) => pathFromStart(start, path)))];
}

function countOutput(report: SearchReport, start: SearchStart): readonly string[] {
  const byFile = Map.groupBy(matchesOf(report), ({ path }) => pathFromStart(start, path));
  return [...byFile].map(([file, matches]) => `${file}:${matches.length}`);
}
