import path from 'node:path';

import { Fault } from '../../kernel/fault.ts';
import { exportFormatOf } from '../../commands/export.ts';
import type { ExportFormat } from '../../ports/session-client.ts';
import { exportFormats } from '../../upkeep/export-session.ts';
import type { CliCommand } from '../command.ts';
import { commonOptions, parseOptions, storeOptions } from '../option-table.ts';
import { usageError } from '../usage-error.ts';
import { openSessionStore } from './stored-session-store.ts';
import { writePieces } from '../../upkeep/write-pieces.ts';
import { printPieces } from './print-pieces.ts';

const options = {
  format: {
    type: 'string',
    value: 'FORMAT',
    values: exportFormats,
    help: `${exportFormats.join(', ')} (default: by FILE's ending, else bundle)`,
  },
  output: {
    type: 'string',
    short: 'o',
    value: 'FILE',
    help: 'output file; - is standard output (default: SESSION.*)',
  },
  children: {
    type: 'string',
    value: 'WHICH',
    values: ['small', 'all', 'none'],
    help: 'sub-agents to include: small (default), all, none',
  },
  'with-secrets': { type: 'boolean', help: 'keep keys and tokens (default: redacted)' },
  ...storeOptions,
  ...commonOptions,
} as const;

const endings: Readonly<Record<ExportFormat, string>> = { bundle: 'rondo', markdown: 'md', json: 'json' };

export const exportCommand: CliCommand = {
  usage: ['export SESSION [--format bundle|markdown|json] [-o FILE]'],
  about: `Exports a session to a file. A bundle holds its journal, its blobs and its sub-agents under a chain of integrity
hashes; \`rondo import\` loads it on this or another machine. Secrets that Rondo knows or detects are redacted. The
session doesn't change and may keep running.`,
  options,
  async run(argv) {
    const { values, words } = parseOptions(options, argv, { most: 1 });
    const [given] = words;
    if (given === undefined) throw usageError('which session? `rondo ls` lists them');
    const { format = exportFormatOf(values.output ?? ''), children = 'small' } = values;
    if (!isOneOf(exportFormats, format))
      throw usageError(`unknown format "${format}"; use one of ${exportFormats.join(', ')}`);
    if (!isOneOf(['small', 'all', 'none'] as const, children))
      throw usageError('--children must be small, all or none');
    await using opened = await openSessionStore(values, { asked: given });
    const withSecrets = values['with-secrets'] === true;
    const { session, pieces, leftOut } = await opened.sessions.export(given, { format, children, withSecrets });
    const file = values.output ?? `${session}.${endings[format]}`;
    if (file === '-') await printPieces(pieces);
    else {
      await writePieces(pieces, path.resolve(file)).catch((error: unknown) => {
        throw cantWrite(file, error);
      });
      console.log(file);
    }
    if (leftOut.length > 0)
      console.error(`rondo export: left out ${leftOut.length} sub-agents: ${leftOut.join(', ')}`);
    return 0;
  },
};

/** A disk problem isn't Rondo's fault, and a folder that isn't there is one of the words. */
function cantWrite(file: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case undefined:
      return error;
    case 'ENOENT':
    case 'ENOTDIR':
      return usageError(`can't write ${file}: its folder doesn't exist. Create it, or choose another one`);
    default:
      return new Fault('unreadable', `can't write ${file}: ${message}`);
  }
}

function isOneOf<const Value extends string>(values: readonly Value[], text: string): text is Value {
  return (values as readonly string[]).includes(text);
}
