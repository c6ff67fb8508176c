/**
 * The token that this page's calls carry. It lives in memory for ten minutes and is renewed by signing a nonce with
 * the browser's key. Nothing that another page or port could send by itself authorizes a call.
 */
import { signedText } from '../../../src/protocol/device-login.ts';
import { forgetDevice, keptDevice, signWith } from './device-key.ts';
import { unreachableText } from './unreachable.ts';

export interface Given {
  readonly bearer: string;
  readonly lifeMs: number;
  readonly name: string;
  readonly role: string;
}

type Renewed =
  | { readonly type: 'given'; readonly given: Given }
  /** The browser has no key, or the server doesn't know it. */
  | { readonly type: 'unknown' }
  | { readonly type: 'unreachable'; readonly why: string };

let held: (Given & { readonly until: number }) | undefined;
let renewing: Promise<Renewed> | undefined;

/** Renewed a minute before it expires. */
const marginMs = 60_000;

export function hold(given: Given): void {
  held = { ...given, until: Date.now() + given.lifeMs };
}

/** Undefined if nobody is signed in. */
export async function bearer(): Promise<string | undefined> {
  if (held !== undefined && held.until - marginMs > Date.now()) return held.bearer;
  const renewed = await renew();
  return renewed.type === 'given' ? renewed.given.bearer : held?.bearer;
}

export function renew(): Promise<Renewed> {
  return (renewing ??= ask().finally(() => (renewing = undefined)));
}

async function ask(): Promise<Renewed> {
  const device = await keptDevice();
  if (device === undefined) return { type: 'unknown' };
  try {
    const { nonce } = (await post('/login/nonce', {})).value as { readonly nonce: string };
    const signature = await signWith(device, signedText(location.origin, nonce));
    const answer = await post('/login/bearer', { device: device.id, nonce, signature });
    if (answer.isOk) {
      const given = answer.value as Given;
      hold(given);
      return { type: 'given', given };
    }
    if (answer.status !== 401) return { type: 'unreachable', why: `The server answered with ${answer.status}.` };
    await forgetDevice();
    return { type: 'unknown' };
  } catch (error) {
    return { type: 'unreachable', why: unreachableText(error) };
  }
}

async function post(path: string, body: object) {
  const answer = await fetch(`/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { isOk: answer.ok, status: answer.status, value: (await answer.json()) as unknown };
}
