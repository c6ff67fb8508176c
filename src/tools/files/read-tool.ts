import type { FileHandle } from 'node:fs/promises';

import { z } from 'zod';

import { optional } from '../../kernel/optional.ts';
import type { ToolResult } from '../../kernel/outcome.ts';
import type { Tool } from '../../ports/tool.ts';
import { openInside } from '../../security/paths/open-inside.ts';
import { builtinTool } from '../define/builtin-tool.ts';
import { type ReadLedger, STAMPED_BY_CONTENT, stampOf, stampOfContent } from '../define/read-ledger.ts';
import { readLineRange } from './read-lines.ts';
import { unsavedContent } from './unsaved-text.ts';
import { decodeFile, formatNote } from './text-file.ts';
import { failure, fileFailure } from '../define/tool-failure.ts';
import { outsideFailure, pathFact } from '../define/tool-path.ts';

const schema = () =>
  z.strictObject({
    path: z.string().min(1).describe('The file, relative to the working directory.'),
    offset: z.int().min(1).optional().describe('The first line to read, counted from 1.'),
    limit: z.int().min(1).max(10_000).optional().describe('How many lines to read. Default 2000.'),
  });

const DEFAULT_LINES = 2_000;
const MOST_CHARACTERS = 60_000;
const LONGEST_LINE = 2_000;

/** Reads a text file, or a part of one, with line numbers, and records it in the ledger. */
export function createReadTool(deps: { readonly ledger: ReadLedger }): Tool {
  return builtinTool({
    name: 'read',
    description:
      'Reads a text file. Each line comes with its number and a tab in front, which are not part of the file. ' +
      'A long file is given in parts: the last line of the answer says how to read on.',
    schema,
    describe: async (args, context) => {
      const fact = await pathFact(args.path, 'read', context);
      return {
        access: 'read',
        paths: [fact],
        grants: [`read(${fact.path})`],
        repeat: 'safe',
        order: 'parallel',
        runs: 'tool',
      };
    },
    run: async (args, context) => {
      const opened = await openInside(args.path, { roots: context.roots, from: context.cwd, access: 'read' });
      if (opened.type === 'outside') return outsideFailure(opened);
      if (opened.type === 'failed')
        return fileFailure(Object.assign(new Error(opened.message), opened), args.path);
      const { handle, real } = opened;
      try {
        const stats = await handle.stat();
        if (stats.isDirectory())
          return failure('is-a-folder', `${args.path} is a folder. Use list to see its content.`);
        const wanted = { path: args.path, from: args.offset ?? 1, lines: args.limit ?? DEFAULT_LINES };
        if (stats.size > STAMPED_BY_CONTENT) {
          const part = await readHuge(handle, wanted, stats.size, context.signal);
          if (part.type === 'success') deps.ledger.note(context.session, real, await stampOf(real));
          return part;
        }
        const content = (await unsavedContent(real, context)) ?? (await handle.readFile());
        deps.ledger.note(context.session, real, stampOfContent(content));
        return readWhole(content, wanted);
      } finally {
        await handle.close();
      }
    },
  });
}

interface Wanted {
  readonly path: string;
  readonly from: number;
  readonly lines: number;
}

function readWhole(content: Buffer, wanted: Wanted): ToolResult {
  const decoded = decodeFile(content);
  if (decoded.type === 'binary') return binaryFailure(wanted.path, content.length);
  const lines = decoded.text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  if (wanted.from > Math.max(1, lines.length)) {
    return failure(
      'past-the-end',
      `${wanted.path} has only ${lines.length} lines, so line ${wanted.from} doesn't exist.`,
    );
  }
  const page = pageOf(lines.slice(wanted.from - 1, wanted.from - 1 + wanted.lines), wanted.from);
  const note = formatNote(decoded.format);
  const notes = [
    ...(lines.length === 0 ? ['[The file is empty.]'] : []),
    ...(note === undefined ? [] : [`[Format: ${note}]`]),
    ...(page.next <= lines.length
      ? [`[Lines ${wanted.from}–${page.next - 1} of ${lines.length}. Read on with offset ${page.next}.]`]
      : []),
  ];
  return {
    type: 'success',
    output: [page.text, ...notes].filter((part) => part !== '').join('\n'),
    data: {
      path: wanted.path,
      lines: lines.length,
      from: wanted.from,
      to: page.next - 1,
      ...optional({ format: note }),
    },
  };
}

// For files too large to hold in memory: keeps only the requested lines and reads nothing after them.
async function readHuge(
  handle: FileHandle,
  wanted: Wanted,
  size: number,
  signal: AbortSignal,
): Promise<ToolResult> {
  const lines = await readLineRange(handle, {
    from: wanted.from,
    count: wanted.lines,
    longest: LONGEST_LINE + 1,
    signal,
  });
  if (lines.type === 'binary') return binaryFailure(wanted.path, size);
  if (lines.kept.length === 0) {
    return failure(
      'past-the-end',
      `${wanted.path} has only ${lines.seen} lines, so line ${wanted.from} doesn't exist.`,
    );
  }
  const page = pageOf(lines.kept, wanted.from);
  const more = `[Lines ${wanted.from}–${page.next - 1} of a file of ${size} bytes. Read on with offset ${page.next}, or use grep.]`;
  return {
    type: 'success',
    output: `${page.text}\n${more}`,
    data: { path: wanted.path, bytes: size, from: wanted.from, to: page.next - 1 },
  };
}

function pageOf(lines: readonly string[], from: number): { readonly text: string; readonly next: number } {
  const output: string[] = [];
  let characters = 0;
  for (const [index, line] of lines.entries()) {
    const cut = line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}… [line cut]` : line;
    characters += cut.length + 8;
    if (characters > MOST_CHARACTERS && index > 0) break;
    output.push(`${from + index}\t${cut}`);
  }
  return { text: output.join('\n'), next: from + output.length };
}

function binaryFailure(path: string, size: number): ToolResult {
  return failure(
    'binary',
    `${path} isn't a text file (${size} bytes). Use the shell with a program for its format.`,
  );
}
