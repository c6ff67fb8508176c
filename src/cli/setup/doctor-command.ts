import path from 'node:path';

import type { CliCommand } from '../command.ts';
import { parseOptions, storedOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { terminalOf } from '../terminal.ts';
import type { Tone } from '../../wording/terminal-style.ts';
import { checkAll } from './doctor-checks.ts';
import type { Finding } from './doctor-finding.ts';

const options = {
  full: { type: 'boolean', help: 'check every session, not only the newest 100' },
  repair: { type: 'boolean', help: 'repair problems; replaced data is kept' },
  ...storedOptions,
} as const;

export const doctorCommand: CliCommand = {
  usage: ['doctor [--full] [--repair]'],
  about: `Checks Node, the store and its sessions (records, kernel rules, snapshots, indexes), session owners, leftover
processes, disk use, git, the terminal, the sandbox, models, external agents, the configuration and trust. Exits with
code 1 if something is broken. Missing optional parts are only reported. --repair sets damaged records aside and keeps them,
rebuilds indexes, ends children of dead processes, and copies everything readable in a damaged store file into a new
one. The old file stays beside it.`,
  options,
  async run(argv) {
    const { values } = parseOptions(options, argv, { most: 0 });
    const cwd = path.resolve(values.cwd ?? '.');
    const isRepairing = values.repair === true;
    const most = values.full === true || isRepairing ? Infinity : 100;
    const findings = await checkAll({ cwd, store: values.store, most, isRepairing });
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
  for (const { what, health, found, advice, repaired = [] } of findings) {
    const { mark, tone } = marks[health];
    console.log(`${paint[tone](mark)} ${what.padEnd(14)} ${found}`);
    for (const done of repaired) console.log(`  ${''.padEnd(14)} ${paint.good(`repaired: ${done}`)}`);
    if (advice !== undefined) console.log(`  ${''.padEnd(14)} ${paint.quiet(advice)}`);
  }
}
