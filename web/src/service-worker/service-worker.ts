/**
 * Caches the app's shell for when the server is unreachable.
 *
 * 1. API responses (`/api`, `/ws`) are never cached: session content stays in memory.
 * 2. The page comes from the server first. Files with a hash in their name never change and come from the cache.
 * 3. A new version brings its own files and deletes the old ones.
 */
import { answered, notify, type PushedQuestion } from './push-worker.ts';

declare const self: ServiceWorkerGlobalScope;

/** Inserted by the build: the files of the first screen. */
const shell = '__RONDO_SHELL__'.split(',');
const store = `rondo-${shell.join('').length}-${hashOf(shell.join(','))}`;

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(store)
      .then((cache) => cache.addAll(shell))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  const cleared = caches
    .keys()
    .then((names) => Promise.all(names.filter((name) => name !== store).map((name) => caches.delete(name))));
  event.waitUntil(cleared.then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') return event.respondWith(page(request));
  if (url.pathname.startsWith('/assets/')) return event.respondWith(kept(request));
  if (shell.includes(url.pathname)) event.respondWith(fetch(request).catch(() => fromStore(url.pathname)));
});

self.addEventListener('push', (event) => {
  const question = event.data?.json() as PushedQuestion | undefined;
  if (question !== undefined) event.waitUntil(notify(question));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const data = event.notification.data as {
    readonly path: string;
    readonly question?: string;
    readonly canAllow?: boolean;
  };
  event.waitUntil(answered(event.action, data).then((isDone) => (isDone ? undefined : show(data.path))));
});

async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch {
    return fromStore('/');
  }
}

async function kept(request: Request): Promise<Response> {
  const cache = await caches.open(store);
  const had = await cache.match(request);
  if (had !== undefined) return had;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

async function fromStore(path: string): Promise<Response> {
  const cache = await caches.open(store);
  return (await cache.match(path)) ?? Response.error();
}

async function show(path: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const [open] = windows;
  if (open === undefined) return void (await self.clients.openWindow(path));
  await open.focus();
  open.postMessage({ type: 'open', path }, []);
}

function hashOf(text: string): string {
  let hash = 0;
  for (const char of text) hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) | 0;
  return (hash >>> 0).toString(36);
}
