import path from 'node:path';

import { writeFirstConfig } from '../../agents/init.ts';
import type { CliCommand } from '../command.ts';
import { commonOptions, jsonOption, parseOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';

const options = {
  cwd: { type: 'string', value: 'DIR', help: "the project's folder (default: this one)" },
  ...jsonOption,
  ...commonOptions,
} as const;

export const initCommand: CliCommand = {
  usage: ['init'],
  about: 'Creates a commented rondo.json. Never overwrites an existing one.',
  options,
  async run(argv) {
    const { values } = parseOptions(options, argv, { most: 0 });
    const result = await writeFirstConfig(path.resolve(values.cwd ?? '.'));
    if (values.json === true) printJson(result);
    else if (result.type === 'written') {
      console.log(`Wrote ${result.file}`);
      console.log('All settings are optional. Run `rondo trust` to let it allow and start things.');
    } else console.error(`rondo init: ${result.file} already exists; nothing changed.`);
    return result.type === 'written' ? 0 : 1;
  },
};
