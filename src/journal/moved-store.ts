import { Fault } from '../kernel/fault.ts';

/** `copying`: its content isn't complete. `moved`: its content lives elsewhere. Neither can be opened. */
export type StoreState = 'ready' | 'copying' | 'moved';

/** A store that was copied, or is being copied into, is never opened: two stores with the same sessions would run. */
export function refuseMoved(name: string, state: StoreState): void {
  if (state === 'ready') return;
  const why =
    state === 'moved'
      ? 'its content was moved to another store with `rondo store copy`. Open that one'
      : 'it is an incomplete copy. Run the same `rondo store copy` again to complete it';
  throw new Fault('conflict', `Can't open ${name}: ${why}.`);
}
