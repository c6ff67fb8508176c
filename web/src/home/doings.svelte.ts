/**
 * What sessions that are at work are doing now. The directory says that they are; their status says what. Asked
 * for when an entry changes, of those at work only, a few at a time.
 */
import type { Status } from '../../../src/views/status.ts';
import { getApi } from '../connection/api.ts';
import { orderOf, sortedEntries, type Directory } from './directory.ts';

export interface Doings {
  of(session: string): Status | undefined;
}

const most = 24;

export function createDoings(directory: () => Directory): Doings {
  let known = $state.raw<ReadonlyMap<string, Status>>(new Map());
  const asked = new Map<string, number>();

  $effect(() => {
    for (const entry of sortedEntries(directory().values()).slice(0, most)) {
      const { session, updatedAt } = entry;
      if (orderOf(entry) > 1 || (asked.get(session) ?? 0) >= updatedAt) continue;
      asked.set(session, updatedAt);
      void getApi<Status>(`/sessions/${session}`).then((answer) => {
        if (answer.type === 'ok') known = new Map(known).set(session, answer.value);
      });
    }
  });
  return { of: (session) => known.get(session) };
}
