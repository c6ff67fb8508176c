import { createReadStream, existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

import type { Recorded } from '../../kernel/event.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import type { State } from '../../kernel/state.ts';
import { shownOf } from '../../session/read/fold-session.ts';
import { stateVersion } from '../../session/read/load-session.ts';
import { bundledTransitions, storedTransitions } from '../../upkeep/journal-transitions.ts';
import { replay, type ReplayStep } from '../../upkeep/replay.ts';
import { statusOf } from '../../views/status.ts';
import type { CliCommand } from '../command.ts';
import { numberFrom } from '../number-option.ts';
import { parseOptions, storedOptions } from '../option-table.ts';
import { namedSession, type StoredSessions } from '../sessions/stored-sessions.ts';
import { terminalOf } from '../terminal.ts';
import { usageError } from '../usage-error.ts';

const options = {
  until: { type: 'string', value: 'SEQ', help: 'stop after this event and show the state' },
  step: { type: 'boolean', help: 'print a line per step' },
  ...storedOptions,
} as const;

export const replayCommand: CliCommand = {
  usage: ['replay SESSION | BUNDLE [--until SEQ] [--step]'],
  about: `Replays a session from its journal, without models, tools or network. Rondo decides every step with a known input
again and checks that it gives the same events. It only folds the other steps, and lists them. Exit code 1 names the
first step that differs. SESSION is an id, a prefix, or "latest"; BUNDLE is a file from \`rondo export\`.`,
  options,
  async run(argv) {
    const { values, words } = parseOptions(options, argv, { most: 1 });
    const [given] = words;
    if (given === undefined)
      throw usageError('which session or bundle? `rondo ls` lists sessions, `rondo export` creates bundles');
    const until = numberFrom('until', values.until);
    const isJson = values.json === true;
    await using source = await sourceOf(given, values);
    const { paint } = terminalOf(process.stdout);
    const summary = { equal: 0, folded: new Map<string, number>(), events: 0, steps: 0, problems: [] as string[] };
    let state: State | undefined;
    for await (const step of replay(source.transitions, { ...source, ...optional({ until }) })) {
      state = step.state;
      count(summary, step);
      summary.problems.push(...problemsOf(step), ...(await source.compare(step)));
      if (values.step !== true) continue;
      console.log(isJson ? JSON.stringify(stepRecord(step)) : stepLine(step, paint.bad));
    }
    if (state === undefined) throw usageError(`session ${source.session} has no events`);
    const isWhole = until === undefined;
    if (isWhole) summary.problems.push(...(await source.compareEnd(state)));
    const { session } = source;
    const { equal, folded, events, steps, problems } = summary;
    if (isJson) {
      const counts = { events, steps, equal, folded: Object.fromEntries(folded) };
      console.log(
        JSON.stringify(
          { type: 'replay', session, ...counts, problems, state },
          undefined,
          values.step === true ? 0 : 2,
        ),
      );
    } else {
      const words = [...folded].map(([type, times]) => `${times} ${type}`).join(', ');
      const rest = words === '' ? '' : `; only folded: ${words}`;
      console.log(
        `${session}: ${events} events in ${steps} steps, ${equal} decided again with the same result${rest}`,
      );
      console.log(`state at ${state.seq}: ${statusOf(state).words}${source.sameAs(isWhole)}`);
      if (!isWhole) console.log(JSON.stringify(state, undefined, 2));
      for (const problem of problems) console.error(`rondo replay: ${problem}`);
    }
    return problems.length === 0 ? 0 : 1;
  },
};

interface Source extends AsyncDisposable {
  readonly session: SessionId;
  readonly transitions: AsyncIterable<readonly Recorded[]> | Iterable<readonly Recorded[]>;
  /** Compares a step with what the live session stored. */
  compare(step: ReplayStep): Promise<readonly string[]>;
  compareEnd(state: State): Promise<readonly string[]>;
  sameAs(isWhole: boolean): string;
}

async function sourceOf(
  given: string,
  values: { readonly cwd?: string; readonly store?: string },
): Promise<Source> {
  if (!existsSync(given)) return storedSource(await namedSession(given, values), given);
  const bundled = await bundledTransitions(createReadStream(given, 'utf8'), given);
  return {
    ...bundled,
    compare: async () => [],
    compareEnd: async () => [],
    sameAs: () => '',
    [Symbol.asyncDispose]: async () => undefined,
  };
}

async function storedSource(stored: StoredSessions, given: string): Promise<Source> {
  const session = await stored.find(given);
  const { journal, upkeep } = stored.store;
  const snapshot = await journal.loadSnapshot(session);
  const kept = snapshot?.version === stateVersion ? snapshot : undefined;
  return {
    session,
    transitions: storedTransitions(stored.store, session),
    async compare({ last, state }) {
      if (kept?.seq !== last || isDeepStrictEqual(JSON.parse(kept.body), JSON.parse(JSON.stringify(state))))
        return [];
      return [`the snapshot at event ${last} differs from the journal; rondo doctor --repair rebuilds it`];
    },
    async compareEnd(state) {
      const listing = await upkeep.shown(session);
      // A session that only serves forks has no list entry.
      if (listing.entry === undefined || isDeepStrictEqual(listing, JSON.parse(JSON.stringify(shownOf(state)))))
        return [];
      return ['the session index differs from the journal; rondo doctor --repair rebuilds it'];
    },
    sameAs: (isWhole) => (isWhole ? `, as lists${kept === undefined ? '' : ' and its snapshot'} have it` : ''),
    [Symbol.asyncDispose]: () => stored[Symbol.asyncDispose](),
  };
}

function count(
  summary: { equal: number; folded: Map<string, number>; events: number; steps: number },
  { events, verdict }: ReplayStep,
): void {
  summary.steps += 1;
  summary.events += events.length;
  if (verdict.type === 'equal') summary.equal += 1;
  if (verdict.type !== 'folded') return;
  const type = events[0]?.event.type ?? '';
  summary.folded.set(type, (summary.folded.get(type) ?? 0) + 1);
}

function problemsOf({ first, last, events, verdict, broken }: ReplayStep): readonly string[] {
  const were = events.map(({ event }) => event.type).join(', ');
  return [
    ...(verdict.type === 'differs'
      ? [
          `event ${first}: ${verdict.input} gave ${were}, but now gives ${verdict.instead.map(({ type }) => type).join(', ') || 'nothing'}`,
        ]
      : []),
    ...(verdict.type === 'breaks'
      ? [`event ${first}: ${verdict.input} gave ${were}, but can't be decided again: ${verdict.rule}`]
      : []),
    ...broken.map((rule) => `event ${last}: the state breaks rule ${rule}`),
  ];
}

function stepRecord({ first, last, events, verdict, broken, state }: ReplayStep): object {
  return {
    type: 'step',
    first,
    last,
    events: events.map(({ event }) => event.type),
    verdict,
    broken,
    phase: state.phase.type,
    state,
  };
}

function stepLine({ first, last, events, verdict, state }: ReplayStep, bad: (text: string) => string): string {
  const place = first === last ? String(first) : `${first}-${last}`;
  const how =
    verdict.type === 'equal'
      ? `${verdict.input} →`
      : verdict.type === 'folded'
        ? '(folded)'
        : bad(`${verdict.input} ≠`);
  return `${place.padEnd(9)} ${how} ${events.map(({ event }) => event.type).join(', ')}  [${statusOf(state).words}]`;
}
