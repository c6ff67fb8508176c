import { z } from 'zod';

import type { Tool } from '../../ports/tool.ts';
import { builtinTool } from '../define/builtin-tool.ts';
import { failure } from '../define/tool-failure.ts';

const schema = () =>
  z.strictObject({
    question: z.string().min(1).max(4_000).describe('The question, with all a person needs to answer it.'),
    options: z
      .array(z.string().min(1).max(200))
      .max(10)
      .optional()
      .describe('Answers to choose from; another may always be given.'),
  });

/** Asks the user a question. Nothing runs: the user's answer is the result of the call. */
export function createAskUserTool(): Tool {
  return builtinTool({
    name: 'ask_user',
    description:
      'Asks the person a question and waits for the answer. Only for what you cannot find out or decide yourself.',
    schema,
    describe: (args) => ({
      access: 'talk',
      asks: { type: 'clarification', text: args.question, options: args.options ?? [] },
      repeat: 'safe',
      order: 'exclusive',
      runs: 'tool',
    }),
    run: async () => failure('nobody-asked', 'No user is available to answer. Continue with what you know.'),
  });
}
