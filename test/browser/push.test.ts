// [C148] Web Push: a stubbed subscription, a local push service, and the real service worker, to which the browser's
// debugging protocol delivers the messages.
import { createECDH, randomBytes, type ECDH } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, test } from 'vitest';

import { openPushMessage } from '../../src/testing/open-push-message.ts';
import { setStage } from './stage.ts';

const stage = setStage({});

test('[C148] a question reaches the push service encrypted; its notification denies, or allows what can be undone', async () => {
  const browser = createECDH('prime256v1');
  const p256dh = browser.generateKeys().toString('base64url');
  const auth = randomBytes(16).toString('base64url');
  const received: { readonly headers: Record<string, unknown>; readonly body: Buffer }[] = [];
  const service = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(201).end();
    });
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(service.address() as AddressInfo).port}/push`;
  try {
    const page = await stage.open('/settings/notifications', { permissions: ['notifications'] });
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    // Headless Chromium has no push service, so the test provides the subscription.
    await page.evaluate(
      (given) => {
        const subscription = {
          endpoint: given.endpoint,
          toJSON: () => ({ endpoint: given.endpoint, keys: { p256dh: given.p256dh, auth: given.auth } }),
        };
        PushManager.prototype.subscribe = () => Promise.resolve(subscription as unknown as PushSubscription);
        Notification.requestPermission = () => Promise.resolve('granted');
      },
      { endpoint, p256dh, auth },
    );
    await page.getByRole('button', { name: 'Enable push' }).click();
    await page.getByText('Push is on').waitFor();

    const ask = async (title: string, call: string) => {
      const session = await stage.app.create({ agent: 'testing', title });
      await stage.app.chat(session, `${call}\nsay done`);
      return session;
    };
    const edited = await ask('Write a note', 'call write {"path":"note.txt","content":"x"}');
    await expect.poll(() => received.length).toBe(1);
    const { headers = {}, body = Buffer.alloc(0) } = received[0] ?? {};
    expect([headers['content-encoding'], String(headers['authorization']).startsWith('vapid t=')]).toEqual([
      'aes128gcm',
      true,
    ]);
    expect(body.includes('note.txt') || body.includes('Write a note')).toBe(false);
    const message = opened(body, browser, Buffer.from(auth, 'base64url'));
    expect(message).toMatchObject({ title: 'Write a note', body: 'Writes note.txt', canAllow: true, count: 1 });

    const worker = page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent('serviceworker'));
    await worker.evaluate(recordShown);
    // The browser itself raises the event, as it does for a push service.
    const protocol = await page.context().newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      protocol.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [first] = registrations;
        if (first !== undefined) resolve(first.registrationId);
      });
    });
    await protocol.send('ServiceWorker.enable');
    const registrationId = await registered;
    const deliver = (data: string) =>
      protocol.send('ServiceWorker.deliverPushMessage', { origin: stage.app.url, registrationId, data });
    const shown = () => worker.evaluate<readonly Shown[]>(listShown);
    await deliver(JSON.stringify(message));
    await expect
      .poll(shown)
      .toEqual([{ title: 'Write a note', text: 'Writes note.txt', tag: message.id, actions: ['deny', 'allow'] }]);
    const press = (action: string) => worker.evaluate(`(${pressAction})(${JSON.stringify(action)})`);
    expect(await worker.evaluate('self.badge')).toBe(1);
    await press('allow');
    const lifecycle = async (session: string) =>
      (await stage.app.call<{ lifecycle: string }>('GET', `/sessions/${session}`)).lifecycle;
    await expect.poll(() => lifecycle(edited)).toBe('idle');

    const grave = await ask('Clear builds', 'call shell {"command":"rm -rf dist/old"}');
    await expect.poll(() => received.length).toBe(2);
    const second = opened(received[1]?.body ?? Buffer.alloc(0), browser, Buffer.from(auth, 'base64url'));
    expect(second).toMatchObject({ body: 'Deletes dist/old', canAllow: false });
    await deliver(JSON.stringify(second));
    await expect.poll(async () => (await shown()).at(-1)?.actions).toEqual(['deny', 'review']);
    await press('deny');
    await expect.poll(() => lifecycle(grave)).toBe('idle');
  } finally {
    service.closeAllConnections();
    service.close();
  }
});

interface Shown {
  readonly title: string;
  readonly text: string;
  readonly tag: string;
  readonly actions: readonly string[];
}

// As text, because they run in the service worker. A headless browser shows no notifications, so the test records them
// and presses their buttons itself.
// It also has no badges: the call ends the worker's process.
const recordShown = `self.shown = [];
Object.defineProperty(navigator, 'setAppBadge', { value: async (count) => (self.badge = count), configurable: true });
ServiceWorkerRegistration.prototype.showNotification = async (title, { body, tag, actions, data }) => {
  self.shown.push({ title, text: body, tag, actions: actions.map(({ action }) => action), data });
};`;
const listShown = 'self.shown.map(({ data, ...rest }) => rest)';
const pressAction = `(action) => {
  const { data } = self.shown.at(-1);
  const event = Object.assign(new ExtendableEvent('notificationclick'), { action, notification: { close() {}, data } });
  Object.defineProperty(event, 'waitUntil', { value: () => undefined });
  self.dispatchEvent(event);
}`;

interface Message {
  readonly id: string;
  readonly title: string;
  readonly body: string;
}

function opened(body: Buffer, browser: ECDH, auth: Buffer): Message {
  return JSON.parse(openPushMessage(body, browser, auth).slice(0, -1)) as Message;
}
