import type { z } from 'zod';

import type { HostedSession } from '../../host/hosted-session.ts';
import type { DirectoryQuery } from '../../ports/journal.ts';
import type { BlobHash, SessionId } from '../../kernel/ids.ts';
import {
  directoryQuery,
  eventsQuery,
  questionsQuery,
  transcriptQuery,
  whyQuery,
} from '../../protocol/http-schema.ts';
import { createSchema, inputSchema, type WireCreate, type WireInput } from '../../protocol/input-schema.ts';
import { flatEventText } from '../../protocol/update-text.ts';
import type { TranscriptRange } from '../../session/read/read-transcript.ts';
import type { Session } from '../../session/handle/session.ts';
import { failed } from '../outcome.ts';
import { pictureHeaders, pictureIn } from '../picture.ts';
import { routeAnswer, ok, param, type RouteCall, type Route, type RouteAnswer } from '../route.ts';
import { hostedStateOf } from '../hosted-state.ts';
import { streamEvents } from '../sse.ts';
import type { RouteParts } from './route-parts.ts';
import { optional } from '../../kernel/optional.ts';

const largestInput = 10 * 1024 * 1024;
/** Of a git bundle, see `save-clone.ts`. */
const bundleStart = /^# v\d+ git bundle\n/;

export function sessionRoutes(parts: RouteParts): readonly Route[] {
  const { backend, operations, host, node } = parts;

  async function sessionStatus(session: Session, children: readonly SessionId[]): Promise<object> {
    const [status, owner] = await Promise.all([session.status(), node?.nodeOf(session.id)]);
    return {
      id: session.id,
      hosted: hostedStateOf(
        { isClosed: status.lifecycle === 'closed', isClosing: status.isClosing === true },
        host.get(session.id),
      ),
      ...activityOf(host.get(session.id)),
      ...optional({ node: owner?.name }),
      phase: status.lifecycle,
      ...status,
      children,
    };
  }
  async function childrenOf({ id }: Session): Promise<readonly SessionId[]> {
    const { entries } = await backend.sessions.list({ parent: id, limit: 1000 });
    return entries.map((entry) => entry.session);
  }
  const withSession = async (call: RouteCall, then: (session: Session) => Promise<RouteAnswer>) =>
    routeAnswer(await operations.find(param(call, 'id')), then);
  const withBlob = (call: RouteCall, then: (text: string) => RouteAnswer) =>
    withSession(call, async (session) => {
      const hash = param(call, 'hash');
      // The hash becomes a file name, so validate it.
      if (!/^[0-9a-f]{64}$/.test(hash))
        return failed('NOT_FOUND', 'Invalid hash: expected 64 hexadecimal digits.');
      const text = await session.read({ blob: hash as BlobHash, length: 0, preview: '' });
      // A session's saved files aren't a text, and may hold what a viewer must not see.
      if (bundleStart.test(text)) return failed('NOT_FOUND', `${hash} isn't a text.`);
      return then(text);
    });
  const change = async (call: RouteCall, input: WireInput) =>
    routeAnswer(await operations.input(call.by, param(call, 'id'), input, call.key), (value) => ok(value, 202));

  return [
    {
      method: 'POST',
      path: '/sessions',
      operation: 'createSession',
      summary: 'Create a session',
      role: 'prompter',
      body: createSchema,
      bodyIsOptional: true,
      status: 201,
      takesKey: true,
      handle: async ({ by, body, key }) =>
        routeAnswer(await operations.create(by, (body ?? {}) as WireCreate, key), async (session) =>
          // The key may have returned an existing session that already has children.
          ok(await sessionStatus(session, key === undefined ? [] : await childrenOf(session)), 201),
        ),
    },
    {
      method: 'GET',
      path: '/sessions',
      operation: 'listSessions',
      summary: 'List sessions, newest first',
      role: 'viewer',
      query: directoryQuery,
      async handle({ query }) {
        const { entries, cursor } = await backend.sessions.listText(query as DirectoryQuery);
        const more = cursor === undefined ? '' : `,"cursor":${JSON.stringify(cursor)}`;
        return { type: 'json', status: 200, text: `{"entries":${entries}${more}}` };
      },
    },
    {
      method: 'GET',
      path: '/sessions/:id',
      operation: 'getSession',
      summary: 'Get the current state of a session',
      role: 'viewer',
      handle: (call) =>
        withSession(call, async (session) => ok(await sessionStatus(session, await childrenOf(session)))),
    },
    {
      method: 'DELETE',
      path: '/sessions/:id',
      operation: 'endSession',
      summary: 'End a session permanently; its journal is kept',
      role: 'prompter',
      status: 202,
      handle: async (call) =>
        routeAnswer(await operations.stop(call.by, param(call, 'id'), 'terminated over HTTP'), (value) =>
          ok(value, 202),
        ),
    },
    {
      method: 'GET',
      path: '/sessions/:id/transcript',
      operation: 'getTranscript',
      summary: 'Get a page of the conversation, the last one by default',
      role: 'viewer',
      query: transcriptQuery,
      handle: (call) =>
        withSession(call, async (session) => ok(await session.transcript(call.query as TranscriptRange))),
    },
    {
      method: 'GET',
      path: '/sessions/:id/context',
      operation: 'getContext',
      summary: "Get what fills the model's context window, in tokens",
      role: 'viewer',
      handle: (call) => withSession(call, async (session) => ok(await session.context())),
    },
    {
      method: 'GET',
      path: '/sessions/:id/blobs/:hash',
      operation: 'getText',
      summary: 'Get a long text that events and transcript only preview',
      role: 'viewer',
      handle: (call) => withBlob(call, (text) => ok({ text })),
    },
    {
      method: 'GET',
      path: '/sessions/:id/blobs/:hash/picture',
      operation: 'getPicture',
      summary: 'Get an image attached to a prompt: PNG, JPEG, GIF or WebP',
      role: 'viewer',
      handle: (call) =>
        withBlob(call, (text) => {
          const picture = pictureIn(text);
          if (picture === undefined)
            return failed('NOT_FOUND', `${param(call, 'hash')} isn't a PNG, JPEG, GIF or WebP image.`);
          return { type: 'bytes', contentType: picture.type, bytes: picture.bytes, headers: pictureHeaders };
        }),
    },
    {
      method: 'POST',
      path: '/sessions/:id/inputs',
      operation: 'sendInput',
      summary: 'Send one input; the response means it is durable',
      role: 'prompter',
      body: inputSchema,
      largestBody: largestInput,
      status: 202,
      takesKey: true,
      handle: (call) => change(call, call.body as WireInput),
    },
    {
      method: 'GET',
      path: '/sessions/:id/events',
      operation: 'listEvents',
      alsoProduces: 'text/event-stream',
      summary: 'Get events after a sequence number, as a page or as server-sent events',
      role: 'viewer',
      query: eventsQuery,
      handle: (call) => withSession(call, (session) => events(call, session, parts)),
    },
    {
      method: 'GET',
      path: '/sessions/:id/questions',
      operation: 'listSessionQuestions',
      summary: 'List open questions of a session, with those of its workers if `below` is true',
      role: 'viewer',
      query: questionsQuery,
      handle: (call) =>
        withSession(call, async (session) => {
          const { below = false } = call.query as z.infer<typeof questionsQuery>;
          return ok({ questions: below ? await session.questions() : (await session.status()).questions });
        }),
    },
    {
      method: 'GET',
      path: '/sessions/:id/why',
      operation: 'explainTurn',
      summary: 'Explain how Rondo understood a prompt, and which rules applied to its turn',
      role: 'viewer',
      query: whyQuery,
      handle: (call) =>
        withSession(call, async (session) => {
          const { event } = call.query as z.infer<typeof whyQuery>;
          return ok({ why: await session.why(event) });
        }),
    },
  ];
}

/** Activity that the host observed. Empty if the session has slept since the host started. */
function activityOf(row: HostedSession | undefined): object {
  if (row === undefined) return {};
  const { lastActiveAt, messages, reason } = row;
  return { lastActiveAt, messages, ...optional({ endedBecause: reason }) };
}

async function events(call: RouteCall, session: Session, parts: RouteParts): Promise<RouteAnswer> {
  const { after, limit = 1000 } = call.query as z.infer<typeof eventsQuery>;
  if (call.incoming.headers.accept?.includes('text/event-stream') === true) {
    const resumed = Number(call.incoming.headers['last-event-id'] ?? Number.NaN);
    const from = Number.isSafeInteger(resumed) && resumed >= 0 ? resumed : after;
    streamEvents(session, call.outgoing, { ...parts, call, ...optional({ after: from }) });
    return { type: 'streaming' };
  }
  const page = await session.events({ after: after ?? 0, limit });
  const texts = page.events.map((recorded) => flatEventText(recorded, JSON.stringify(recorded.event)));
  const damage = page.damage === undefined ? '' : `,"damage":${JSON.stringify(page.damage)}`;
  return { type: 'json', status: 200, text: `{"events":[${texts.join(',')}],"last":${page.last}${damage}}` };
}
