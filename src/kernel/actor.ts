/** Who caused an input. The API border checks roles; the kernel only keeps workers from approving. */
export interface Actor {
  /** `agent`: decides for its own workers, within its own permissions. */
  readonly type: 'person' | 'program' | 'agent' | 'worker' | 'system';
  readonly name: string;
}

export const system: Actor = { type: 'system', name: 'rondo' };
/** The process that owns the session, when it acts on its own behalf. */
export const host: Actor = { type: 'system', name: 'host' };
