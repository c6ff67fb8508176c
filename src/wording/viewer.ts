/** Names of people as one viewer reads them. */
import type { Actor } from '../kernel/actor.ts';

/** "you" for the viewer's own name. */
export function nameFor(viewer: string | undefined, name: string): string {
  return name === viewer ? 'you' : name;
}

/** The person who did it. Undefined for the viewer, who knows what they did. */
export function otherThan(viewer: string, by: Actor): Actor | undefined {
  return by.type === 'person' && by.name !== viewer ? by : undefined;
}
