import { modes } from '../../kernel/mode.ts';
import { commonOptions, jsonOption, type parseOptions } from '../option-table.ts';

export const policyOptions = {
  tool: {
    type: 'string',
    value: 'NAME',
    of: ['explain'],
    help: 'another tool than shell, with --path, --url or --args',
  },
  path: { type: 'string', value: 'PATH', of: ['explain'], help: 'the file that the tool would touch' },
  url: { type: 'string', value: 'URL', of: ['explain'], help: 'the address that the tool would fetch' },
  args: { type: 'string', value: 'JSON', of: ['explain'], help: "all of the tool's arguments" },
  agent: { type: 'string', value: 'NAME', of: ['explain'], help: 'as this agent (default: the default agent)' },
  mode: {
    type: 'string',
    value: 'MODE',
    values: Object.keys(modes),
    of: ['explain'],
    help: 'in this mode (default: interactive)',
  },
  all: { type: 'boolean', of: ['list'], help: 'the rules saved for every project, not only this one' },
  cwd: { type: 'string', value: 'DIR', help: 'the folder whose policy is meant (default: this one)' },
  ...jsonOption,
  ...commonOptions,
} as const;

export type PolicyValues = ReturnType<typeof parseOptions<typeof policyOptions>>['values'];
