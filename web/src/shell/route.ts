/** The app's URLs. */
const sessionTabs = ['chat', 'changes', 'workers', 'timeline', 'audit'] as const;
export type SessionTab = (typeof sessionTabs)[number];

export type Route =
  | { readonly type: 'home'; readonly project?: string }
  | { readonly type: 'session'; readonly session: string; readonly tab: SessionTab }
  | { readonly type: 'inbox'; readonly question?: string }
  | { readonly type: 'settings'; readonly section?: string }
  | { readonly type: 'projects' }
  | { readonly type: 'workers' }
  | { readonly type: 'usage' }
  | { readonly type: 'audit' }
  | { readonly type: 'unknown'; readonly path: string };

export function routeOf(path: string): Route {
  const [first = '', second, third, ...rest] = path.split('/').filter((part) => part !== '');
  const unknown: Route = { type: 'unknown', path };
  if (rest.length > 0 || (third !== undefined && first !== 's')) return unknown;
  switch (first) {
    case '':
      return { type: 'home' };
    case 'p':
      return second === undefined ? { type: 'home' } : { type: 'home', project: decoded(second) };
    case 's': {
      if (second === undefined) return { type: 'home' };
      const tab = sessionTabs.find((name) => name === (third ?? 'chat'));
      return tab === undefined ? unknown : { type: 'session', session: second, tab };
    }
    case 'inbox':
      return second === undefined ? { type: 'inbox' } : { type: 'inbox', question: second };
    case 'settings':
      return second === undefined ? { type: 'settings' } : { type: 'settings', section: second };
    case 'projects':
    case 'workers':
    case 'usage':
    case 'audit':
      return second === undefined ? { type: first } : unknown;
    default:
      return unknown;
  }
}

export function pathOf(route: Route): string {
  switch (route.type) {
    case 'home':
      return route.project === undefined ? '/' : `/p/${encodeURIComponent(route.project)}`;
    case 'session':
      return `/s/${route.session}${route.tab === 'chat' ? '' : `/${route.tab}`}`;
    case 'inbox':
      return route.question === undefined ? '/inbox' : `/inbox/${route.question}`;
    case 'settings':
      return route.section === undefined ? '/settings' : `/settings/${route.section}`;
    case 'projects':
    case 'workers':
    case 'usage':
    case 'audit':
      return `/${route.type}`;
    case 'unknown':
      return route.path;
  }
}

/** A malformed escape is shown as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
