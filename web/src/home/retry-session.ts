/** Sends the last prompt of a session again, whose turn failed. */
import type { Item } from '../../../src/views/transcript-item.ts';
import { getApi } from '../connection/api.ts';
import type { RondoApp } from '../connection/rondo-app.svelte.ts';

export async function retrySession(app: RondoApp, session: string): Promise<void> {
  const read = await getApi<{ items: readonly Item[] }>(`/sessions/${session}/transcript?limit=200`);
  const items = read.type === 'ok' ? read.value.items : [];
  const prompt = items.findLast((item) => item.type === 'prompt');
  const asked = prompt?.asked.type === 'chat' ? prompt.asked.text : undefined;
  if (typeof asked === 'string') await app.send(session, { type: 'chat', text: asked });
  else
    app.toasts.add({
      tone: 'bad',
      title: "Can't retry from here",
      text: read.type === 'problem' ? read.message : 'Open the session and send the prompt again.',
    });
}
