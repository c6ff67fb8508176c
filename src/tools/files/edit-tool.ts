import { readFile, stat } from 'node:fs/promises';

import { z } from 'zod';

import type { CallFacts } from '../../kernel/call.ts';
import type { Tool, ToolContext } from '../../ports/tool.ts';
import { applyEdits } from './apply-edits.ts';
import { builtinTool } from '../define/builtin-tool.ts';
import { hasChanged, STAMPED_BY_CONTENT, stampOfContent } from '../define/read-ledger.ts';
import { replaceFile } from './replace-file.ts';
import { decodeFile, encodeFile } from './text-file.ts';
import { unsavedContent } from './unsaved-text.ts';
import { dangersOfFile } from '../define/file-rules.ts';
import { encodingFailure, failure, fileFailure, type ToolFailure } from '../define/tool-failure.ts';
import { type ChangeDeps, changeFacts } from '../define/change-facts.ts';
import { displayPath, type InsidePath, locate, outsideFailure } from '../define/tool-path.ts';

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
    describe: async (args, context) => {
      const facts = await changeFacts(
        { tool: 'edit', path: args.path, repeat: 'never', sandbox: deps.sandbox },
        context,
      );
      const problem = await foreseenProblem(args, facts, { ...context, ledger: deps.ledger });
      return problem === undefined ? facts : { ...facts, problem };
    },
    run: async (args, context) => {
      const target = await locate(args.path, context);
      if (target.type === 'outside') return outsideFailure(target);
      const label = displayPath(target);
      const edited = await editedFile(args.edits, target, { ...context, ledger: deps.ledger });
      if (edited.type === 'error') return edited;
      const { content } = edited;
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

type Edits = z.output<ReturnType<typeof schema>>;
type Place = ToolContext & Pick<ChangeDeps, 'ledger'>;

interface EditedFile extends Pick<
  Extract<ReturnType<typeof applyEdits>, { type: 'edited' }>,
  'replaced' | 'lines'
> {
  readonly type: 'edited';
  readonly content: Buffer;
}

/** The file's content after the edits, or why they don't apply. */
async function editedFile(
  edits: Edits['edits'],
  target: InsidePath,
  context: Place,
): Promise<EditedFile | ToolFailure> {
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
  if (hasChanged(context.ledger, context.session, target.real, stampOfContent(before))) {
    return failure('changed', `${label} has changed since you read it. Read it again, then edit.`);
  }
  const decoded = decodeFile(before);
  if (decoded.type === 'binary') return failure('binary', `${label} isn't a text file.`);
  const edited = applyEdits(decoded.text, edits, decoded.format.lineEnd);
  if (edited.type === 'refused') return failure(edited.code, `${label}: ${edited.message}`);
  const content = encodeFile(edited.text, decoded.format);
  return content === undefined ? encodingFailure(label, decoded.format) : { ...edited, content };
}

/**
 * Why a new call can't succeed, so that nobody is asked about it. Undefined if an earlier call may still change the
 * file, or if reading it needs approval itself.
 */
async function foreseenProblem(
  { path, edits }: Edits,
  { paths: [fact] = [] }: CallFacts,
  context: Place,
): Promise<CallFacts['problem']> {
  if (context.earlier === undefined || fact?.inside !== true || fact.sensitive === true) return undefined;
  const target = await locate(path, context);
  if (target.type === 'outside' || dangersOfFile(target.real, 'read', context).length > 0) return undefined;
  const file = await stat(target.real).catch(() => undefined);
  if (file?.isFile() !== true) return undefined;
  const before = await context.earlier();
  if (before.some((earlier) => mayChange(earlier, fact.path))) return undefined;
  const edited = await editedFile(edits, target, context);
  if (edited.type !== 'error' || typeof edited.message !== 'string') return undefined;
  const { code, message } = edited;
  // The message quotes lines, and a rule may forbid this agent to read them.
  const isSeen = context.ledger.stampSeen(context.session, target.real) !== undefined;
  const unseen = `${fact.path}: old_text is not in the file. Read it, then edit. Nothing was changed.`;
  return { code, message: isSeen || code !== 'no-match' ? message : unseen };
}

function mayChange({ access, paths = [], problem }: CallFacts, file: string): boolean {
  if (problem !== undefined || access === 'read') return false;
  return access !== 'write' || paths.length === 0 || paths.some(({ path }) => path === file);
}
