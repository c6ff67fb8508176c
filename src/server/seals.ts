/**
 * Short-lived secrets that every node of a store can check: login codes, nonces and bearers. They carry their
 * content and are sealed with a secret that the nodes share, so that none needs another's memory.
 */
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

import { fieldsOf } from '../kernel/json-object.ts';
import type { TokenFile } from './tokens.ts';

export interface Seals {
  /** A sealed text that expires. `purpose` keeps a code from serving as a bearer. */
  seal(purpose: string, content: string, lifeMs: number): string;
  /** The content, unless it was sealed elsewhere, changed, or has expired. */
  open(purpose: string, sealed: string): string | undefined;
  /** Like `open`, but only the first time, on any node. */
  openOnce(purpose: string, sealed: string): Promise<string | undefined>;
}

export async function createSeals(file: TokenFile, now: () => number): Promise<Seals> {
  const secret = await sharedSecret(file);
  const tagOf = (purpose: string, text: string) =>
    createHmac('sha256', secret).update(`${purpose}\n${text}`).digest('base64url');

  function read(
    purpose: string,
    sealed: string,
  ): { readonly content: string; readonly until: number } | undefined {
    const at = sealed.lastIndexOf('.');
    const text = sealed.slice(0, Math.max(0, at));
    if (!isSame(sealed.slice(at + 1), tagOf(purpose, text))) return undefined;
    const [until = '', , content = ''] = text.split('.');
    return Number(until) > now() ? { content, until: Number(until) } : undefined;
  }
  const contentOf = (content: string) => Buffer.from(content, 'base64url').toString('utf8');

  return {
    seal(purpose, content, lifeMs) {
      const body = Buffer.from(content).toString('base64url');
      const text = `${now() + lifeMs}.${randomBytes(12).toString('base64url')}.${body}`;
      return `${text}.${tagOf(purpose, text)}`;
    },
    open(purpose, sealed) {
      const reading = read(purpose, sealed);
      return reading === undefined ? undefined : contentOf(reading.content);
    },
    async openOnce(purpose, sealed) {
      const reading = read(purpose, sealed);
      if (reading === undefined) return undefined;
      const digest = hash('sha256', `${purpose}\n${sealed}`, 'base64url').slice(0, 22);
      let isFirst = false;
      await file.update((value) => {
        const spent = Object.entries(partsOf(value).spent).filter(([, until]) => until > now() - keptMs);
        isFirst = spent.every(([known]) => known !== digest);
        return {
          ...partsOf(value),
          spent: Object.fromEntries([...spent, [digest, reading.until]].slice(-mostSpent)),
        };
      });
      return isFirst ? contentOf(reading.content) : undefined;
    },
  };
}

/** Remembers a used seal past its expiry, because the clocks of nodes differ. */
const keptMs = 3_600_000;
const mostSpent = 10_000;

/** Created by the first node. */
async function sharedSecret(file: TokenFile): Promise<Buffer> {
  const stored = partsOf(await file.read()).secret;
  if (stored !== undefined) return Buffer.from(stored, 'base64url');
  let chosen = '';
  await file.update((value) => {
    const parts = partsOf(value);
    chosen = parts.secret ?? randomBytes(32).toString('base64url');
    return { ...parts, secret: chosen };
  });
  return Buffer.from(chosen, 'base64url');
}

interface Parts {
  readonly secret?: string;
  readonly spent: Readonly<Record<string, number>>;
}

/** The seals' part of the file, beside its tokens. */
function partsOf(value: unknown): Parts {
  const { secret, spent, ...rest } = fieldsOf(value);
  return {
    version: 1,
    ...rest,
    ...(typeof secret === 'string' && { secret }),
    spent: fieldsOf(spent),
  } as Parts;
}

function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
