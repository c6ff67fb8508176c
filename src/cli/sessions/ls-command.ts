import type { DirectoryEntry, DirectoryState } from '../../views/directory.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { thisMachine } from '../../assembly/sessions/this-machine.ts';
import { strandedSessions } from '../../session/ownership/stranded-sessions.ts';
import { searchSessions, type FoundSession } from '../../upkeep/search-sessions.ts';
import type { Store } from '../../ports/store.ts';
import type { CliCommand } from '../command.ts';
import { costText } from '../../wording/cost.ts';
import { ageText } from '../../wording/duration.ts';
import { numberFrom } from '../number-option.ts';
import { parseOptions, storedOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { sizeText } from '../../wording/size.ts';
import { isolatedLines } from '../../wording/isolates.ts';
import { tableText, type Cell, type Column, type Row } from '../../wording/table.ts';
import { terminalOf } from '../terminal.ts';
import { waitsForText } from '../../views/waits-for.ts';
import type { Tone } from '../../wording/terminal-style.ts';
import { usageError } from '../usage-error.ts';
import { isLeftAtWork } from './reach-session.ts';
import { openStoredSessions } from './stored-sessions.ts';
import { optional } from '../../kernel/optional.ts';

const states = ['idle', 'running', 'waiting', 'cancelling', 'closed'] as const satisfies readonly DirectoryState[];

const options = {
  state: { type: 'string', value: 'STATE', values: states, help: `only sessions that are ${states.join(', ')}` },
  agent: { type: 'string', value: 'NAME', help: 'only sessions of this agent' },
  query: { type: 'string', short: 'q', value: 'WORDS', help: 'only sessions with these words in the title' },
  search: {
    type: 'string',
    value: 'WORDS',
    help: 'only sessions with these words in messages or title',
  },
  sizes: { type: 'boolean', help: 'show how much space each session takes' },
  limit: { type: 'string', value: 'N', help: 'max sessions to list (default: 50)' },
  ...storedOptions,
} as const;

export const lsCommand: CliCommand = {
  usage: ['ls [options]'],
  about: 'Lists sessions, newest first. In a pipe: one line per session, tab-separated, without a header.',
  options,
  async run(argv) {
    const { values } = parseOptions(options, argv, { most: 0 });
    const { state, agent, query } = values;
    if (state !== undefined && !isState(state)) {
      throw usageError(`unknown state "${state}"; use one of ${states.join(', ')}`);
    }
    await using stored = await openStoredSessions(values);
    const limit = numberFrom('limit', values.limit) ?? 50;
    const sizes = values.sizes === true ? await stored?.store.upkeep.sizes() : undefined;
    if (values.search !== undefined) {
      if (state !== undefined || agent !== undefined || query !== undefined) {
        throw usageError('--search only combines with --limit and --sizes');
      }
      const hits = stored === undefined ? [] : await searchSessions(stored.store, values.search, limit);
      const rows = await listed(hits, stored?.store);
      if (values.json === true) printJson({ sessions: rows.map((entry) => sized(entry, sizes)), more: false });
      else printTable(rows, { isMore: false, ...optional({ sizes }) });
      return 0;
    }
    const page = await stored?.store.journal.list({
      limit,
      ...optional({ state, agent, q: query }),
    });
    const entries = await listed(page?.entries ?? [], stored?.store);
    const isMore = page?.cursor !== undefined;
    if (values.json === true) printJson({ sessions: entries.map((entry) => sized(entry, sizes)), more: isMore });
    else printTable(entries, { isMore, ...optional({ sizes }) });
    return 0;
  },
};

/**
 * `interrupted`: the process that ran it is gone. Resuming it continues its turn. `goneMachine`: it waits for the
 * machine with its folder. `missingLabels`: it waits for a node that offers them.
 */
type Listed = FoundSession & {
  readonly interrupted: boolean;
  readonly goneMachine?: string;
  readonly missingLabels?: readonly string[];
};

async function listed(sessions: readonly FoundSession[], store: Store | undefined): Promise<readonly Listed[]> {
  const stranded = store?.isShared === true ? await strandedSessions(store, thisMachine(), Date.now()) : [];
  return Promise.all(
    sessions.map(async (entry) => {
      const { machine: goneMachine, labels = [] } =
        stranded.find(({ session }) => session === entry.session) ?? {};
      const missingLabels = labels.length === 0 ? undefined : labels;
      const interrupted = store !== undefined && (await isLeftAtWork(store, entry));
      return { ...entry, interrupted, ...optional({ goneMachine, missingLabels }) };
    }),
  );
}

function isState(text: string): text is DirectoryState {
  return (states as readonly string[]).includes(text);
}

type Sizes = ReadonlyMap<SessionId, number>;

function sized<Entry extends DirectoryEntry>(entry: Entry, sizes: Sizes | undefined): Entry & { bytes?: number } {
  const bytes = sizes?.get(entry.session);
  return bytes === undefined ? entry : { ...entry, bytes };
}

interface Listing {
  readonly isMore: boolean;
  readonly sizes?: Sizes;
}

function printTable(entries: readonly Listed[], { isMore, sizes }: Listing): void {
  const terminal = terminalOf(process.stdout);
  const now = Date.now();
  if (entries.length === 0) {
    if (terminal.isTerminal) console.log('No sessions. `rondo run "…"` starts one.');
    return;
  }
  const columns: readonly (string | Column)[] = [
    'id',
    { title: 'title', gives: true },
    'state',
    'agent',
    { title: 'age', align: 'right' },
    { title: 'cost', align: 'right' },
    { title: 'asks', align: 'right' },
    ...(sizes === undefined ? [] : [{ title: 'size', align: 'right' as const }]),
    ...(entries.some(({ excerpt }) => excerpt !== undefined) ? ['said'] : []),
  ];
  const rows = entries.map((entry): Row => [
    entry.session,
    entry.title === '' ? '(no title)' : entry.title,
    stateCell(entry),
    entry.isForeign === true ? '(imported)' : entry.agent,
    ageText(now - entry.updatedAt),
    entry.children === undefined ? costText(entry) : `${costText(entry)} (sub-agents ${costText(entry.children)})`,
    { text: String(entry.questions), tone: entry.questions > 0 ? 'warning' : 'quiet' },
    ...(sizes === undefined ? [] : [sizeText(sizes.get(entry.session) ?? 0)]),
    ...(entry.excerpt === undefined ? [] : [entry.excerpt]),
  ]);
  const table = tableText(columns, rows, terminal);
  console.log(terminal.isTerminal ? isolatedLines(table) : table);
  if (isMore && terminal.isTerminal)
    console.log(terminal.paint.quiet('More sessions exist. Raise --limit or filter with -q.'));
}

function stateCell(entry: Listed): Cell {
  const wait = waitsForText(entry);
  if (wait !== undefined) return { text: wait, tone: 'warning' };
  if (entry.interrupted) return { text: 'interrupted (owner gone)', tone: 'warning' };
  return { text: entry.state, tone: toneOf[entry.state] };
}

const toneOf: Readonly<Record<DirectoryState, Tone>> = {
  idle: 'quiet',
  running: 'good',
  waiting: 'warning',
  cancelling: 'warning',
  closed: 'quiet',
};
