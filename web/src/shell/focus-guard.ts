/**
 * An element that is removed or disabled takes the focus with it. Screens move the focus to what follows; where none
 * does, it goes to the content instead of the page, so that keys and screen readers keep their place.
 *
 * Returns what ends the guard.
 */
export function guardFocus(): () => void {
  let holder: Element | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const focusin = () => (holder = document.activeElement);
  /** A press beside everything takes the focus on purpose. */
  const pointerdown = () => (holder = null);
  const observer = new MutationObserver(() => {
    if (document.activeElement !== document.body || !isLost(holder)) return;
    timer ??= setTimeout(catchFocus);
  });
  /** Later than what the screen does about it. */
  function catchFocus(): void {
    timer = undefined;
    if (document.activeElement !== document.body || !isLost(holder)) return;
    document.getElementById('main')?.focus({ preventScroll: true });
  }
  addEventListener('focusin', focusin);
  addEventListener('pointerdown', pointerdown);
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled'],
  });
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    removeEventListener('focusin', focusin);
    removeEventListener('pointerdown', pointerdown);
  };
}

function isLost(holder: Element | null): boolean {
  return holder !== null && (!holder.isConnected || holder.matches(':disabled'));
}
