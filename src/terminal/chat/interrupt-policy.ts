/**
 * The meaning of Ctrl+C, the same everywhere: it clears a draft, then stops the work, then leaves. Leaving takes a
 * second press, in a chat within two seconds.
 */
interface InterruptPolicy {
  press(press: Press): 'clear' | 'cancel' | 'warn' | 'leave';
}

export interface Press {
  readonly at: number;
  readonly isWorking: boolean;
  readonly hasDraft?: boolean;
}

/** A run ends a stubborn command after two seconds, so its second press comes sooner. */
export function createInterruptPolicy({ secondPressMs = 2000 } = {}): InterruptPolicy {
  let lastPress = Number.NEGATIVE_INFINITY;
  let lastCancel = Number.NEGATIVE_INFINITY;
  return {
    press({ at, isWorking, hasDraft = false }) {
      const before = lastPress;
      lastPress = at;
      if (hasDraft) return 'clear';
      if (at - lastCancel <= secondPressMs) return 'leave';
      if (isWorking) {
        lastCancel = at;
        return 'cancel';
      }
      return at - before <= secondPressMs ? 'leave' : 'warn';
    },
  };
}
