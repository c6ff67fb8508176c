import { pathOf, routeOf, type Route } from './route.ts';

export interface Router {
  readonly route: Route;
  readonly path: string;
  go(to: Route | string): void;
  /** Changes the address within a screen. The focus stays. */
  replace(path: string): void;
  /** Handles plain clicks on the app's links without a page load. */
  catchClicks(event: MouseEvent): void;
}

export function createRouter(): Router {
  let path = $state(location.pathname);
  const route = $derived(routeOf(path));
  addEventListener('popstate', () => (path = location.pathname));

  function go(to: Route | string): void {
    const next = typeof to === 'string' ? to : pathOf(to);
    if (next === path) return;
    history.pushState(null, '', next);
    path = next;
    document.getElementById('main')?.focus({ preventScroll: true });
  }
  return {
    get route() {
      return route;
    },
    get path() {
      return path;
    },
    go,
    replace(next) {
      if (next === path) return;
      history.replaceState(null, '', next);
      path = next;
    },
    catchClicks(event) {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (link === null || !isPlain || event.defaultPrevented || link.target !== '') return;
      const url = new URL(link.href, location.href);
      if (url.origin !== location.origin || url.pathname.startsWith('/api/')) return;
      event.preventDefault();
      go(url.pathname);
    },
  };
}
