/** How the connection is. What was received stays as it is meanwhile: see `DataState`. */
export type ConnectionState =
  | { readonly type: 'connecting'; readonly attempt: number }
  | { readonly type: 'open' }
  /** It broke; the next attempt comes at that time. */
  | { readonly type: 'waiting'; readonly attempt: number; readonly until: number; readonly why: string }
  /** It will not be tried again: closed by this program, or turned away for good. */
  | { readonly type: 'closed'; readonly why: string; readonly code?: string };

/** How what is known of one followed session stands to what there is. */
export type DataState =
  /** Asked for and not there yet. */
  | 'catching-up'
  /** Everything up to this moment is known, as far as the connection can tell. */
  | 'current'
  /** Known up to `seq`; the connection is gone, and will go on from there. */
  | 'stale';
