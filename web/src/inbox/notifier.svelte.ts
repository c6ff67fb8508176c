/** Tells of new questions: in the page at once, by the browser when the page is out of sight and it may. */
import type { RondoApp } from '../connection/rondo-app.svelte.ts';
import { titleOf } from '../home/directory.ts';
import type { Router } from '../shell/router.svelte.ts';
import { questionLine } from './question-words.ts';

export interface Notifier {
  /** The browser has not been asked yet whether it lets us. */
  readonly canAsk: boolean;
  ask(): void;
}

export function createNotifier(app: RondoApp, router: Router): Notifier {
  let permission = $state(typeof Notification === 'undefined' ? 'denied' : Notification.permission);
  let seen: ReadonlySet<string> | undefined;

  $effect(() => {
    const { questions, areQuestionsKnown } = app;
    if (!areQuestionsKnown) return;
    const before = seen;
    seen = new Set(questions.map(({ id }) => id));
    if (before === undefined) return;
    for (const { id, session, about } of questions) {
      if (before.has(id)) continue;
      const entry = app.directory.get(session);
      const title = entry === undefined ? 'A session asks' : `${titleOf(entry)} asks`;
      const path = `/s/${session}`;
      if (router.path !== path && router.path !== '/inbox')
        app.toasts.add({ tone: 'plain', title, text: questionLine(about), path: '/inbox' });
      if (document.hidden && permission === 'granted') void show(title, questionLine(about), { id, path });
    }
  });
  navigator.serviceWorker?.addEventListener(
    'message',
    ({ data }: MessageEvent<{ type?: string; path?: string }>) => {
      if (data.type === 'open' && data.path !== undefined) router.go(data.path);
    },
  );

  return {
    get canAsk() {
      return permission === 'default';
    },
    ask: () => void Notification.requestPermission().then((answer) => (permission = answer)),
  };
}

async function show(title: string, body: string, { id, path }: { id: string; path: string }): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration();
  await worker?.showNotification(title, { body, tag: id, icon: '/icon-192.png', data: { path } });
}
