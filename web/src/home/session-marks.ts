import { callApi } from '../connection/api.ts';
import type { RondoApp } from '../connection/rondo-app.svelte.ts';

export async function markSession(
  app: RondoApp,
  session: string,
  mark: { readonly isSeen?: true; readonly isPinned?: boolean; readonly isArchived?: boolean },
): Promise<void> {
  const answer = await callApi('PUT', `/sessions/${session}/marks`, { body: mark });
  app.changed();
  if (answer.type === 'problem')
    app.toasts.add({ tone: 'bad', title: "Can't mark the session", text: answer.message });
  else if (mark.isArchived === true)
    app.toasts.add({
      tone: 'plain',
      title: 'Archived',
      act: { text: 'Undo', run: () => void markSession(app, session, { isArchived: false }) },
    });
}

export async function readAllSessions(app: RondoApp): Promise<void> {
  const answer = await callApi('POST', '/sessions/read');
  app.changed();
  if (answer.type === 'problem')
    app.toasts.add({ tone: 'bad', title: "Can't mark sessions as read", text: answer.message });
}

/** True if it is gone. */
export async function deleteSession(app: RondoApp, session: string): Promise<boolean> {
  const answer = await callApi('POST', `/sessions/${session}/delete`, { body: {} });
  app.changed();
  if (answer.type === 'problem')
    app.toasts.add({ tone: 'bad', title: "Can't delete the session", text: answer.message });
  else app.toasts.add({ tone: 'plain', title: 'Session deleted' });
  return answer.type === 'ok';
}
