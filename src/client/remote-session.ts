/** `SessionClient` over the wire: followed and sent to over the socket, read over HTTP. */
import type { Body } from '../kernel/content.ts';
import type { Event, Recorded } from '../kernel/event.ts';
import { Fault } from '../kernel/fault.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { ClientInput } from '../ports/client-input.ts';
import type { Receipt } from '../ports/receipt.ts';
import type { RewindResult } from '../ports/rewind.ts';
import type { FollowFrom, KeyOption, SessionClient } from '../ports/session-client.ts';
import type { Update } from '../ports/update.ts';
import type { WireAnswer, WireInput } from '../protocol/input-schema.ts';
import { wireAnswer } from '../protocol/wire-answer.ts';
import type { FollowListener, SessionUpdate } from './followed-session.ts';
import { refusalCodes, type HttpCalls } from './http-calls.ts';
import type { RequestError } from './requests.ts';
import { optional } from '../kernel/optional.ts';

/** As much of a client as a session needs. */
interface Socket {
  send(session: string, input: WireInput, options?: KeyOption): Promise<{ readonly seq: number }>;
  answer(question: string, answer: WireAnswer, options?: KeyOption): Promise<{ readonly seq: number }>;
  follow(
    session: string,
    listener: FollowListener,
    options: { readonly after?: number },
  ): { readonly stop: () => void };
}

export function createRemoteSession(id: SessionId, socket: Socket, calls: HttpCalls): SessionClient {
  const at = `/sessions/${id}`;
  const send: SessionClient['send'] = async (input, options) => {
    const wire = wireInput(input);
    if (wire !== undefined) return receiptOf(socket.send(id, wire, options));
    const message = `"${input.type}" can't be sent through a server`;
    return { type: 'refused', refusal: { code: 'invalid', message } };
  };
  return {
    id,
    status: () => calls.get(at),
    send,
    answer: (question, answer, options) => receiptOf(socket.answer(question, wireAnswer(answer), options)),
    interrupt: (reason) => send({ type: 'interrupt', ...optional({ reason }) }),
    questions: async () => (await calls.get<Questions>(`${at}/questions?below=true`)).questions,
    async fork(options = {}) {
      const made = await calls.post<{ readonly id: SessionId }>(`${at}/fork`, options);
      if (made.type === 'refused') throw new Fault('not-found', made.refusal.message);
      return createRemoteSession(made.value.id, socket, calls);
    },
    async rewind({ to, axes = 'both', key }) {
      const files = axes === 'files' ? 'only' : axes === 'both';
      const done = await calls.post<RewindResult>(`${at}/rewind`, { to, files }, key);
      return done.type === 'done' ? done.value : done;
    },
    changes: ({ since = 0, patch } = {}) => calls.get(`${at}/diff${queryOf({ since, patch })}`),
    follow: (from = {}) => updatesOf(socket, id, from),
    async events({ after, limit = 1000 }) {
      const page = await calls.get<FlatPage>(`${at}/events?after=${after}&limit=${limit}`);
      return { events: page.events.map(recordedFrom), last: page.last };
    },
    transcript: (range = {}) => calls.get(`${at}/transcript${queryOf({ ...range })}`),
    context: () => calls.get(`${at}/context`),
    usage: () => calls.get(`/usage?session=${id}`),
    why: async (event) => (await calls.get<Why>(`${at}/why${queryOf({ event })}`)).why,
    async export({ format = 'bundle' } = {}) {
      const answer = await calls.open(`${at}/export`, { format });
      const leftOut = answer.headers.get('x-rondo-left-out') ?? '';
      return { pieces: piecesOf(answer), leftOut: leftOut === '' ? [] : leftOut.split(',') };
    },
    async read(body: Body) {
      if (typeof body === 'string') return body;
      const blob = calls.get<{ readonly text: string }>(`${at}/blobs/${body.blob}`);
      return blob.then(
        ({ text }) => text,
        () => body.preview,
      );
    },
  };
}

/** A query string; nothing where no value is given. */
export function queryOf(values: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const given = Object.entries(values).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

interface Questions {
  readonly questions: Awaited<ReturnType<SessionClient['questions']>>;
}

interface Why {
  readonly why?: Awaited<ReturnType<SessionClient['why']>>;
}

type FlatEvent = Event & Pick<Recorded, 'seq' | 'at' | 'by'>;

interface FlatPage {
  readonly events: readonly FlatEvent[];
  readonly last: number;
}

function recordedFrom({ seq, at, by, ...event }: FlatEvent): Recorded {
  return { seq, at, by, event };
}

async function receiptOf(request: Promise<{ readonly seq: number }>): Promise<Receipt> {
  try {
    return { type: 'accepted', seq: (await request).seq };
  } catch (error) {
    const { code, message } = error as RequestError;
    const refusal = refusalCodes[code];
    if (refusal === undefined) throw new Fault('network', message, { cause: error });
    return { type: 'refused', refusal: { code: refusal, message } };
  }
}

async function* piecesOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  for (;;) {
    const piece = await reader?.read();
    if (piece?.value === undefined) return;
    yield piece.value;
  }
}

/** Inputs that people send. All others are for programs in the session's own process. */
function wireInput(input: ClientInput): WireInput | undefined {
  switch (input.type) {
    case 'chat': {
      const { text, delivery, attachments } = input;
      const sent = attachments?.flatMap(({ name, mediaType, content }) =>
        typeof content === 'string' ? [{ name, mediaType, content }] : [],
      );
      return {
        type: 'chat',
        text,
        ...optional({ delivery, attachments: sent }),
      };
    }
    case 'queue': {
      const { change } = input;
      if (change.type !== 'edited') return { type: 'queue', change };
      return typeof change.text === 'string'
        ? { type: 'queue', change: { type: 'edited', prompt: change.prompt, text: change.text } }
        : undefined;
    }
    case 'mode':
      return typeof input.mode === 'string' ? { type: 'mode', mode: input.mode } : undefined;
    case 'rules': {
      const { add, remove, revoke } = input;
      const bare = add?.map(({ verdict, tool, pattern }) => ({ verdict, tool, ...optional({ pattern }) }));
      return {
        type: 'rules',
        ...optional({ add: bare, remove: remove?.slice(), revoke: revoke?.slice() }),
      };
    }
    case 'task':
    case 'compact':
    case 'agent-setting':
    case 'interrupt':
    case 'agent':
    case 'close':
      return input;
    default:
      return undefined;
  }
}

async function* updatesOf(socket: Socket, id: SessionId, { after, signal }: FollowFrom): AsyncGenerator<Update> {
  const queue: Update[] = [];
  let wake: (() => void) | undefined;
  let problem: Error | undefined;
  const following = socket.follow(
    id,
    {
      update(update) {
        queue.push(fromWire(update));
        wake?.();
      },
      problem({ message }) {
        problem = new Fault('network', message);
        wake?.();
      },
    },
    after === undefined ? {} : { after },
  );
  const stop = () => wake?.();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    while (signal?.aborted !== true) {
      const next = queue.shift();
      if (next !== undefined) yield next;
      else if (problem === undefined) await new Promise<void>((resolve) => (wake = resolve));
      else throw problem;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    following.stop();
  }
}

function fromWire(update: SessionUpdate): Update {
  if (update.type !== 'event') return update;
  const { seq, at, by, event } = update;
  return { type: 'event', recorded: { seq, at, by, event }, json: '' };
}
