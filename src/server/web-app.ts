/**
 * Serves the built web app.
 *
 * 1. Names under `/assets/` contain a hash of their content, so browsers cache them permanently. All other files
 *    are revalidated each time.
 * 2. If a person opens an address that isn't a file, the app handles it: the server returns the page.
 * 3. The server only serves plain names in one folder. No address leads out of it.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import { fallbackPage } from './page.ts';

export interface WebApp {
  /** Undefined if the file doesn't exist. */
  find(request: WebRequest): Promise<WebAnswer | undefined>;
}

export interface WebRequest {
  readonly path: string;
  readonly accept: string;
  readonly acceptEncoding: string;
  readonly ifNoneMatch: string | undefined;
}

type WebAnswer = { readonly headers: Readonly<Record<string, string>> } & (
  | { readonly status: 200; readonly body: Uint8Array<ArrayBuffer> }
  | { readonly status: 304; readonly body: null }
);

interface WebFile {
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly zipped: Uint8Array<ArrayBuffer> | undefined;
  readonly tag: string;
}

const plainName = /^\/(?:assets\/)?[\w-][\w.-]*$/;
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
const zip = promisify(gzip);

export function createWebApp(folder: string | undefined): WebApp {
  const kept = new Map<string, WebFile>();

  async function load(name: string): Promise<WebFile | undefined> {
    const had = kept.get(name);
    if (had !== undefined) return had;
    const read = folder === undefined ? undefined : await readIfThere(path.join(folder, name));
    const plain = read ?? (name === '/index.html' ? new TextEncoder().encode(fallbackPage) : undefined);
    if (plain === undefined) return undefined;
    const isText = !name.endsWith('.png');
    const zipped = isText && plain.length > 1024 ? new Uint8Array(await zip(plain)) : undefined;
    const tag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
    const file = { plain, zipped, tag };
    // Files without a hash may be rebuilt while the server runs, so they aren't cached.
    if (isForGood(name)) kept.set(name, file);
    return file;
  }

  function nameFor(wanted: string, accept: string): string | undefined {
    const isPlain = plainName.test(wanted) && Object.hasOwn(types, path.extname(wanted));
    if (isPlain) return wanted;
    const isOpened = accept.includes('text/html') && !/^\/(api|ws|metrics)(\/|$)/.test(wanted);
    return wanted === '/' || isOpened ? '/index.html' : undefined;
  }

  return {
    async find({ path: wanted, accept, acceptEncoding, ifNoneMatch }) {
      const name = nameFor(wanted, accept);
      const file = name === undefined ? undefined : await load(name);
      if (name === undefined || file === undefined) return undefined;
      const isZipped = file.zipped !== undefined && /\bgzip\b/.test(acceptEncoding);
      const headers = {
        'content-type': types[path.extname(name)] ?? 'application/octet-stream',
        'cache-control': isForGood(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
        etag: file.tag,
        vary: 'accept-encoding',
        ...(isZipped && { 'content-encoding': 'gzip' }),
      };
      if (ifNoneMatch === file.tag) return { status: 304, headers, body: null };
      return { status: 200, headers, body: isZipped ? (file.zipped ?? file.plain) : file.plain };
    },
  };
}

function isForGood(name: string): boolean {
  return name.startsWith('/assets/');
}

async function readIfThere(file: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return new Uint8Array(await readFile(file));
  } catch {
    return undefined;
  }
}
