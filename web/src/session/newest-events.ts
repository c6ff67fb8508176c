/** Loads a session's newest events in the form that folds expect. */
import type { Recorded } from '../../../src/kernel/event.ts';
import { getApi } from '../connection/api.ts';

type Flat = Omit<Recorded, 'event'> & Recorded['event'];

const most = 5000;

export async function newestEvents(session: string): Promise<readonly Recorded[]> {
  const status = await getApi<{ readonly seq: number }>(`/sessions/${session}`);
  if (status.type === 'problem') return [];
  const after = Math.max(0, status.value.seq - most);
  const page = await getApi<{ readonly events: readonly Flat[] }>(
    `/sessions/${session}/events?after=${after}&limit=${most}`,
  );
  return page.type === 'ok' ? page.value.events.map(recordedOf) : [];
}

/** Over HTTP, an event's fields are next to its sequence number. */
export function recordedOf({ seq, at, by, ...event }: Flat): Recorded {
  return { seq, at, by, event: event };
}
