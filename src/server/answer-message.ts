/** Answers one message of an authenticated client. */
import type { ClientMessage } from '../protocol/client-message.ts';
import type { ClientError } from '../protocol/error-code.ts';
import type { ServerMessage } from '../protocol/server-message.ts';
import type { SocketFollows } from './following.ts';
import { beyondLink, lacks, type Identity } from './identity.ts';
import type { Operations } from './operations.ts';

interface AnswerParts {
  readonly operations: Operations;
  readonly following: SocketFollows;
  readonly send: (message: ServerMessage) => void;
  readonly refuse: (error: ClientError, id: string | undefined) => void;
}

export function createAnswers({
  operations,
  following,
  send,
  refuse,
}: AnswerParts): (message: ClientMessage, by: Identity) => Promise<void> {
  return async (message, by) => {
    const { id } = message;
    const viewer = beyondLink(by, message) ?? lacks(by, 'viewer', message.type);
    if (viewer !== undefined) return refuse(viewer, id);
    switch (message.type) {
      case 'hello':
      case 'ping':
        return;
      case 'directory.follow':
        return following.orReconnect(following.followDirectory(message));
      case 'questions.follow':
        return following.orReconnect(following.followQuestions(message));
      case 'session.unfollow':
        following.unfollow(message.session);
        if (id !== undefined) send({ v: 1, type: 'ok', id });
        return;
      case 'session.follow': {
        const outcome = await following.orReconnect(operations.find(message.session));
        if (outcome === undefined) return;
        return outcome.type === 'error' ? refuse(outcome.error, id) : following.follow(outcome.value, message, by);
      }
      case 'session.create': {
        const made = await operations.create(by, message.session ?? {}, message.key);
        if (made.type === 'error') return refuse(made.error, id);
        return send({ v: 1, type: 'ok', id: message.id, session: made.value.id });
      }
      case 'session.input': {
        const sent = await operations.input(by, message.session, message.input, message.key);
        return sent.type === 'error'
          ? refuse(sent.error, id)
          : send({ v: 1, type: 'ok', id: message.id, ...sent.value });
      }
      case 'session.stop': {
        const sent = await operations.stop(by, message.session, message.reason);
        return sent.type === 'error'
          ? refuse(sent.error, id)
          : send({ v: 1, type: 'ok', id: message.id, ...sent.value });
      }
      case 'question.answer': {
        const sent = await operations.answer(by, message.question, message.answer, message.key);
        return sent.type === 'error'
          ? refuse(sent.error, id)
          : send({ v: 1, type: 'ok', id: message.id, ...sent.value });
      }
    }
  };
}
