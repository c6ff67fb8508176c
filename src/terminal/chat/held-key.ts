/**
 * Distinguishes a key that is pressed again from a held one. A terminal repeats a held key, mostly without marking the
 * repetitions. So the answer of a key that was just pressed is delayed, and the next repetition withdraws it. Until the
 * key is released, it answers nothing.
 */
import { isKittyProtocolActive } from '@earendil-works/pi-tui';

import type { CardKey } from './card-state.ts';

/**
 * How long a key may be held before its first repetition: up to a second, by a system's settings. A key that is let go
 * after exactly one repetition looks like one that was pressed twice. Terminals with kitty's protocol tell them apart.
 */
export function longestHoldMs(): number {
  return isKittyProtocolActive() ? 0 : 1100;
}

/** Keyboards repeat more often than this. */
const repeatMs = 250;

interface HeldKey {
  /** Call it for each key. False if it is a repetition, which means nothing. */
  came(key: CardKey): boolean;
  /** Gives the answer of the key that came last: at once, or as soon as it is sure to be pressed by itself. */
  answer(give: () => void): void;
  close(): void;
}

export function createHeldKey(justBeforeMs: number): HeldKey {
  let last: { readonly name: string; readonly at: number } | undefined;
  let isAgain = false;
  let isHeld = false;
  let waiting: NodeJS.Timeout | undefined;

  return {
    came(key) {
      const before = last;
      last = { name: key.type === 'letter' ? key.letter.toLowerCase() : key.type, at: performance.now() };
      const gap = before?.name === last.name ? last.at - before.at : Number.POSITIVE_INFINITY;
      isAgain = gap <= justBeforeMs;
      isHeld = gap <= repeatMs && (isHeld || waiting !== undefined);
      this.close();
      return !isHeld;
    },
    answer(give) {
      if (!isAgain) return give();
      waiting = setTimeout(() => {
        waiting = undefined;
        give();
      }, repeatMs);
    },
    close() {
      clearTimeout(waiting);
      waiting = undefined;
    },
  };
}
