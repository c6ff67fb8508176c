import type { Actor } from '../kernel/actor.ts';

/** The person who types commands here. */
export const terminalActor: Actor = { type: 'person', name: 'terminal' };
