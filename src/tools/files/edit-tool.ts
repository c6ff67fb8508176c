import { readFile, stat } from 'node:fs/promises';

import { z } from 'zod';

import type { Tool } from '../../ports/tool.ts';
import { applyEdits } from './apply-edits.ts';
import { builtinTool } from '../define/builtin-tool.ts';
import { hasChanged, STAMPED_BY_CONTENT, stampOfContent } from '../define/read-ledger.ts';
import { replaceFile } from './replace-file.ts';
import { decodeFile, encodeFile } from './text-file.ts';
import { unsavedContent } from './unsaved-text.ts';
import { encodingFailure, failure, fileFailure } from '../define/tool-failure.ts';
import { type ChangeDeps, changeFacts } from '../define/change-facts.ts';
import { locate, outsideFailure, displayPath } from '../define/tool-path.ts';

const schema = () =>
  z.strictObject({
    path: z.string().min(1).describe('The file, relative to the working directory.'),
    edits: z
      .array(
        z.strictObject({
          old_text: z.string().min(1).describe('The exact text in the file, without line numbers.'),
          new_text: z.string().describe('The replacement.'),
          replace_all: z
            .boolean()
            .optional()
            .describe('Replace every occurrence. Otherwise there must be exactly one.'),
        }),
      )
      .min(1)
      .max(100)
      .describe('Applied in order, all or none.'),
  });

/** Replaces exact text in a file. Never retried automatically: a second run could replace its own result. */
export function createEditTool(deps: ChangeDeps): Tool {
  return builtinTool({
    name: 'edit',
    description:
      'Replaces exact pieces of text in a file. Each old_text must occur exactly once (give more lines around it) ' +
      'unless replace_all is set. Refused if the file has changed since you read it.',
    schema,
    describe: (args, context) =>
      changeFacts({ tool: 'edit', path: args.path, repeat: 'never', sandbox: deps.sandbox }, context),
    run: async (args, context) => {
      const target = await locate(args.path, context);
      if (target.type === 'outside') return outsideFailure(target);
      const label = displayPath(target);
      let before: Buffer;
      try {
        const { size } = await stat(target.real);
        if (size > STAMPED_BY_CONTENT) {
          return failure(
            'too-large',
            `${label} has ${size} bytes, but edit supports at most ${STAMPED_BY_CONTENT}. Use the shell.`,
          );
        }
        before = (await unsavedContent(target.real, context)) ?? (await readFile(target.real));
      } catch (error) {
        return fileFailure(error, label);
      }
      if (hasChanged(deps.ledger, context.session, target.real, stampOfContent(before))) {
        return failure('changed', `${label} has changed since you read it. Read it again, then edit.`);
      }
      const decoded = decodeFile(before);
      if (decoded.type === 'binary') return failure('binary', `${label} isn't a text file.`);
      const edited = applyEdits(decoded.text, args.edits, decoded.format.lineEnd);
      if (edited.type === 'refused') return failure(edited.code, `${label}: ${edited.message}`);
      const content = encodeFile(edited.text, decoded.format);
      if (content === undefined) return encodingFailure(label, decoded.format);
      if (context.signal.aborted) return { type: 'cancelled' };
      const failed = await replaceFile(target, content, context);
      if (failed !== undefined) return failed;
      deps.ledger.note(context.session, target.real, stampOfContent(content));
      return {
        type: 'success',
        output: `${label}: ${edited.replaced} ${edited.replaced === 1 ? 'place' : 'places'} replaced (${edited.lines.length === 1 ? 'line' : 'lines'} ${edited.lines.join(', ')}).`,
        data: { path: label, replaced: edited.replaced, lines: edited.lines },
      };
    },
  });
}
