import path from 'node:path';

import { createFileCheckpoints } from '../../assembly/sessions/file-checkpoints.ts';
import type { Swept } from '../../ports/blobs.ts';
import type { DirectoryState } from '../../views/directory.ts';
import type { Shrunk } from '../../journal/sqlite/shrink-store.ts';
import { createSystemClock } from '../../runtime/system-clock.ts';
import {
  archiveFile,
  candidatesFor,
  retire,
  type Candidate,
  type RetentionAction,
  type RetentionParts,
  type RetentionRule,
} from '../../upkeep/retention.ts';
import { sweepBlobs } from '../../upkeep/sweep-blobs.ts';
import { counted } from '../../wording/counted.ts';
import { ageText } from '../../wording/duration.ts';
import type { CliCommand } from '../command.ts';
import { homeFolder } from '../home.ts';
import { parseOptions, storedOptions } from '../option-table.ts';
import type { StoreChoice } from '../sessions/stored-sessions.ts';
import { printJson } from '../print-json.ts';
import { sizeText } from '../../wording/size.ts';
import { sizeFrom, timeFrom } from '../span-option.ts';
import { tableText } from '../../wording/table.ts';
import { terminalOf } from '../terminal.ts';
import { usageError } from '../usage-error.ts';
import { keepReserve } from './space-reserve.ts';
import { openSessionStore } from './stored-session-store.ts';
import { optional } from '../../kernel/optional.ts';

const states = ['idle', 'closed'] as const satisfies readonly DirectoryState[];

const options = {
  'older-than': {
    type: 'string',
    value: 'SPAN',
    help: 'only sessions without activity for this long: 30d, 12h',
  },
  'larger-than': { type: 'string', value: 'SIZE', help: 'only sessions with a journal larger than this: 10MB' },
  state: {
    type: 'string',
    value: 'STATE',
    values: states,
    help: 'only idle or only closed sessions (default: both)',
  },
  archive: {
    type: 'boolean',
    help: 'save each session as a bundle, then remove it; Archive in the chat or web app only hides one',
  },
  delete: { type: 'boolean', help: 'delete them permanently' },
  'dry-run': { type: 'boolean', help: 'dry run (default without --archive or --delete)' },
  ...storedOptions,
} as const;

export const pruneCommand: CliCommand = {
  usage: ['prune [--older-than 30d] [--larger-than 10MB] [--state closed] [--archive | --delete]'],
  about: `Lists the sessions that match, and removes them and their sub-agents with --archive or --delete. Archived sessions
are bundles in $RONDO_HOME/archive; \`rondo import\` restores their history. Sessions with open work stay: a turn, a
question, a queued prompt, a timer, a worker, pending input. So do sessions that a fork builds on. The first prune a
day later, or a server with a retention rule, deletes unreferenced blobs. If nothing else has the store open, its
file shrinks.`,
  options,
  async run(argv) {
    const { values } = parseOptions(options, argv, { most: 0 });
    const olderThanMs = timeFrom('older-than', values['older-than']);
    const largerThan = sizeFrom('larger-than', values['larger-than']);
    const state = states.find((one) => one === values.state);
    if (values.state !== undefined && state === undefined) throw usageError('--state must be idle or closed');
    if (values.archive === true && values.delete === true)
      throw usageError("--archive and --delete can't be combined");
    if (olderThanMs === undefined && largerThan === undefined && state === undefined) {
      throw usageError('which sessions? pass --older-than, --larger-than or --state');
    }
    const isDry = values['dry-run'] === true || (values.archive !== true && values.delete !== true);
    const action: RetentionAction =
      values.archive === true ? { type: 'archive', folder: archiveFolder() } : { type: 'delete' };
    const rule = {
      ...optional({ olderThanMs, largerThan }),
      ...(state !== undefined && { states: [state] }),
    };
    const { done, swept, address } = await prune(values, rule, isDry ? undefined : action);
    const shrunk = isDry || address.type !== 'sqlite' ? undefined : await shrunkStore(address.path);
    if (values.json === true) {
      const store = shrunk === undefined ? {} : { store: shrunk };
      printJson({ dryRun: isDry, sessions: done.map(recordOf), blobs: swept, ...store });
    } else tell(done, swept, isDry, shrunk);
    return 0;
  },
};

