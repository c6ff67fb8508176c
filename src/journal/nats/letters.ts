/**
 * Letters and their answers. A letter is a message of its own. Its id is that message's sequence after a base, which
 * is the highest id that was copied from another store. The first answer counts. A settled letter is
 * deleted; if the settling process dies first, the next owner of the session deletes it (O8).
 */
import { randomUUID } from 'node:crypto';

import type { SessionId } from '../../kernel/ids.ts';
import type { BuriedMessage, InboxMessage } from '../../ports/inbox.ts';
import { blobsNamedIn } from '../references.ts';
import type { NatsClient } from './nats-client.ts';
import type { NatsMessage } from './nats-message.ts';
import { sessionIn, type StoreLayout } from './store-layout.ts';

export interface Letters {
  put(session: SessionId, letter: { readonly key: string; readonly body: string }): Promise<number>;
  /** Unsettled ones, oldest first. */
  of(session: SessionId): Promise<readonly InboxMessage[]>;
  pending(): Promise<readonly SessionId[]>;
  answer(id: number, answer: string, buried?: string): Promise<void>;
  answerOf(id: number): Promise<string | undefined>;
  buried(): Promise<readonly BuriedMessage[]>;
}

export interface StoredLetter extends Omit<InboxMessage, 'id'> {
  readonly session: SessionId;
  /** Of a letter that was copied from another store. */
  readonly id?: number;
}

/** With its answer. */
export interface StoredBurial extends BuriedMessage, Answer {}

interface Answer {
  readonly answer: string;
  readonly at: number;
}

const answersKeptMs = 3_600_000;
const lookEvery = 100;

export function createLetters(client: NatsClient, layout: StoreLayout, now: () => number, base = 0): Letters {
  const doing = 'Reading messages';
  const answerSubject = (id: number) => layout.subject('live', 'answer', String(id));
  let answered = 0;

  async function answerOf(id: number): Promise<string | undefined> {
    const message = await client.last(doing, layout.live, answerSubject(id));
    return message === undefined ? undefined : (JSON.parse(message.body.toString()) as Answer).answer;
  }

  async function letterOf(settling: string, id: number): Promise<NatsMessage | undefined> {
    if (id <= base)
      return client.last(settling, layout.live, layout.subject('live', 'letter', '*', copiedLetter(id)));
    const message = await client.at(settling, layout.live, id - base);
    return message?.subject.startsWith(`${layout.subject('live', 'letter')}.`) === true ? message : undefined;
  }

  /** Senders waited long ago. */
  async function forgetOldAnswers(): Promise<void> {
    answered += 1;
    if (answered % lookEvery !== 0) return;
    for await (const { seq, body } of client.walk(doing, layout.live, layout.subject('live', 'answer', '*'), 1)) {
      if ((JSON.parse(body.toString()) as Answer).at > now() - answersKeptMs) return;
      await client.drop(doing, layout.live, seq);
    }
  }

  return {
    async put(session, { key, body }) {
      const sending = `Sending a message to session ${session}`;
      const nonce = randomUUID();
      for (const hash of new Set(blobsNamedIn(body))) {
        await client.publish(sending, layout.subject('kept', 'ref', hash, `~${nonce}`), '');
      }
      const subject = layout.subject('live', 'letter', session, nonce);
      const id = await client.publish(sending, subject, JSON.stringify({ session, key, body }), {
        expected: 0,
        stream: layout.live,
      });
      return base + (id ?? 0);
    },
    async of(session) {
      const letters: InboxMessage[] = [];
      const subject = layout.subject('live', 'letter', session, '*');
      for await (const message of client.walk(doing, layout.live, subject, 1)) {
        const { id = base + message.seq, key, body } = JSON.parse(message.body.toString()) as StoredLetter;
        if ((await answerOf(id)) === undefined) letters.push({ id, key, body });
      }
      return letters;
    },
    async pending() {
      const subjects = await client.subjects(doing, layout.live, layout.subject('live', 'letter', '>'));
      return [...new Set(subjects.map((subject) => sessionIn(subject, 3)))].toSorted();
    },
    async answer(id, answer, buried) {
      const settling = `Answering message ${id}`;
      const letter = await letterOf(settling, id);
      if (letter !== undefined && buried !== undefined && (await answerOf(id)) === undefined) {
        const { session, key, body } = JSON.parse(letter.body.toString()) as BuriedMessage;
        const message: StoredBurial = { id, session, key, body, reason: buried, answer, at: now() };
        await client.publish(settling, layout.subject('kept', 'buried', String(id)), JSON.stringify(message));
      }
      await client.publish(settling, answerSubject(id), JSON.stringify({ answer, at: now() } satisfies Answer), {
        expected: 0,
        stream: layout.live,
      });
      if (letter === undefined) return;
      if (buried === undefined && blobsNamedIn(letter.body.toString().replaceAll('\\"', '"')).length > 0) {
        const nonce = letter.subject.split('.').at(-1) ?? '';
        await client.purge(settling, layout.kept, layout.subject('kept', 'ref', '*', `~${nonce}`));
      }
      await client.drop(settling, layout.live, letter.seq);
      await forgetOldAnswers();
    },
    answerOf,
    async buried() {
      const letters: BuriedMessage[] = [];
      const subject = layout.subject('kept', 'buried', '*');
      for await (const { body } of client.walk(doing, layout.kept, subject, 1)) {
        const { answer: _answer, at: _at, ...message } = JSON.parse(body.toString()) as StoredBurial;
        letters.push(message);
      }
      return letters.toSorted((a, b) => a.id - b.id);
    },
  };
}

/** The end of the subject of a letter that was copied from another store. */
export function copiedLetter(id: number): string {
  return `copied-${id}`;
}
