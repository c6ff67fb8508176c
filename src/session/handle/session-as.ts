import type { Actor } from '../../kernel/actor.ts';
import { optional } from '../../kernel/optional.ts';
import type { SessionClient } from '../../ports/session-client.ts';
import type { Session } from './session.ts';

/** A session as one actor uses it: Rondo records everything sent through it under that actor. */
export function sessionAs(session: Session, by: Actor): SessionClient {
  return {
    ...session,
    send: (input, options) => session.send(input, { by, ...options }),
    answer: (question, answer, options) => session.answer(question, answer, { by, ...options }),
    interrupt: (reason) => session.send({ type: 'interrupt', ...optional({ reason }) }, { by }),
    fork: async (options) => sessionAs(await session.fork({ ...options, by }), by),
    rewind: (options) => session.rewind({ ...options, by }),
  };
}
