/** The connection's state. `DataState` describes the data. */
export type ConnectionState =
  | { readonly type: 'connecting'; readonly attempt: number }
  | { readonly type: 'open' }
  /** Disconnected; the next attempt is at `until`. */
  | { readonly type: 'waiting'; readonly attempt: number; readonly until: number; readonly why: string }
  /** No more attempts: closed by this program or rejected by the server. */
  | { readonly type: 'closed'; readonly why: string; readonly code?: string };

/** How current the data of a followed session is. */
export type DataState =
  /** Requested and not received yet. */
  | 'catching-up'
  /** Up to date, as far as the connection can tell. */
  | 'current'
  /** Complete up to `seq`; disconnected, and resumes from there. */
  | 'stale';
