import { z } from 'zod';

import type { BlobHash } from '../../kernel/ids.ts';
import type { Tool } from '../../ports/tool.ts';
import { builtinTool } from '../define/builtin-tool.ts';
import { failure } from '../define/tool-failure.ts';

const MOST_CHARACTERS = 20_000;

const schema = () =>
  z.strictObject({
    ref: z
      .string()
      .regex(/^[\w-]{8,200}$/, 'must be a ref from a notice')
      .describe('The ref that stands where text was left out.'),
    from: z.int().min(0).default(0).describe('The first character to read, counted from 0.'),
    length: z.int().min(1).max(MOST_CHARACTERS).default(10_000).describe('How many characters.'),
  });

/** Reads more of an output of which the model sees only both ends. Returns the recorded text and runs nothing again. */
export function createRecallTool(deps: { readonly read: (ref: BlobHash) => Promise<string | undefined> }): Tool {
  return builtinTool({
    name: 'recall',
    description: 'Reads a part of an earlier output that was too long to be shown whole, by the ref given there.',
    schema,
    describe: () => ({ access: 'read', repeat: 'safe', order: 'parallel', runs: 'tool' }),
    run: async ({ ref, from, length }) => {
      const text = await deps.read(ref as BlobHash);
      if (text === undefined) return failure('not-found', `Unknown ref ${ref}.`);
      if (from >= text.length)
        return failure('not-found', `The text has only ${text.length} characters, so ${from} is past its end.`);
      const part = text.slice(from, from + length);
      const rest = text.length - from - part.length;
      const more = rest === 0 ? '' : `\n[${rest} characters follow, from ${from + part.length} on]`;
      return { type: 'success', output: `${part}${more}` };
    },
  });
}
