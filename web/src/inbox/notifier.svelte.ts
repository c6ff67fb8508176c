/**
 * Notifies of new questions and ended turns: in the page if another screen is open, or through the browser if the
 * page is hidden and notifications are allowed.
 */
import { effectText } from '../../../src/wording/effect-sentence.ts';
import type { RondoApp } from '../connection/rondo-app.svelte.ts';
import { titleOf, type Directory } from '../home/directory.ts';
import type { Router } from '../shell/router.svelte.ts';
import { endedTurns, endedWords } from './ended-turns.ts';

export interface Notifier {
  /** `prompt`: the browser hasn't asked yet. */
  readonly permission: PermissionState;
  ask(): void;
}

/** After a shorter turn, the user is still looking. */
const longTurnMs = 10_000;

export function createNotifier(app: RondoApp, router: Router): Notifier {
  let permission = $state<PermissionState>(typeof Notification === 'undefined' ? 'denied' : 'prompt');
  let asked: ReadonlySet<string> | undefined;
  let known: Directory | undefined;
  const isQuiet = () => !document.hidden || permission !== 'granted';

  $effect(() => {
    const { questions, areQuestionsKnown } = app;
    if (!areQuestionsKnown) return;
    const before = asked;
    asked = new Set(questions.map(({ id }) => id));
    if (before === undefined) return;
    for (const { id, session, about } of questions) {
      if (before.has(id)) continue;
      const entry = app.directory.get(session);
      const title = entry === undefined ? 'A session needs you' : `${titleOf(entry)} needs you`;
      const path = `/s/${session}`;
      if (router.path !== path && !router.path.startsWith('/inbox'))
        app.toasts.add({ tone: 'plain', title, text: effectText(about), path: `/inbox/${id}` });
      if (!isQuiet()) void show(title, effectText(about), { id, path });
    }
  });
  $effect(() => {
    const { directory, isDirectoryKnown } = app;
    const before = known;
    if (isDirectoryKnown) known = directory;
    for (const ended of before === undefined ? [] : endedTurns(before, directory)) {
      const { entry, ms } = ended;
      const { tone, title, text } = endedWords(ended);
      const path = `/s/${entry.session}`;
      if (router.path !== path && ms >= longTurnMs) app.toasts.add({ tone, title, text, path });
      if (!isQuiet()) void show(title, text, { id: entry.session, path });
    }
  });
  void followPermission((state) => (permission = state));
  navigator.serviceWorker?.addEventListener(
    'message',
    ({ data }: MessageEvent<{ type?: string; path?: string }>) => {
      if (data.type === 'open' && data.path !== undefined) router.go(data.path);
    },
  );

  return {
    get permission() {
      return permission;
    },
    ask: () =>
      void Notification.requestPermission().then((answer) => {
        permission = answer === 'default' ? 'prompt' : answer;
      }),
  };
}

/** The user can change the permission in the browser's settings at any time. */
async function followPermission(take: (state: PermissionState) => void): Promise<void> {
  if (typeof Notification === 'undefined') return;
  const status = await navigator.permissions?.query({ name: 'notifications' });
  if (status === undefined)
    return take(Notification.permission === 'default' ? 'prompt' : Notification.permission);
  take(status.state);
  status.addEventListener('change', () => take(status.state));
}

/** A notification with the same tag replaces the previous one, so a session has at most one. */
async function show(title: string, body: string, { id, path }: { id: string; path: string }): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration();
  await worker?.showNotification(title, { body, tag: id, icon: '/icon-192.png', data: { path } });
}
