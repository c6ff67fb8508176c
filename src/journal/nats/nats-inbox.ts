import type { Inbox } from '../../ports/inbox.ts';
import type { NatsParts } from './store-parts.ts';

export function createNatsInbox({ letters, wakeUps }: Pick<NatsParts, 'letters' | 'wakeUps'>): Inbox {
  function tell(): void {
    wakeUps.wakeOthers();
    wakeUps.look();
  }

  return {
    async put(session, message) {
      const id = await letters.put(session, message);
      tell();
      return id;
    },
    take: (session) => letters.of(session),
    async withdraw(id, answer) {
      await letters.answer(id, answer);
      tell();
    },
    async bury(id, { answer, reason }) {
      await letters.answer(id, answer, reason);
      tell();
    },
    buried: () => letters.buried(),
    answerTo: (id, { timeoutMs }) => wakeUps.awaitAnswer(id, timeoutMs),
    // A letter that is being settled may show a moment longer.
    async pending() {
      const sessions = await letters.pending();
      const unsettled = await Promise.all(sessions.map(async (session) => (await letters.of(session)).length > 0));
      return sessions.filter((_, index) => unsettled[index]);
    },
    onArrival: (listener) => wakeUps.onArrival(listener),
  };
}
