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

/** A call that runs, and a server that asks with this message. */
function scene(message: string) {
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
    handlers.get('elicitation/create')?.({ params: { message, requestedSchema: { type: 'object', properties } } });
  return { elicit, asked, said };
}

test.for([
  ['password', { type: 'string' }],
  ['value', { type: 'string', title: 'Your API key' }],
  ['api_key', { type: 'string' }],
  ['githubToken', { type: 'string' }],
  ['pin', { type: 'number' }],
  ['words', { type: 'string', title: 'Wallet recovery phrase' }],
  ['c', { type: 'string', description: 'the one-time code of your authenticator' }],
  ['value', { type: 'string' }, 'Please enter your password'],
] as const)(
  '[C140] a server that asks for a secret (%j) is declined, and nobody is asked',
  async ([name, field, message = 'Log in']) => {
    const { elicit, asked, said } = scene(message);
    expect(await elicit({ [name]: field })).toEqual({ action: 'decline' });
    expect([asked, said]).toEqual([
      [],
      [`warning: the server asked for "${name}". Rondo declined: answers stay in the session.\n`],
    ]);
  },
);

test.for([
  ['Log in', { color: { type: 'string' } }],
  ['Reset the password?', { reset: { type: 'boolean', title: 'Reset the password' } }],
  ['Enter how the password is kept', { kept: { type: 'string', enum: ['hashed', 'plain'] } }],
  ['Which one?', { maxTokens: { type: 'number' }, pinned: { type: 'string' }, email: { type: 'string' } }],
] as const)('[C140] a form without a secret is asked: %s', async ([message, properties]) => {
  const { elicit, asked } = scene(message);
  expect(await elicit(properties)).toEqual({ action: 'accept', content: {} });
  expect(asked).toEqual([`MCP server tickets asks: ${message}`]);
});
