/**
 * Exchanges the URL that `rondo serve` printed for a registered key. Removes the code from the address bar and the
 * history before any request: it works once, and onlookers shouldn't read it.
 */
import { optional } from '../../../src/kernel/optional.ts';
import { callApi } from './api.ts';
import { hold, renew, type Given } from './bearer.ts';
import { keepDevice, newDeviceKey } from './device-key.ts';

export interface Identity {
  readonly name: string;
  readonly role: string;
}

export type SignIn =
  | { readonly type: 'signed-in'; readonly who: Identity }
  | { readonly type: 'wanted'; readonly why?: string }
  /** The server doesn't respond, so the sign-in state is unknown. The app shows saved data until it does. */
  | { readonly type: 'unreachable'; readonly why: string };

export async function signIn(place: Location, history: History): Promise<SignIn> {
  const code = codeIn(place.hash);
  if (code !== undefined) {
    history.replaceState(history.state, '', place.pathname + place.search);
    const entered = await register({ code });
    if (entered.type !== 'wanted') return entered;
    const known = await whoAmI();
    return known.type === 'wanted' ? entered : known;
  }
  return whoAmI();
}

export function signInWith(given: string): Promise<SignIn> {
  const secret = codeIn(given.includes('#') ? given.slice(given.indexOf('#')) : '') ?? given.trim();
  return register(secret.startsWith('rondo_') ? { token: secret } : { code: secret });
}

export function codeIn(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? undefined;
}

type Registered = Identity & ({ readonly device: string } | Given);

/** If the browser can't create a key, the bearer stays in this page's memory only. */
async function register(secret: { readonly code: string } | { readonly token: string }): Promise<SignIn> {
  const key = await newDeviceKey().catch(() => undefined);
  const body = { ...secret, ...optional({ key: key?.publicKey }) };
  const entered = await callApi<Registered>('POST', '/login', { body, isOpen: true });
  if (entered.type === 'problem') return { type: 'wanted', why: entered.message };
  const { value } = entered;
  if ('bearer' in value) {
    hold(value);
    return { type: 'signed-in', who: value };
  }
  if (key === undefined) return { type: 'wanted', why: "This browser can't store a key." };
  await keepDevice({ id: value.device, privateKey: key.privateKey });
  return whoAmI();
}

async function whoAmI(): Promise<SignIn> {
  const renewed = await renew();
  switch (renewed.type) {
    case 'given':
      return { type: 'signed-in', who: renewed.given };
    case 'unknown':
      return { type: 'wanted' };
    case 'unreachable':
      return renewed;
  }
}
