import type { JobId, SessionId, WorkerId } from '../kernel/ids.ts';

/** New ids: `<kind>_<letters and digits>`, sortable by time, unique. */
export interface Ids {
  session(): SessionId;
  worker(): WorkerId;
  job(): JobId;
  /** For idempotency keys, traces and tokens. */
  unique(): string;
}
