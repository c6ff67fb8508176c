/** Push messages in the service worker: a notification per question, with Deny, and Allow where that can be undone. */
import { callApi } from '../connection/api.ts';

declare const self: ServiceWorkerGlobalScope;

export interface PushedQuestion {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly canAllow: boolean;
  readonly isApproval: boolean;
  /** Open questions in all. */
  readonly count: number;
}

export async function notify(question: PushedQuestion): Promise<void> {
  const { id, title, body, canAllow, isApproval, count } = question;
  const { setAppBadge } = self.navigator as WorkerNavigator & { setAppBadge?: (count: number) => Promise<void> };
  // Not awaited: a browser without badges must still notify.
  void setAppBadge?.call(self.navigator, count).catch(() => undefined);
  const second = canAllow ? { action: 'allow', title: 'Allow' } : { action: 'review', title: 'Review' };
  const actions = isApproval
    ? [{ action: 'deny', title: 'Deny' }, second]
    : [{ action: 'review', title: 'Answer' }];
  const options = {
    body,
    tag: id,
    icon: '/icon-192.png',
    badge: '/icon-192.png',
    data: { path: `/inbox/${id}`, question: id, canAllow },
    actions,
  };
  await self.registration.showNotification(title, options);
}

/** True if the answer was given. Otherwise the page opens. */
export async function answered(
  action: string,
  data: { readonly question?: string; readonly canAllow?: boolean },
): Promise<boolean> {
  const isAllowed = action === 'allow' && data.canAllow === true;
  if (data.question === undefined || (action !== 'deny' && !isAllowed)) return false;
  const body = { choice: isAllowed ? 'allow-once' : 'reject' };
  const answer = await callApi('POST', `/questions/${data.question}/answer`, {
    body,
    key: `push ${data.question}`,
  });
  return answer.type === 'ok';
}
