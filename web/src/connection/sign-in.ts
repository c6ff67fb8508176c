/**
 * From the address that `rondo serve` printed to a cookie. The code leaves the address bar and the history
 * before anything is asked: it is good once, and nobody looking on should read it.
 */
import { callApi, getApi } from './api.ts';

export interface Identity {
  readonly name: string;
  readonly role: string;
}

export type SignIn =
  | { readonly type: 'signed-in'; readonly who: Identity }
  | { readonly type: 'wanted'; readonly why?: string }
  /** Nobody can tell: the server does not answer. What the app keeps is shown until it does. */
  | { readonly type: 'unreachable'; readonly why: string };

export async function signIn(place: Location, history: History): Promise<SignIn> {
  const code = codeIn(place.hash);
  if (code !== undefined) {
    history.replaceState(history.state, '', place.pathname + place.search);
    const entered = await callApi<Identity>('POST', '/login', { body: { code } });
    if (entered.type === 'ok') return { type: 'signed-in', who: entered.value };
    const known = await whoAmI();
    return known.type === 'wanted' ? { type: 'wanted', why: entered.message } : known;
  }
  return whoAmI();
}

export async function signInWith(given: string): Promise<SignIn> {
  const secret = codeIn(given.includes('#') ? given.slice(given.indexOf('#')) : '') ?? given.trim();
  const body = secret.startsWith('rondo_') ? { token: secret } : { code: secret };
  const entered = await callApi<Identity>('POST', '/login', { body });
  if (entered.type === 'ok') return { type: 'signed-in', who: entered.value };
  return { type: 'wanted', why: entered.message };
}

export function codeIn(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? undefined;
}

async function whoAmI(): Promise<SignIn> {
  const known = await getApi<Identity>('/me');
  if (known.type === 'ok') return { type: 'signed-in', who: known.value };
  return known.code === 'UNREACHABLE' ? { type: 'unreachable', why: known.message } : { type: 'wanted' };
}
