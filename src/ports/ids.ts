import type { JobId, SessionId, WorkerId } from '../kernel/ids.ts';

/** Fresh ids: `<kind>_<letters and digits>`, sortable by time, never the same twice. */
export interface Ids {
  session(): SessionId;
  worker(): WorkerId;
  job(): JobId;
  /** For idempotency keys, traces and tokens. */
  unique(): string;
}
