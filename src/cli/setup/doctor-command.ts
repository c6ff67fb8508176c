import path from 'node:path';

import type { Command } from '../command.ts';
import { commonOptions, jsonOption, parseOptions, storeOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { terminalOf, type Tone } from '../terminal.ts';
import { usageError } from '../usage-error.ts';
import { checkAll, type Finding } from './doctor-checks.ts';

const options = {
  full: { type: 'boolean', help: 'check every session, not only the newest 100' },
  repair: { type: 'boolean', help: 'not there yet' },
  ...jsonOption,
  ...storeOptions,
  ...commonOptions,
} as const;

export const doctorCommand: Command = {
  usage: ['doctor [--full]'],
  about: `Checks Node, the store and its sessions, git, the sandbox, models, the configuration and trust. Exit code 1
when something is broken; what is only missing is told and does no harm.`,
  options,
  async run(argv) {
    const { values } = parseOptions(options, argv, { most: 0 });
    if (values.repair === true) {
      throw usageError('repairing is not there yet: it comes with a later version. Nothing was changed');
    }
    const cwd = path.resolve(values.cwd ?? '.');
    const findings = await checkAll({ cwd, store: values.store, most: values.full === true ? Infinity : 100 });
    const isBroken = findings.some(({ health }) => health === 'broken');
    if (values.json === true) printJson({ healthy: !isBroken, findings });
    else tell(findings);
    return isBroken ? 1 : 0;
  },
};

const marks: Readonly<Record<Finding['health'], { readonly mark: string; readonly tone: Tone }>> = {
  good: { mark: '✓', tone: 'good' },
  missing: { mark: '-', tone: 'warning' },
  broken: { mark: '✗', tone: 'bad' },
};

function tell(findings: readonly Finding[]): void {
  const { paint } = terminalOf(process.stdout);
  for (const { what, health, found, advice } of findings) {
    const { mark, tone } = marks[health];
    console.log(`${paint[tone](mark)} ${what.padEnd(14)} ${found}`);
    if (advice !== undefined) console.log(`  ${''.padEnd(14)} ${paint.quiet(advice)}`);
  }
}
