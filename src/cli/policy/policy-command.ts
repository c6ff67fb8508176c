import { commandWord } from '../command-word.ts';
import type { CliCommand } from '../command.ts';
import { parseOptions } from '../option-table.ts';
import { personOnly } from '../person-only.ts';
import { usageError } from '../usage-error.ts';
import { policyOptions } from './policy-options.ts';
import { listRules, revoke } from './saved-rules-commands.ts';

const words = { explain: 1, list: 0, revoke: 1 } as const;

export const policyCommand: CliCommand = {
  usage: [
    'policy explain "COMMAND"',
    'policy explain --tool NAME (--path PATH | --url URL | --args JSON)',
    'policy list [--all]',
    'policy revoke RULE_ID',
  ],
  about: `explain shows what would happen to a call here, part by part, and which rule decides. It runs nothing.
list shows the active rules: configured ones and those that "always" saved. revoke deletes a saved rule.`,
  options: policyOptions,
  words,
  async run(argv) {
    const given = parseOptions(policyOptions, argv, { most: Infinity });
    const what = commandWord('policy', words, policyOptions, given);
    const {
      values,
      words: [, subject],
    } = given;
    if (what === 'revoke') personOnly('policy revoke');
    switch (what) {
      case 'explain': {
        const { explain } = await import('./explain.ts');
        return explain(subject, values);
      }
      case 'list':
        return listRules(values);
      case 'revoke':
        if (subject === undefined) throw usageError('which rule? `rondo policy list` shows the ids');
        return revoke(subject, values);
    }
  },
};
