/** Names of people as one viewer reads them. */
import type { Actor } from '../kernel/actor.ts';

/** The owner of a machine is one person: a server records them as `owner`, the command line as `terminal`. */
export function personName(name: string): string {
  return name === 'terminal' ? 'owner' : name;
}

/** Whether a recorded name is the viewer's own. */
export function isViewer(viewer: string | undefined, name: string): boolean {
  return viewer !== undefined && personName(name) === personName(viewer);
}

/** "you" for the viewer's own name. */
export function nameFor(viewer: string | undefined, name: string): string {
  return isViewer(viewer, name) ? 'you' : personName(name);
}

/** The person who did it. Undefined for the viewer, who knows what they did. */
export function otherThan(viewer: string, by: Actor): Actor | undefined {
  return by.type === 'person' && !isViewer(viewer, by.name) ? { ...by, name: personName(by.name) } : undefined;
}
