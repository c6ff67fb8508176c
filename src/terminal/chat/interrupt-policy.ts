/**
 * The meaning of Ctrl+C: the first cancels the work, another within a second exits. If nothing runs, the first
 * exits.
 */
export interface InterruptPolicy {
  press(press: { readonly at: number; readonly isWorking: boolean }): 'cancel' | 'leave';
}

const secondPressMs = 1000;

export function createInterruptPolicy(): InterruptPolicy {
  let last = Number.NEGATIVE_INFINITY;
  return {
    press({ at, isWorking }) {
      if (!isWorking || at - last <= secondPressMs) return 'leave';
      last = at;
      return 'cancel';
    },
  };
}
