/** The expanded blocks of the conversation: individually opened ones, and all thoughts together. */
import type { ItemId } from '../../views/transcript-item.ts';

export interface OpenedBlocks {
  isOpen(item: ItemId): boolean;
  /** Changes with each opened or closed block. */
  readonly openings: number;
  /** One item, or several joined by `+`. */
  toggle(item: ItemId): void;
  /** Opens all of them if any is closed, otherwise closes all. */
  toggleAll(items: Iterable<ItemId>): void;
  toggleThoughts(): void;
}

export function createOpenedBlocks(): OpenedBlocks {
  const opened = new Set<ItemId>();
  let areThoughtsOpen = false;
  let openings = 0;
  function toggleAll(items: Iterable<ItemId>): void {
    openings += 1;
    const all = new Set([...items].flatMap((item) => item.split('+')));
    const isAnyClosed = [...all].some((id) => !opened.has(id));
    for (const id of all) {
      if (isAnyClosed) opened.add(id);
      else opened.delete(id);
    }
  }
  return {
    isOpen: (item) => (item.endsWith(' reasoning') ? areThoughtsOpen : opened.has(item)),
    get openings() {
      return openings;
    },
    toggle: (item) => toggleAll([item]),
    toggleAll,
    toggleThoughts() {
      areThoughtsOpen = !areThoughtsOpen;
    },
  };
}
