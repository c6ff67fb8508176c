/**
 * `rondo mcp --port 4100`: the same server over HTTP, on this machine only. Tokens are those of `rondo token`: a viewer
 * reads, a prompter also prompts, an approver also answers. A program that runs inside a session answers nothing (S19).
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { getRequestListener } from '@hono/node-server';
import { createMcpHandler } from '@modelcontextprotocol/server';

import type { Store } from '../../ports/store.ts';
import type { RondoClient } from '../../ports/rondo-client.ts';
import type { Actor } from '../../kernel/actor.ts';
import { sessionOfPeer } from '../../processes/around-session.ts';
import { problemBody, type ClientError } from '../../protocol/error-code.ts';
import { roles, type Role } from '../../protocol/http-schema.ts';
import { guard } from '../../server/guard.ts';
import { listening, namesOf } from '../../server/listening.ts';
import type { Identity } from '../../server/identity.ts';
import { createTokens } from '../../server/tokens.ts';
import { ownerToken, sharedFileIn } from '../serve/owner-token.ts';
import { createSessionServer, type SessionServerPlace } from './session-server.ts';

export interface ServeHttpParts {
  readonly port: number;
  readonly home: string;
  readonly store: Store;
  readonly client: (by: Actor) => RondoClient;
  readonly place: Pick<SessionServerPlace, 'version' | 'agent' | 'mayApprove' | 'mayAnswer'>;
}

const host = '127.0.0.1';
const path = '/mcp';

export async function serveMcpHttp(parts: ServeHttpParts): Promise<{ readonly url: string } & AsyncDisposable> {
  const { home, store, place } = parts;
  const owner = await ownerToken(home);
  const tokens = createTokens({ file: await sharedFileIn(store, home, 'tokens'), owner, now: Date.now });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization = '', origin } = request.headers;
    const problem = guard(
      {
        method: request.method ?? 'GET',
        path: request.url ?? '/',
        host: request.headers.host,
        origin,
        fetchSite: undefined,
        fetchMode: undefined,
      },
      { hosts: namesOf(host, port), origins: [], scheme: 'http' },
    );
    if (problem !== undefined) return refuse(response, problem);
    if (request.url?.split('?')[0] !== path)
      return refuse(response, { code: 'NOT_FOUND', message: `The MCP server is at ${path}.` });
    const who = await tokens.identify(/^Bearer (.+)$/i.exec(authorization)?.[1] ?? '');
    if (who === undefined)
      return refuse(response, {
        code: 'UNAUTHORIZED',
        message: 'Send a token of `rondo token create` as bearer.',
      });
    const { remotePort, localPort } = request.socket;
    const isInSession = sessionOfPeer({ remotePort, localPort }) !== undefined;
    await listenerFor(who, isInSession)(request, response);
  }

  /** A request is complete in itself, so each has its own server with what its token may do. */
  function listenerFor({ role, actor }: Identity, isInSession: boolean) {
    const may = (needed: Role) => roles.indexOf(role) >= roles.indexOf(needed);
    const handler = createMcpHandler(() =>
      createSessionServer({
        ...place,
        rondo: parts.client(actor),
        mayPrompt: may('prompter'),
        mayAnswer: place.mayAnswer && may('approver') && !isInSession,
        mayApprove: place.mayApprove && may('approver') && !isInSession,
      }),
    );
    return getRequestListener((request) => handler.fetch(request), { overrideGlobalObjects: false });
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  await listening(server, parts.port, host);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}${path}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function refuse(response: ServerResponse, error: ClientError): void {
  const problem = problemBody(error);
  response.writeHead(problem.status, {
    'content-type': 'application/problem+json',
    ...(problem.status === 401 && { 'www-authenticate': 'Bearer' }),
  });
  response.end(JSON.stringify(problem));
}
