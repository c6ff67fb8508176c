/**
 * What an MCP server may ask of Rondo while it handles a call.
 *
 * 1. A question belongs to the call that runs. If several calls of different sessions run, nobody knows whose it is,
 *    so it is declined.
 * 2. An address is shown with its host. Rondo never opens it.
 * 3. Roots are the folders of the session that called last.
 * 4. Sampling isn't offered: a server gets no use of the person's models.
 */
import type { Client, ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client';
import { pathToFileURL } from 'node:url';

import type { ToolRun } from '../../ports/tool.ts';

/** A call that runs, as its server sees it. */
export type Caller = Pick<ToolRun, 'session' | 'ask' | 'progress' | 'roots'>;

export interface ServerRequests {
  /** Registers the handlers, before the connection opens. */
  attach(client: Client): void;
  /** Adds a running call. The returned function removes it. `pause` stops its deadline. */
  begin(caller: Caller, pause: () => () => void): () => void;
}

export const clientCapabilities = {
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
} as const;

/** `folder` is the root until a call names others: servers ask right after their start. */
export function createServerRequests(server: string, folder: string): ServerRequests {
  const running = new Map<Caller, () => () => void>();
  let roots: readonly string[] = [folder];
  let attached: Client | undefined;

  const elicit = async (params: ElicitRequestParams): Promise<ElicitResult> => {
    const callers = [...running.keys()];
    const [caller] = callers;
    const isShared = callers.some(({ session }) => session !== caller?.session);
    const asked = questionOf(server, params);
    if (caller?.ask === undefined || isShared || asked === undefined) return { action: 'decline' };
    const goOn = running.get(caller)?.();
    try {
      const answer = await caller.ask(asked);
      if (answer.type === 'form') return { action: 'accept', content: contentOf(answer.form) };
      return { action: answer.type === 'cancelled' ? 'cancel' : 'decline' };
    } finally {
      goOn?.();
    }
  };

  return {
    attach(client) {
      attached = client;
      client.setRequestHandler('elicitation/create', ({ params }) => elicit(params));
      client.setRequestHandler('roots/list', async () => ({
        roots: roots.map((folder) => ({ uri: pathToFileURL(folder).href })),
      }));
      client.setNotificationHandler('notifications/message', ({ params: { level, data } }) => {
        const text = typeof data === 'string' ? data : JSON.stringify(data);
        if (level === 'debug') return;
        for (const { progress } of running.keys()) progress(`${level}: ${text.slice(0, longestLog)}\n`);
      });
    },
    begin(caller, pause) {
      running.set(caller, pause);
      if (caller.roots.join('\0') !== roots.join('\0')) {
        roots = caller.roots;
        // A server that can't hear it asks again by itself.
        void attached?.sendRootsListChanged().catch(() => undefined);
      }
      return () => void running.delete(caller);
    },
  };
}

const longestLog = 2_000;
const longestTitle = 2_000;

function questionOf(server: string, params: ElicitRequestParams) {
  const message = params.message.slice(0, longestTitle);
  if (params.mode !== 'url')
    return { title: `MCP server ${server} asks: ${message}`, schema: params.requestedSchema };
  const address = URL.canParse(params.url) ? new URL(params.url) : undefined;
  if (address?.protocol !== 'https:' && address?.protocol !== 'http:') return undefined;
  const title = `MCP server ${server} asks you to visit ${address.host}: ${message}`;
  return { title, schema: { type: 'object', properties: {} }, url: address.href };
}

function contentOf(form: unknown): NonNullable<ElicitResult['content']> {
  return typeof form === 'object' && form !== null ? (form as NonNullable<ElicitResult['content']>) : {};
}
