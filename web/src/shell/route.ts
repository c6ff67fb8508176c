/** The app's URLs. */
export type Route =
  | { readonly type: 'home'; readonly project?: string }
  | { readonly type: 'session'; readonly session: string }
  | { readonly type: 'inbox' }
  | { readonly type: 'workers' }
  | { readonly type: 'changes'; readonly session?: string }
  | { readonly type: 'usage'; readonly session?: string }
  | { readonly type: 'audit'; readonly session?: string }
  | { readonly type: 'unknown'; readonly path: string };

export function routeOf(path: string): Route {
  const [first = '', second, ...rest] = path.split('/').filter((part) => part !== '');
  const about = second === undefined ? {} : { session: second };
  if (rest.length > 0) return { type: 'unknown', path };
  switch (first) {
    case '':
      return { type: 'home' };
    case 'p':
      return second === undefined ? { type: 'home' } : { type: 'home', project: decodeURIComponent(second) };
    case 's':
      return second === undefined ? { type: 'home' } : { type: 'session', session: second };
    case 'inbox':
    case 'workers':
      return second === undefined ? { type: first } : { type: 'unknown', path };
    case 'changes':
    case 'usage':
    case 'audit':
      return { type: first, ...about };
    default:
      return { type: 'unknown', path };
  }
}

export function pathOf(route: Route): string {
  switch (route.type) {
    case 'home':
      return route.project === undefined ? '/' : `/p/${encodeURIComponent(route.project)}`;
    case 'session':
      return `/s/${route.session}`;
    case 'inbox':
    case 'workers':
      return `/${route.type}`;
    case 'changes':
    case 'usage':
    case 'audit':
      return route.session === undefined ? `/${route.type}` : `/${route.type}/${route.session}`;
    case 'unknown':
      return route.path;
  }
}
