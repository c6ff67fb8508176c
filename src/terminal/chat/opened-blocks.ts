/** The expanded blocks of the conversation: individually opened ones, and all thoughts together. */
import type { ItemId } from '../../views/transcript-item.ts';

export interface OpenedBlocks {
  isOpen(item: ItemId): boolean;
  toggle(item: ItemId): void;
  /** Opens all of them if any is closed, otherwise closes all. */
  toggleAll(items: Iterable<ItemId>): void;
  toggleThoughts(): void;
}

export function createOpenedBlocks(): OpenedBlocks {
  const opened = new Set<ItemId>();
  let areThoughtsOpen = false;
  return {
    isOpen: (item) => (item.endsWith(' reasoning') ? areThoughtsOpen : opened.has(item)),
    toggle(item) {
      if (!opened.delete(item)) opened.add(item);
    },
    toggleAll(items) {
      const all = new Set(items);
      const isAnyClosed = [...all].some((id) => !opened.has(id));
      for (const id of all) {
        if (isAnyClosed) opened.add(id);
        else opened.delete(id);
      }
    },
    toggleThoughts() {
      areThoughtsOpen = !areThoughtsOpen;
    },
  };
}
