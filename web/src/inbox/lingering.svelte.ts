/** Keeps a closed question visible for a few seconds, so that a user about to answer sees who did. */
import type { WireQuestion } from '../../../src/client/client.ts';

export interface Lingering {
  readonly shown: readonly { readonly entry: WireQuestion; readonly isOpen: boolean }[];
  /** Marks a question as settled before the list of open ones is updated. */
  settled(id: string): void;
}

const lingerMs = 5000;

export function createLingering(open: () => readonly WireQuestion[]): Lingering {
  let gone = $state.raw<readonly WireQuestion[]>([]);
  let known: readonly WireQuestion[] = [];

  function linger(entry: WireQuestion): void {
    if (gone.some(({ id }) => id === entry.id)) return;
    gone = [...gone, entry];
    setTimeout(() => (gone = gone.filter(({ id }) => id !== entry.id)), lingerMs);
  }
  $effect(() => {
    const now = open();
    for (const entry of known) if (!now.some(({ id }) => id === entry.id)) linger(entry);
    known = now;
  });
  const shown = $derived(
    [
      ...open()
        .filter((entry) => !gone.some(({ id }) => id === entry.id))
        .map((entry) => ({ entry, isOpen: true })),
      ...gone.map((entry) => ({ entry, isOpen: false })),
    ].toSorted((a, b) => a.entry.openedAt - b.entry.openedAt || (a.entry.id < b.entry.id ? -1 : 1)),
  );
  return {
    get shown() {
      return shown;
    },
    settled(id) {
      const entry = open().find((candidate) => candidate.id === id);
      if (entry !== undefined) linger(entry);
    },
  };
}
