/** Smooths text that arrives in bursts: each frame shows a part of the pending text, and soon all of it. */

/** How many characters to show after a frame: at least a few more, never more than have arrived. */
export function visibleAfter(shown: number, arrived: number): number {
  const waiting = arrived - shown;
  if (waiting <= 0) return arrived;
  return shown + Math.min(waiting, Math.max(leastPerFrame, Math.ceil(waiting * shareOfWaiting)));
}

const leastPerFrame = 3;
const shareOfWaiting = 0.35;
