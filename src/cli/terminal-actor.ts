import type { Actor } from '../kernel/actor.ts';

/** Whoever types commands here. */
export const terminalActor: Actor = { type: 'person', name: 'terminal' };
