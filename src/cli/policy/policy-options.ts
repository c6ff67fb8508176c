import { commonOptions, jsonOption, type parseOptions } from '../option-table.ts';

export const policyOptions = {
  tool: { type: 'string', value: 'NAME', help: 'explain: another tool than shell, with --path, --url or --args' },
  path: { type: 'string', value: 'PATH', help: 'explain: the file that the tool would touch' },
  url: { type: 'string', value: 'URL', help: 'explain: the address that the tool would fetch' },
  args: { type: 'string', value: 'JSON', help: "explain: all of the tool's arguments" },
  agent: { type: 'string', value: 'NAME', help: 'explain: as this agent (default: the default agent)' },
  mode: { type: 'string', value: 'MODE', help: 'explain: in this mode (default: interactive)' },
  all: { type: 'boolean', help: 'list: the rules saved for every project, not only this one' },
  cwd: { type: 'string', value: 'DIR', help: 'the folder whose policy is meant (default: this one)' },
  ...jsonOption,
  ...commonOptions,
} as const;

export type PolicyValues = ReturnType<typeof parseOptions<typeof policyOptions>>['values'];
