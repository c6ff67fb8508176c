/** What clients may do to sessions, whichever way they came: rights checked, refusals put in words. */
import path from 'node:path';

import { Fault } from '../kernel/fault.ts';
import { sessionOfQuestion, type QuestionId, type SessionId } from '../kernel/ids.ts';
import { errorOfRefusal, type ClientError } from '../protocol/error-code.ts';
import {
  answerFrom,
  rulesFrom,
  type WireAnswer,
  type WireCreate,
  type WireInput,
} from '../protocol/input-schema.ts';
import type { ClientInput } from '../session/client-input.ts';
import type { Receipt } from '../session/receipt.ts';
import type { Session } from '../session/session.ts';
import type { Backend } from './backend.ts';
import { lacks, roleForAnswer, roleForCreate, roleForInput, type Identity } from './identity.ts';
import { isInside } from './is-inside.ts';
import { createKeptAnswers } from './kept-answers.ts';

const mostStopping = 10_000;

export type Outcome<Value> =
  | { readonly type: 'done'; readonly value: Value }
  | { readonly type: 'error'; readonly error: ClientError };

export interface Operations {
  find(session: string): Promise<Outcome<Session>>;
  create(by: Identity, wanted: WireCreate, key?: string): Promise<Outcome<Session>>;
  input(by: Identity, session: string, input: WireInput, key?: string): Promise<Outcome<{ readonly seq: number }>>;
  answer(
    by: Identity,
    question: string,
    answer: WireAnswer,
    key?: string,
  ): Promise<Outcome<{ readonly seq: number; readonly session: SessionId }>>;
  /** Whether it was told to end here and may still be on its way. */
  isStopping(session: string): boolean;
  /** Ends a session for good; doing so again changes nothing. */
  stop(by: Identity, session: string, reason?: string): Promise<Outcome<{ readonly seq: number }>>;
}

export interface OperationsParts {
  readonly backend: Backend;
  /** Where sessions work that name no folder, and the only place where those of others than the owner may. */
  readonly cwd: string;
  /** Told how long an input took to be durable. */
  readonly onAppended: (ms: number) => void;
}

export function createOperations({ backend, cwd, onAppended }: OperationsParts): Operations {
  const stopping = new Set<string>();
  const creations = createKeptAnswers<Outcome<Session>>();

  async function find(id: string): Promise<Outcome<Session>> {
    const session = await backend.sessions.get(id);
    return session === undefined || session.id !== id
      ? failed('SESSION_NOT_FOUND', `There is no session ${id}.`)
      : done(session);
  }

  async function send(
    id: string,
    input: ClientInput,
    from: { readonly by: Identity; readonly key?: string | undefined; readonly about?: 'question' },
  ): Promise<Outcome<{ readonly seq: number }>> {
    const found = await find(id);
    if (found.type === 'error') return found;
    const started = performance.now();
    const receipt: Receipt = await found.value.send(input, {
      by: from.by.actor,
      ...(from.key !== undefined && { key: from.key }),
    });
    onAppended(performance.now() - started);
    if (receipt.type === 'accepted') return done({ seq: receipt.seq });
    return { type: 'error', error: errorOfRefusal(receipt.refusal, from.about ?? 'input') };
  }

  async function createNow(by: Identity, wanted: WireCreate): Promise<Outcome<Session>> {
    const { worktree, cwd: folder, parent, ...rest } = wanted;
    if (worktree === true) return failed('NOT_IMPLEMENTED', 'Worktrees are not served yet; leave `worktree` out.');
    const place = path.resolve(cwd, folder ?? '.');
    if (by.role !== 'owner' && !isInside(place, cwd)) {
      return failed('REFUSED', 'Only the owner may open sessions outside the folder that is served.');
    }
    if (parent !== undefined) {
      const found = await find(parent);
      if (found.type === 'error') return found;
    }
    try {
      const session = await backend.sessions.create({
        ...rest,
        cwd: place,
        ...(parent !== undefined && { parent: parent as SessionId }),
        by: by.actor,
      });
      await session.persist();
      return done(session);
    } catch (error) {
      // An agent, model, mode or folder that is not there, or a configuration that cannot be used.
      if (isRefusal(error)) return failed('REFUSED', error.message);
      throw error;
    }
  }

  return {
    find,
    isStopping: (session) => stopping.has(session),
    async create(by, wanted, key) {
      const refused = lacks(by, roleForCreate(wanted), 'create such a session');
      if (refused !== undefined) return { type: 'error', error: refused };
      if (key === undefined) return createNow(by, wanted);
      const kept = creations.once(`${by.token} ${key}`, JSON.stringify(wanted), () => createNow(by, wanted));
      return kept ?? failed('CONFLICT', `The key ${key} was used for another session; use a fresh key.`);
    },
    async input(by, session, input, key) {
      const refused = lacks(by, roleForInput(input), `send "${input.type}"`);
      if (refused !== undefined) return { type: 'error', error: refused };
      const sent: ClientInput = input.type === 'policy' ? { ...input, rules: rulesFrom(input.rules) } : input;
      return send(session, sent, { by, key });
    },
    async answer(by, question, wire, key) {
      const refused = lacks(by, roleForAnswer(wire), 'answer so');
      if (refused !== undefined) return { type: 'error', error: refused };
      const session = sessionOfQuestion(question as QuestionId);
      const input: ClientInput = { type: 'answer', question, answer: answerFrom(wire) };
      const sent = await send(session, input, { by, key, about: 'question' });
      if (sent.type === 'done') return done({ ...sent.value, session });
      const isUnknown = sent.error.code === 'SESSION_NOT_FOUND';
      return isUnknown ? failed('QUESTION_NOT_FOUND', `There is no question ${question}.`) : sent;
    },
    async stop(by, session, reason) {
      const refused = lacks(by, 'prompter', 'end a session');
      if (refused !== undefined) return { type: 'error', error: refused };
      if (stopping.size >= mostStopping) stopping.clear();
      stopping.add(session);
      return send(session, { type: 'close', ...(reason !== undefined && { reason }) }, { by });
    },
  };
}

export function done<Value>(value: Value): Outcome<Value> {
  return { type: 'done', value };
}

export function failed(
  code: ClientError['code'],
  message: string,
): { readonly type: 'error'; readonly error: ClientError } {
  return { type: 'error', error: { code, message } };
}

export function isRefusal(error: unknown): error is Fault {
  return error instanceof Fault && (error.code === 'not-found' || error.code === 'unreadable');
}

/** What a fault means for the client that met it. Its text names files of ours and stays in the log. */
export function errorOfFault(error: unknown): ClientError {
  if (!(error instanceof Fault))
    return { code: 'INTERNAL', message: 'Something went wrong here; the log says what.' };
  switch (error.code) {
    case 'not-found':
      return { code: 'SESSION_NOT_FOUND', message: error.message };
    case 'busy':
      return { code: 'LIMIT_REACHED', message: 'This server holds all it can; try again later.' };
    case 'closed':
      return { code: 'UNAVAILABLE', message: 'This server is closing, or the session moved; try again.' };
    case 'damaged':
      return { code: 'CONFLICT', message: 'The journal of this session is damaged; `rondo doctor` repairs it.' };
    case 'disk-full':
    case 'read-only':
    case 'unreadable':
    case 'network':
    case 'process':
    case 'internal':
      return { code: 'INTERNAL', message: `Nothing was acknowledged: ${error.code}. The log says more.` };
  }
}
