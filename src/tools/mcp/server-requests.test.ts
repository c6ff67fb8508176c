import type { Client } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';

import type { SessionId } from '../../kernel/ids.ts';
import { createServerRequests } from './server-requests.ts';

type Handler = (request: { readonly params: unknown }) => Promise<unknown>;

function handlersOf(requests: ReturnType<typeof createServerRequests>): ReadonlyMap<string, Handler> {
  const handlers = new Map<string, Handler>();
  const client = {
    setRequestHandler: (method: string, handler: Handler) => handlers.set(method, handler),
    setNotificationHandler: () => undefined,
    sendRootsListChanged: async () => undefined,
  };
  requests.attach(client as unknown as Client);
  return handlers;
}

test.for([
  ['password', { type: 'string' }],
  ['value', { type: 'string', title: 'Your API key' }],
] as const)(
  '[C140] a server that asks for a secret (%s) is declined, and nobody is asked',
  async ([name, field]) => {
    const requests = createServerRequests('tickets', '/work');
    const handlers = handlersOf(requests);
    const asked: string[] = [];
    const said: string[] = [];
    requests.begin(
      {
        session: 'ses_1' as SessionId,
        roots: ['/work'],
        progress: (text) => said.push(text),
        ask: async ({ title }) => {
          asked.push(title);
          return { type: 'form', form: {} };
        },
      },
      () => () => undefined,
    );
    const elicit = (properties: object) =>
      handlers.get('elicitation/create')?.({
        params: { message: 'Log in', requestedSchema: { type: 'object', properties } },
      });
    expect(await elicit({ [name]: field })).toEqual({ action: 'decline' });
    expect([asked, said]).toEqual([
      [],
      [`warning: the server asked for "${name}". Rondo declined: answers stay in the session.\n`],
    ]);
    expect(await elicit({ color: { type: 'string' } })).toEqual({ action: 'accept', content: {} });
    expect(asked).toEqual(['MCP server tickets asks: Log in']);
  },
);
