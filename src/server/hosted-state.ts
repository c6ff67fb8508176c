import type { HostedSession } from '../host/hosted-session.ts';
import type { LifecycleState } from '../host/lifecycle.ts';

/** A session's end according to its journal. */
interface JournalEnd {
  readonly isClosed: boolean;
  readonly isClosing?: boolean;
}

/** A session's lifecycle state. A session unknown to its host is asleep, and counts as active until it ends. */
export function hostedStateOf(
  { isClosed, isClosing }: JournalEnd,
  row: HostedSession | undefined,
): LifecycleState {
  if (isClosed) return row?.state === 'terminating' ? 'terminating' : 'cleaned';
  if (isClosing === true) return 'terminating';
  return row?.state ?? 'active';
}
