/** Text that arrives in bursts is shown evenly: a part of what is waiting with every frame, all of it soon. */

/** How many characters are shown after a frame; never more than there are, and at least a few more. */
export function shownAfter(shown: number, arrived: number): number {
  const waiting = arrived - shown;
  if (waiting <= 0) return arrived;
  return shown + Math.min(waiting, Math.max(leastPerFrame, Math.ceil(waiting * shareOfWaiting)));
}

const leastPerFrame = 3;
const shareOfWaiting = 0.35;
