/** Subscribes this browser to push messages, if it can. */
import { callApi, getApi } from '../connection/api.ts';

export type PushState = 'unsupported' | 'off' | 'on';

export async function pushState(): Promise<PushState> {
  if (!('PushManager' in globalThis) || !('serviceWorker' in navigator)) return 'unsupported';
  const worker = await navigator.serviceWorker.getRegistration();
  const subscription = (await worker?.pushManager.getSubscription()) ?? undefined;
  return subscription === undefined ? 'off' : 'on';
}

/** Undefined if it worked, otherwise why not. */
export async function subscribe(): Promise<string | undefined> {
  if ((await Notification.requestPermission()) !== 'granted')
    return 'Notifications are blocked in the browser’s settings.';
  const key = await getApi<{ publicKey: string }>('/push/key');
  if (key.type === 'problem') return key.message;
  try {
    const worker = await navigator.serviceWorker.ready;
    const subscription = await worker.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: key.value.publicKey,
    });
    const { endpoint, keys } = subscription.toJSON();
    const answer = await callApi('POST', '/push/subscriptions', {
      body: { endpoint, keys: { p256dh: keys?.['p256dh'], auth: keys?.['auth'] } },
    });
    return answer.type === 'problem' ? answer.message : undefined;
  } catch (error) {
    return `The browser can't subscribe: ${(error as Error).message}`;
  }
}

export async function unsubscribe(): Promise<void> {
  const worker = await navigator.serviceWorker.getRegistration();
  const subscription = (await worker?.pushManager.getSubscription()) ?? undefined;
  if (subscription === undefined) return;
  await callApi('POST', '/push/unsubscribe', { body: { endpoint: subscription.endpoint } });
  await subscription.unsubscribe();
}
