import type { Command } from '../command.ts';
import { parseOptions } from '../option-table.ts';
import { unknownWord, usageError } from '../usage-error.ts';
import { policyOptions } from './policy-options.ts';
import { listRules, revoke } from './saved-rules-commands.ts';

const words = ['explain', 'list', 'revoke'] as const;

export const policyCommand: Command = {
  usage: [
    'policy explain "COMMAND"',
    'policy explain --tool NAME --path PATH',
    'policy list',
    'policy revoke RULE_ID',
  ],
  about: `explain says what would happen to a call here, part by part, and which rule says so; nothing is run.
list shows the rules that hold here: configured ones, and those saved by "always", which revoke takes back.`,
  options: policyOptions,
  words,
  async run(argv) {
    const { values, words: given } = parseOptions(policyOptions, argv, { most: 2 });
    const [what, subject] = given;
    switch (what) {
      case 'explain': {
        const { explain } = await import('./explain.ts');
        return explain(subject, values);
      }
      case 'list':
        return listRules(values);
      case 'revoke':
        if (subject === undefined) throw usageError('which rule? `rondo policy list` shows their ids');
        return revoke(subject, values);
      default:
        throw unknownWord('policy', what, words);
    }
  },
};
