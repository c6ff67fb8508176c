import { open } from 'node:fs/promises';

import { z } from 'zod';

import { changeCounts, lineDiff } from '../../kernel/line-diff.ts';
import type { Tool, ToolRun } from '../../ports/tool.ts';
import { REDACTED } from '../../security/secrets/redact.ts';
import { builtinTool } from '../define/builtin-tool.ts';
import { hasChanged, STAMPED_BY_CONTENT, stampOf, stampOfContent } from '../define/read-ledger.ts';
import { replaceFile } from './replace-file.ts';
import { decodeFile, encodeFile, PLAIN, type TextFormat, withLineEnds } from './text-file.ts';
import { unsavedContent } from './unsaved-text.ts';
import { encodingFailure, errorCode, failure, fileFailure } from '../define/tool-failure.ts';
import { type ChangeDeps, changeFacts } from '../define/change-facts.ts';
import { locate, outsideFailure, displayPath } from '../define/tool-path.ts';

const schema = () =>
  z.strictObject({
    path: z.string().min(1).describe('The file, relative to the working directory. Missing folders are created.'),
    content: z.string().max(10_000_000).describe('The whole new content.'),
  });

/** Writes a whole file. Idempotent, so it may be retried. */
export function createWriteTool(deps: ChangeDeps): Tool {
  return builtinTool({
    name: 'write',
    description:
      'Creates or replaces a file. Use edit to change part of a file. ' +
      'Refused if the file has changed since you read it; an existing file keeps its encoding and line endings.',
    schema,
    describe: (args, context) =>
      changeFacts({ tool: 'write', path: args.path, repeat: 'safe', sandbox: deps.sandbox }, context),
    run: async (args, context) => {
      const target = await locate(args.path, context);
      if (target.type === 'outside') return outsideFailure(target);
      const label = displayPath(target);
      const before = await contentOf(target.real, context);
      if (before instanceof Error) return fileFailure(before, label);
      const format = formatOf(before);
      const content = encodeFile(withLineEnds(args.content, format.lineEnd), format);
      if (content === undefined) return encodingFailure(label, format);
      const unchanged = before?.whole === true && before.content.equals(content);
      if (!unchanged && args.content.includes(REDACTED) && before?.content.includes(REDACTED) !== true) {
        return failure(
          'redacted',
          `The content contains ${REDACTED}, a placeholder for a secret. Use edit to change the rest of ${label}.`,
        );
      }
      // A retry after a crash finds an empty ledger, and possibly changes by someone else.
      const unseen =
        context.attempt > 1 &&
        before !== undefined &&
        deps.ledger.stampSeen(context.session, target.real) === undefined;
      const stamp = before?.whole === true ? stampOfContent(before.content) : await stampOf(target.real);
      if (!unchanged && (unseen || hasChanged(deps.ledger, context.session, target.real, stamp))) {
        return failure('changed', `${label} may have changed since you read it. Read it again, then write.`);
      }
      if (context.signal.aborted) return { type: 'cancelled' };
      const failed = unchanged ? undefined : await replaceFile(target, content, context);
      if (failed !== undefined) return failed;
      deps.ledger.note(context.session, target.real, stampOfContent(content));
      const done = unchanged ? 'already had this content' : before === undefined ? 'was created' : 'was replaced';
      return {
        type: 'success',
        output: `${label} ${done} (${content.length} ${content.length === 1 ? 'byte' : 'bytes'}).`,
        data: {
          path: label,
          bytes: content.length,
          created: before === undefined,
          changed: !unchanged,
          ...(!unchanged && replacedLines(before, content)),
        },
      };
    },
  });
}

/** What the arguments don't say: how many lines of the old text are gone and how many are new. */
function replacedLines(before: Before | undefined, after: Buffer): ReturnType<typeof changeCounts> | undefined {
  if (before?.whole !== true) return undefined;
  const [old, fresh] = [decodeFile(before.content), decodeFile(after)];
  if (old.type !== 'text' || fresh.type !== 'text') return undefined;
  return changeCounts(lineDiff(old.text, fresh.text));
}

interface Before {
  readonly content: Buffer;
  /** False if only its beginning was read, because the rest is too large to compare. */
  readonly whole: boolean;
}

async function contentOf(file: string, context: ToolRun): Promise<Before | Error | undefined> {
  try {
    await using handle = await open(file);
    const { size } = await handle.stat();
    if (size <= STAMPED_BY_CONTENT)
      return { content: (await unsavedContent(file, context)) ?? (await handle.readFile()), whole: true };
    const beginning = Buffer.alloc(BEGINNING);
    await handle.read(beginning, 0, BEGINNING, 0);
    return { content: beginning, whole: false };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    return error instanceof Error ? error : new Error(String(error));
  }
}

const BEGINNING = 4_096;

function formatOf(before: Before | undefined): TextFormat {
  if (before === undefined || before.content.length === 0) return PLAIN;
  const decoded = decodeFile(before.content);
  return decoded.type === 'text' ? decoded.format : PLAIN;
}
