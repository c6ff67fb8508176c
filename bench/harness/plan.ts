import { parseArgs } from 'node:util';

const itemNames = [
  'a',
  'b',
  'c',
  'd',
  'e',
  'f',
  'g',
  'h',
  'i',
  'j',
  'k',
  'l',
  'q',
  'r',
  'stores',
  'web',
  'heap',
] as const;
export type ItemName = (typeof itemNames)[number];

/** All but the one that takes an hour. */
export const usualItems = itemNames.filter((name) => name !== 'heap');

/** Options of a run. */
export interface Plan {
  readonly only: readonly ItemName[];
  /** Rounds per job. If absent, each item has its own default. */
  readonly rounds: number | undefined;
  /** Takes about a minute: one round, shorter and fewer measurements. */
  readonly isQuick: boolean;
  readonly isWritten: boolean;
  readonly withPeers: boolean;
}

export const usage = `npm run bench -- [options]
  --only a,b,…  run only these items (default: all but heap): a turn, b opening, c many sessions, d streaming, e command line,
                f servers, g appends, h terminal chat, i intent, j jobs, k growth of a step, l a thousand turns,
                q questions to a person, r relaying an agent, stores SQLite, PostgreSQL and NATS, web the web app,
                heap the web app for an hour
  --rounds N    rounds per item (default: depends on the item)
  --quick       take about a minute: one round, shorter measurements
  --write       write docs/benchmarks.md and its charts in docs/bench; with --only, only these sections
  --peers       compare with others: runtimes in a, b and c, streams in d, command lines in e, servers in f,
                durable turns in stores; npm installs them into .cache/bench-peers (override with RONDO_BENCH_CACHE)`;

function parseOptions(given: readonly string[]) {
  return parseArgs({
    args: [...given],
    options: {
      only: { type: 'string', default: usualItems.join(',') },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      peers: { type: 'boolean', default: false },
    },
  }).values;
}

/** The plan, or an error message about the options. */
export function parsePlan(given: readonly string[]): Plan | string {
  let values: ReturnType<typeof parseOptions>;
  try {
    values = parseOptions(given);
  } catch (error) {
    return (error as Error).message;
  }
  const asked = values.only.split(',');
  const unknown = asked.find((name) => !itemNames.some((known) => known === name));
  if (unknown !== undefined) return `Unknown item ${unknown}. Items: ${itemNames.join(', ')}.`;
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))
    return '--rounds takes a whole number of at least 1.';
  return {
    only: itemNames.filter((name) => asked.includes(name)),
    rounds,
    isQuick: values.quick,
    isWritten: values.write,
    withPeers: values.peers,
  };
}

/** `quick` is the number of rounds in a quick run, for items where one round (one program start) is too few. */
export function roundsOf({ rounds, isQuick }: Plan, usual: number, quick = 1): number {
  return rounds ?? (isQuick ? quick : usual);
}
