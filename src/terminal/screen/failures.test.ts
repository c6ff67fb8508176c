import { expect, test } from 'vitest';

import { itemsBetween, listAppended } from '../../views/persistent-list.ts';
import { createRondo } from '../../rondo.ts';
import { plainLook } from '../../testing/plain-look.ts';
import { testingAgent } from '../../testing/testing-agent.ts';
import { chatViewWith, newChatView, type ChatView } from '../chat/chat-view.ts';
import type { CardFocus } from '../chat/card-focus.ts';
import type { Chat } from '../chat/chat.ts';
import type { ProviderFacts } from '../lines/provider-card.ts';
import { createFailures } from './failures.ts';

/** A session whose only turn failed, as its follower sees it. */
async function failedView(prompt: string, limits: Record<string, number> = {}): Promise<ChatView> {
  await using rondo = await createRondo(testingAgent());
  const session = await rondo.sessions.create({ limits: { errorsInRow: 1, errorPauseMs: 1, ...limits } });
  await session.chat(prompt);
  let view = newChatView(session.id);
  const { events } = await session.events({ after: 0 });
  for (const recorded of events) view = chatViewWith(view, { type: 'event', recorded, json: '' });
  return { ...view, status: await session.status() };
}

function scene(view: ChatView, provider?: ProviderFacts) {
  const done: unknown[] = [];
  let place: CardFocus['place'] = 'card';
  const chat = {
    view,
    isWorking: false,
    question: undefined,
    retry: async () => void done.push('retry'),
    send: async (input: unknown) => (done.push(input), true),
  } as unknown as Chat;
  const focus = {
    get place() {
      return place;
    },
    fold: () => (place = 'folded'),
  } as unknown as CardFocus;
  const failures = createFailures({
    chat: () => chat,
    focus: () => focus,
    provider: () => provider,
    models: () => ['gpt-6-sol'],
    switchModel: (how) => done.push(how),
    show: (title, text) => done.push([title, text]),
  });
  const press = (letter: string) => failures.key({ type: 'letter', letter });
  const shown = () => failures.lines(plainLook(100)).map((line) => line.replace(/ {2,}\S+ · \d\d:\d\d$/, ''));
  return { failures, done, press, shown };
}

test('[C126] Enter on the card of a failing provider ends the pause', async () => {
  const { failures, done } = scene(await failedView('fail overloaded'), {
    trouble: { attempts: 2, code: 'model-unavailable', message: 'x', until: Date.now() + 9000 },
    model: 'claude',
    others: [],
    queued: 0,
    mostAttempts: 3,
  });
  expect([failures.key({ type: 'enter' }), done]).toEqual(['taken', [{ type: 'retry-now' }]]);
});

test('a failed turn is one card with its choices; a letter that isn’t one begins a prompt', async () => {
  const { failures, done, press, shown } = scene(await failedView('fail overloaded'));
  expect(shown()).toEqual([
    "▌ ✗ The provider isn't answering",
    '▌ overloaded',
    '▌',
    '▌ ❯ 1  Retry          Sends the prompt again. Finished steps stay.',
    '▌   2  Switch model   Retries with another model, such as gpt-6-sol.',
    '▌   3  Stop here      Keeps everything.',
    '▌   D  Details        The whole error.',
  ]);
  expect([press('1'), press('2'), press('9'), press('x')]).toEqual(['taken', 'taken', 'taken', 'text']);
  failures.key({ type: 'down' });
  failures.key({ type: 'enter' });
  expect(done).toEqual(['retry', { retries: true }, { retries: true }]);
  press('3');
  expect([shown(), failures.state]).toEqual([[], undefined]);
});

test('a cost limit offers as much again', async () => {
  const view = await failedView('say x', { cost: 2 });
  const { items } = view.transcript;
  const ending = itemsBetween(items, 0, items.length).at(-1);
  if (ending?.type !== 'ending') throw new Error('The turn ended.');
  const limited = {
    ...ending,
    ending: { type: 'failed', code: 'limit-cost', message: 'The turn reached its limit: cost 2.' },
  } as const;
  const { failures } = scene({ ...view, transcript: { ...view.transcript, items: listAppended(items, limited) } });
  const { done, press, shown } = scene({
    ...view,
    transcript: { ...view.transcript, items: listAppended(items, limited) },
  });
  expect(failures.state).toBe('failed');
  expect(shown().slice(0, 3)).toEqual([
    '▌ ✗ Cost limit reached: $2.00',
    '▌',
    '▌ ❯ 1  Add $2.00   Raises the limit to $4.00 and sends the prompt again.',
  ]);
  press('1');
  await Promise.resolve();
  expect(done).toEqual([{ type: 'limits', limits: { cost: 4 } }, 'retry']);
});
