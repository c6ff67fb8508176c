/** The columns that lists and inboxes show of a session. */
import type { Projection } from '../ports/journal.ts';
import type { DirectoryEntry } from '../views/directory.ts';

export type ProjectionTuple = readonly [
  entry: EntryTuple | null,
  opened: readonly (readonly [id: string, openedAt: number, type: string, about: string])[] | null,
  closed: readonly string[] | null,
  due: readonly [number | null] | null,
];

export type EntryTuple = readonly [
  updatedAt: number,
  entry: string,
  state: string,
  agent: string,
  parent: string | null,
  title: string,
  origin: string | null,
  inFlight: 0 | 1,
];

export function projectionTuple({
  entry,
  questionsOpened,
  questionsClosed,
  due,
  inFlight = false,
}: Projection): ProjectionTuple {
  return [
    entry === undefined ? null : entryOf(entry, inFlight),
    questionsOpened?.map(({ id, openedAt, type, about }) => [id, openedAt, type, about] as const) ?? null,
    questionsClosed ?? null,
    due === undefined ? null : [due],
  ];
}

function entryOf(entry: DirectoryEntry, inFlight: boolean): EntryTuple {
  const { updatedAt, state, agent, parent, title, origin } = entry;
  const body = JSON.stringify(entry);
  return [
    updatedAt,
    body,
    state,
    agent,
    parent ?? null,
    title.toLowerCase(),
    origin?.session ?? null,
    inFlight ? 1 : 0,
  ];
}
