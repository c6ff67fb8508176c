import { modes } from '../../kernel/mode.ts';
import { commonOptions, jsonOption, type parseOptions } from '../option-table.ts';

export const policyOptions = {
  tool: {
    type: 'string',
    value: 'NAME',
    of: ['explain'],
    help: 'tool other than shell, with --path, --url or --args',
  },
  path: { type: 'string', value: 'PATH', of: ['explain'], help: 'file that the tool would touch' },
  url: { type: 'string', value: 'URL', of: ['explain'], help: 'URL that the tool would fetch' },
  args: { type: 'string', value: 'JSON', of: ['explain'], help: 'all arguments of the tool' },
  agent: {
    type: 'string',
    value: 'NAME',
    of: ['explain'],
    help: 'agent that makes the call (default: the default agent)',
  },
  mode: {
    type: 'string',
    value: 'MODE',
    values: Object.keys(modes),
    of: ['explain'],
    help: 'mode to explain (default: interactive)',
  },
  all: { type: 'boolean', of: ['list'], help: 'include rules saved for other projects' },
  cwd: { type: 'string', value: 'DIR', help: 'folder whose policy applies (default: this one)' },
  ...jsonOption,
  ...commonOptions,
} as const;

export type PolicyValues = ReturnType<typeof parseOptions<typeof policyOptions>>['values'];
