/** Ctrl+O: choose a block of the conversation with the arrows, open or copy it. Typing goes back to the prompt. */
import { Key, matchesKey } from '@earendil-works/pi-tui';

import type { ItemId } from '../../views/transcript-item.ts';
import type { OpenedBlocks } from '../chat/opened-blocks.ts';
import type { KeyTaker } from '../chat/chat-keys.ts';
import type { KeyState } from './key-hints.ts';

interface BlockSelection extends KeyTaker {
  readonly hints: KeyState;
  readonly selected: ItemId | undefined;
}

interface BlockSelectionParts {
  /** The item of each line of the conversation. */
  readonly owners: () => readonly (ItemId | undefined)[];
  readonly blocks: OpenedBlocks;
  /** Scrolls so that these lines of the conversation are visible. */
  readonly reveal: (first: number, last: number) => void;
  /** Opens a block that is too long for its place. False if it isn't. */
  readonly openLong: (block: ItemId) => boolean;
  readonly copy: (block: ItemId) => void;
}

/** As many as a screen can hold several times. */
const mostOpened = 400;

export function createBlockSelection(parts: BlockSelectionParts): BlockSelection {
  const { owners, blocks } = parts;
  let selected: ItemId | undefined;
  const ids = () => [...new Set(owners().filter((owner) => owner !== undefined))];

  function select(id: ItemId | undefined): void {
    selected = id;
    if (id !== undefined) parts.reveal(owners().indexOf(id), owners().lastIndexOf(id));
  }
  function move(by: number): void {
    const all = ids();
    const at = selected === undefined ? all.length : all.indexOf(selected);
    select(all[Math.max(0, Math.min(all.length - 1, at + by))]);
  }
  return {
    get selected() {
      return selected;
    },
    get isActive() {
      return selected !== undefined;
    },
    hints: 'blocks',
    begin: () => select(ids().at(-1)),
    end: () => select(undefined),
    handle(data) {
      if (selected === undefined) return false;
      if (matchesKey(data, Key.up) || data === 'k') move(-1);
      else if (matchesKey(data, Key.down) || data === 'j') move(1);
      else if (matchesKey(data, Key.escape)) select(undefined);
      else if (matchesKey(data, Key.enter) || matchesKey(data, Key.space)) {
        if (!parts.openLong(selected)) blocks.toggle(selected);
      } else if (data.toLowerCase() === 'c') parts.copy(selected);
      else if (matchesKey(data, Key.ctrl('o'))) blocks.toggleAll(ids().slice(-mostOpened));
      else {
        select(undefined);
        return false;
      }
      return true;
    },
  };
}
