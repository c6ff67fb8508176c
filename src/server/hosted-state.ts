import type { HostedSession } from '../host/hosted-session.ts';
import type { LifecycleState } from '../host/lifecycle.ts';

/** What its journal says of the end of a session. */
export interface JournalEnd {
  readonly isClosed: boolean;
  readonly isClosing?: boolean;
}

/** Where a session is in its life. One that its host knows nothing of sleeps, and is active until it is ended. */
export function hostedStateOf(
  { isClosed, isClosing }: JournalEnd,
  known: HostedSession | undefined,
): LifecycleState {
  if (isClosed) return known?.state === 'terminating' ? 'terminating' : 'cleaned';
  if (isClosing === true) return 'terminating';
  return known?.state ?? 'active';
}
