import type { Inbox } from '../../ports/inbox.ts';
import { createListeners } from '../listeners.ts';
import { answerAsProcess, type Seat, type Shared } from './shared.ts';

export function createMemoryInbox(shared: Shared, seat: Seat): Inbox {
  const { messages, sessions } = shared;
  const unsettled = () => [...messages].filter(([, message]) => message.answer === undefined);

  return {
    put: (session, { key, body }) =>
      answerAsProcess(seat, () => {
        const id = messages.size + 1;
        messages.set(id, {
          session,
          key,
          body,
          answer: undefined,
          buried: undefined,
          answered: createListeners(),
        });
        sessions.get(session)?.owner?.arrivals.tell(session);
        return id;
      }),
    take: (session) =>
      answerAsProcess(seat, () =>
        unsettled()
          .filter(([, message]) => message.session === session)
          .map(([id, { key, body }]) => ({ id, key, body })),
      ),
    withdraw: (id, text) => answerAsProcess(seat, () => settleMessage(shared, id, text)),
    bury: (id, { answer: text, reason }) =>
      answerAsProcess(seat, () => {
        const message = messages.get(id);
        if (message === undefined || message.answer !== undefined) return;
        message.buried = reason;
        settleMessage(shared, id, text);
      }),
    buried: () =>
      answerAsProcess(seat, () =>
        [...messages].flatMap(([id, { session, key, body, buried }]) =>
          buried === undefined ? [] : [{ id, session, key, body, reason: buried }],
        ),
      ),
    answerTo: async (id, { timeoutMs }) => {
      const message = await answerAsProcess(seat, () => messages.get(id));
      if (message === undefined || message.answer !== undefined) return message?.answer;
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      const forget = message.answered.add(resolve);
      const timer = setTimeout(() => resolve(undefined), timeoutMs);
      const text = await promise;
      clearTimeout(timer);
      forget();
      return text;
    },
    pending: () =>
      answerAsProcess(seat, () => [...new Set(unsettled().map(([, { session }]) => session))].toSorted()),
    onArrival: (listener) => seat.arrivals.add(listener),
  };
}

export function settleMessage({ messages }: Shared, id: number, text: string): void {
  const message = messages.get(id);
  if (message === undefined || message.answer !== undefined) return;
  message.answer = text;
  message.answered.tell(text);
  message.answered.clear();
}