const archiveFolder = () => path.join(homeFolder(), 'archive');

/** Without an action, a dry run. Closes the store afterwards. */
async function prune(choice: StoreChoice, rule: RetentionRule, action: RetentionAction | undefined) {
  await using opened = await openSessionStore(choice, { purpose: action === undefined ? 'look' : 'remove' });
  const { forget } = createFileCheckpoints({ home: homeFolder() });
  const parts = { store: opened.store, clock: createSystemClock(), forget };
  const done: Done[] = [];
  for (const candidate of await candidatesFor(parts, rule)) done.push(await oneGone(parts, candidate, action));
  const swept = await sweepBlobs(opened.store, { now: Date.now(), isDry: action === undefined });
  return { done, swept, address: opened.address };
}

async function oneGone(
  parts: RetentionParts,
  candidate: Candidate,
  action: RetentionAction | undefined,
): Promise<Done> {
  if (candidate.stays !== undefined) return { ...candidate, became: 'stays' };
  if (action === undefined) return { ...candidate, became: 'would go' };
  const removal = await retire(parts, candidate, action);
  if (removal.type === 'kept') return { ...candidate, became: 'stays', stays: removal.why };
  const file = action.type === 'archive' ? archiveFile(action.folder, candidate.entry.session) : undefined;
  return { ...candidate, became: 'gone', ...optional({ archived: file }) };
}

/** Loaded on demand: few commands shrink the store. */
async function shrunkStore(file: string): Promise<Shrunk> {
  const { shrinkStore } = await import('../../journal/sqlite/shrink-store.ts');
  const shrunk = shrinkStore(file);
  keepReserve(file);
  return shrunk;
}

interface Done extends Candidate {
  readonly became: 'would go' | 'gone' | 'stays';
  readonly archived?: string;
}

function recordOf({ entry, family, bytes, became, stays, archived }: Done): object {
  const { session, title, state, updatedAt } = entry;
  const more = { ...optional({ why: stays, archived }) };
  return { session, title, state, updatedAt, sessions: family.length, bytes, became, ...more };
}

function tell(done: readonly Done[], swept: Swept, isDry: boolean, shrunk: Shrunk | undefined): void {
  const terminal = terminalOf(process.stdout);
  const columns = [
    'id',
    { title: 'title', gives: true },
    { title: 'age', align: 'right' },
    { title: 'size', align: 'right' },
    '',
  ] as const;
  const rows = done.map(({ entry, bytes, became, stays, archived }) => [
    entry.session,
    entry.title === '' ? '(no title)' : entry.title,
    ageText(Date.now() - entry.updatedAt),
    sizeText(bytes),
    became === 'stays' ? `stays: ${stays}` : (archived ?? became),
  ]);
  if (rows.length > 0) console.log(tableText(columns, rows, terminal));
  const gone = done.filter(({ became }) => became !== 'stays');
  const bytes = gone.reduce((sum, one) => sum + one.bytes, 0) + swept.bytes;
  const verb = isDry ? 'would be removed' : 'removed';
  console.error(
    `${counted(gone.length, 'session')} and ${counted(swept.blobs, 'blob')} ${verb}, ${sizeText(bytes)}${isDry ? '; run with --archive or --delete to apply' : ''}`,
  );
  if (swept.waiting > 0) {
    console.error(`${counted(swept.waiting, 'unused blob')} can be deleted by a prune a day from now.`);
  }
  if (shrunk?.type === 'shrunk') console.error(`The store shrank by ${sizeText(shrunk.bytes)}.`);
  if (shrunk?.type === 'in-use') {
    const free =
      shrunk.free === undefined ? '' : `${sizeText(shrunk.free)} of the store are free for new sessions. `;
    console.error(`${free}To shrink the file, prune while no server and no other rondo has the store open.`);
  }
  if (shrunk?.type === 'no-room') {
    console.error(
      `${sizeText(shrunk.free)} of the store are free for new sessions. To return them to the disk, free some space and prune again.`,
    );
  }
}
