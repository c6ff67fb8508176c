/**
 * This browser's key. Not even this page can read the private half. The browser stores it in its database under
 * this exact origin, so a server on another port never sees it.
 */
const database = 'rondo';
const store = 'device';

interface Device {
  readonly id: string;
  readonly privateKey: CryptoKey;
}

/** The public half, in the server's format. */
interface PublicKey {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y: string;
}

interface NewKey {
  readonly publicKey: PublicKey;
  readonly privateKey: CryptoKey;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** Undefined if the browser can't create keys: a page over plain HTTP from another machine. */
export async function newDeviceKey(): Promise<NewKey | undefined> {
  if (!globalThis.isSecureContext || globalThis.indexedDB === undefined) return undefined;
  const { publicKey, privateKey } = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
  const { kty = '', crv = '', x = '', y = '' } = await crypto.subtle.exportKey('jwk', publicKey);
  return { publicKey: { kty, crv, x, y }, privateKey };
}

export async function signWith({ privateKey }: Device, text: string): Promise<string> {
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    privateKey,
    new TextEncoder().encode(text),
  );
  const letters = Array.from(new Uint8Array(signature), (byte) => String.fromCodePoint(byte)).join('');
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export async function keepDevice(device: Device): Promise<void> {
  await within('readwrite', (kept) => kept.put(device, store));
}

export async function keptDevice(): Promise<Device | undefined> {
  try {
    const found: unknown = await within('readonly', (kept) => kept.get(store));
    return isDevice(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

export async function forgetDevice(): Promise<void> {
  await within('readwrite', (kept) => kept.delete(store)).catch(() => undefined);
}

function isDevice(value: unknown): value is Device {
  return typeof value === 'object' && value !== null && 'id' in value && 'privateKey' in value;
}

async function within(mode: IDBTransactionMode, work: (kept: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const opened = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(database, 1);
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(store));
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('the database cannot be opened')));
  });
  try {
    return await new Promise((resolve, reject) => {
      const request = work(opened.transaction(store, mode).objectStore(store));
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error ?? new Error('the database failed')));
    });
  } finally {
    opened.close();
  }
}
