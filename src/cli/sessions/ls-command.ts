import type { DirectoryEntry, DirectoryState } from '../../journal/journal.ts';
import type { Command } from '../command.ts';
import { costText } from '../../views/cost-text.ts';
import { durationText } from '../../views/duration-text.ts';
import { numberFrom } from '../number-option.ts';
import { commonOptions, jsonOption, parseOptions, storeOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { tableText, type Cell } from '../table.ts';
import { terminalOf, type Tone } from '../terminal.ts';
import { usageError } from '../usage-error.ts';
import { openStoredSessions } from './stored-sessions.ts';

const states = ['idle', 'running', 'waiting', 'cancelling', 'closed'] as const satisfies readonly DirectoryState[];

const options = {
  state: { type: 'string', value: 'STATE', values: states, help: `only sessions that are ${states.join(', ')}` },
  agent: { type: 'string', value: 'NAME', help: 'only sessions of this agent' },
  query: { type: 'string', short: 'q', value: 'WORDS', help: 'only sessions with these words in the title' },
  limit: { type: 'string', value: 'N', help: 'at most so many (default 50)' },
  ...jsonOption,
  ...storeOptions,
  ...commonOptions,
} as const;

export const lsCommand: Command = {
  usage: ['ls [options]'],
  about: 'Lists sessions, the newest first. In a pipe: one line a session, tabs between the columns, no head.',
  options,
  async run(argv) {
    const { values } = parseOptions(options, argv, { most: 0 });
    const { state, agent, query } = values;
    if (state !== undefined && !isState(state)) {
      throw usageError(`there is no state "${state}"; the states are ${states.join(', ')}`);
    }
    await using stored = await openStoredSessions(values);
    const page = await stored?.store.journal.list({
      limit: numberFrom('limit', values.limit) ?? 50,
      ...(state !== undefined && { state }),
      ...(agent !== undefined && { agent }),
      ...(query !== undefined && { q: query }),
    });
    const entries = page?.entries ?? [];
    if (values.json === true) printJson({ sessions: entries, more: page?.cursor !== undefined });
    else printTable(entries, { isMore: page?.cursor !== undefined });
    return 0;
  },
};

function isState(text: string): text is DirectoryState {
  return (states as readonly string[]).includes(text);
}

function printTable(entries: readonly DirectoryEntry[], { isMore }: { readonly isMore: boolean }): void {
  const terminal = terminalOf(process.stdout);
  const now = Date.now();
  if (entries.length === 0) {
    if (terminal.isTerminal) console.log('No sessions. `rondo run "…"` starts one.');
    return;
  }
  const columns = [
    { title: 'id' },
    { title: 'title', gives: true },
    { title: 'state' },
    { title: 'agent' },
    { title: 'age', align: 'right' },
    { title: 'cost', align: 'right' },
    { title: 'asks', align: 'right' },
  ] as const;
  const rows = entries.map((entry): readonly (string | Cell)[] => [
    entry.session,
    entry.title === '' ? '(no title)' : entry.title,
    { text: entry.state, tone: toneOf[entry.state] },
    entry.agent,
    durationText(now - entry.updatedAt),
    costText(entry),
    { text: String(entry.questions), tone: entry.questions > 0 ? 'warning' : 'quiet' },
  ]);
  console.log(tableText(columns, rows, terminal));
  if (isMore && terminal.isTerminal)
    console.log(terminal.paint.quiet('There are more: --limit, or look with -q.'));
}

const toneOf: Readonly<Record<DirectoryState, Tone>> = {
  idle: 'quiet',
  running: 'good',
  waiting: 'warning',
  cancelling: 'warning',
  closed: 'quiet',
};
