/**
 * Upgrades an event of any older record version. A step maps one event of its version to one of the next: sequence
 * numbers never change. Steps are never edited or removed.
 */
export type StoredEvent = Readonly<Record<string, unknown>>;

type UpcastStep = (event: StoredEvent) => StoredEvent;

export interface Upcasts {
  readonly current: number;
  apply(event: StoredEvent, version: number): StoredEvent;
}

/** `steps[0]` upgrades version 1 to 2, and so on; their number determines the current version. */
export function createUpcasts(steps: readonly UpcastStep[]): Upcasts {
  return {
    current: steps.length + 1,
    apply(event, version) {
      if (version > steps.length) return event;
      return steps.slice(version - 1).reduce((older, step) => step(older), event);
    },
  };
}

export const upcasts = createUpcasts([]);
