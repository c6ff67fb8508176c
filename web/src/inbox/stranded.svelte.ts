/** Sessions that no running node can work on. They ask nothing, but only a person can decide about them. */
import type { SessionList, SessionRow } from '../../../src/views/session-row.ts';
import { waitsForText } from '../../../src/views/waits-for.ts';
import { getApi } from '../connection/api.ts';

/** A node that starts or stops changes no session, so the list is asked for now and then. */
const againMs = 10_000;

export function loadStranded(): { readonly rows: readonly SessionRow[] } {
  let rows = $state.raw<readonly SessionRow[]>([]);
  $effect(() => {
    const load = () =>
      void getApi<SessionList>('/sessions/overview?group=needs-you&limit=100').then((list) => {
        if (list.type === 'ok') rows = list.value.rows.filter((row) => waitsForText(row) !== undefined);
      });
    load();
    const timer = setInterval(load, againMs);
    return () => clearInterval(timer);
  });
  return {
    get rows() {
      return rows;
    },
  };
}
