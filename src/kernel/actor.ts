/** Who caused an input. Roles are checked at the border; the kernel only keeps workers from approving. */
export interface Actor {
  readonly type: 'person' | 'program' | 'worker' | 'system';
  readonly name: string;
}

export const system: Actor = { type: 'system', name: 'rondo' };
