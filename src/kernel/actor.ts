/** Who caused an input. Roles are checked at the border; the kernel only keeps workers from approving. */
export interface Actor {
  /** `agent`: one that decides for its own workers, within what it may do itself. */
  readonly type: 'person' | 'program' | 'agent' | 'worker' | 'system';
  readonly name: string;
}

export const system: Actor = { type: 'system', name: 'rondo' };
/** The process that keeps the session, where it acts for itself and not for a client. */
export const host: Actor = { type: 'system', name: 'host' };
