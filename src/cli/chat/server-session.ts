/** One session of a server, as a chat holds it: followed over the socket, looked at over HTTP. */
import type { Client, RequestError, SessionUpdate } from '../../client/client.ts';
import type { Body } from '../../kernel/content.ts';
import type { Refusal } from '../../kernel/draft.ts';
import type { Event, Recorded } from '../../kernel/event.ts';
import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { WireInput } from '../../protocol/input-schema.ts';
import type { ClientInput } from '../../session/client-input.ts';
import type { Receipt } from '../../session/receipt.ts';
import type { Update } from '../../session/update.ts';
import type { ChatSession } from '../../terminal/chat-backend.ts';
import type { Status } from '../../views/status.ts';
import type { ServerCalls } from './server-calls.ts';

export function createServerSession(id: SessionId, client: Client, calls: ServerCalls): ChatSession {
  const at = `/sessions/${id}`;
  return {
    id,
    status: () => calls.get<Status>(at),
    follow: ({ after, signal } = {}) => updatesOf(client, id, after, signal),
    async send(input) {
      const wire = wireInput(input);
      if (wire === undefined) return refused('invalid', `"${input.type}" cannot be sent through a server.`);
      return receiptOf(client.send(id, wire));
    },
    async read(body: Body) {
      if (typeof body === 'string') return body;
      const answer = await calls.get<{ readonly text: string }>(`${at}/blobs/${body.blob}`).catch(() => undefined);
      return answer?.text ?? body.preview;
    },
    async events({ after, limit = 1000 }) {
      const page = await calls.get<{ readonly events: readonly FlatEvent[]; readonly last: number }>(
        `${at}/events?after=${after}&limit=${limit}`,
      );
      return { events: page.events.map(recordedFrom), last: page.last };
    },
  };
}

/** What a request came to, as a session says it. */
export async function receiptOf(request: Promise<{ readonly seq: number }>): Promise<Receipt> {
  try {
    return { type: 'accepted', seq: (await request).seq };
  } catch (error) {
    const { code, message } = error as RequestError;
    return refused(code === 'CONFLICT' ? 'conflict' : 'invalid', message);
  }
}

function refused(code: Refusal['code'], message: string): Receipt {
  return { type: 'refused', refusal: { code, message } };
}

type FlatEvent = Event & Pick<Recorded, 'seq' | 'at' | 'by'>;

function recordedFrom({ seq, at, by, ...event }: FlatEvent): Recorded {
  return { seq, at, by, event };
}

/** What a chat sends; the rest is for programs. */
function wireInput(input: ClientInput): WireInput | undefined {
  switch (input.type) {
    case 'chat': {
      const { text, delivery } = input;
      return { type: 'chat', text, ...(delivery !== undefined && { delivery }) };
    }
    case 'queue': {
      const { change } = input;
      if (change.type !== 'edited') return { type: 'queue', change };
      return typeof change.text === 'string'
        ? { type: 'queue', change: { ...change, text: change.text } }
        : undefined;
    }
    case 'mode':
      return typeof input.mode === 'string' ? { type: 'mode', mode: input.mode } : undefined;
    case 'task':
    case 'agent-setting':
    case 'interrupt':
    case 'agent':
      return input;
    default:
      return undefined;
  }
}

async function* updatesOf(
  client: Client,
  id: SessionId,
  after: number | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Update> {
  const queue: Update[] = [];
  let wake: (() => void) | undefined;
  let problem: Error | undefined;
  const following = client.follow(
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
