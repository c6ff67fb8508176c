/**
 * Logs a person in to an MCP server with OAuth: discovery, registration unless a client id is configured, PKCE, and a
 * redirect to a loopback address.
 *
 * 1. The person opens the address. Rondo opens nothing.
 * 2. A callback counts only with this login's `state`. Others are refused, and the login continues.
 * 3. The server names the addresses of the login. One on the internet can't name this machine or its network.
 * 4. Of an error only its code is shown: the rest is a stranger's text.
 */
import { randomBytes } from 'node:crypto';

import {
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client';

import { optional } from '../../kernel/optional.ts';
import { messageOf } from '../define/tool-failure.ts';
import { fetchNamedBy } from '../define/guarded-fetch.ts';
import { listenForCallback, type Callback } from './login-callback.ts';
import { configuredClient } from './mcp-authorization.ts';
import { loginAddress, withTokens, type McpCredentials } from './mcp-credentials.ts';
import type { McpHttpConfig } from './server-config.ts';

export type McpLoginOutcome =
  | { readonly type: 'logged-in' }
  | { readonly type: 'not-needed' }
  | { readonly type: 'failed'; readonly message: string };

export interface McpLoginParts {
  readonly config: McpHttpConfig;
  readonly credentials: McpCredentials;
  /** Shows the person where to log in. `paste` accepts the address that their browser was sent to. */
  show(login: { readonly address: URL; paste(address: string): boolean }): void;
  readonly signal: AbortSignal;
}

export async function logInToMcpServer(parts: McpLoginParts): Promise<McpLoginOutcome> {
  try {
    return await logIn(parts);
  } catch (error) {
    return { type: 'failed', message: parts.signal.aborted ? 'It was stopped.' : messageOf(error) };
  }
}

async function logIn({ config, credentials, show, signal }: McpLoginParts): Promise<McpLoginOutcome> {
  const challenge = await askedFor(config, signal);
  if (challenge === undefined) return { type: 'not-needed' };
  const url = loginAddress(config.url);
  const before = await credentials.get(url);
  const state = randomBytes(24).toString('base64url');
  const port = before?.redirectUrl === undefined ? undefined : Number(new URL(before.redirectUrl).port);
  await using callback = await listenForCallback(state, config.oauth?.callbackPort ?? port ?? 0, signal);
  const scope = computeScopeUnion(config.oauth?.scopes?.join(' '), challenge.scope, before?.wanted?.scope);
  const asked = {
    serverUrl: config.url,
    ...optional({ scope, resourceMetadataUrl: challenge.resourceMetadataUrl }),
    fetchFn: await fetchNamedBy(config.url, signal),
  };
  const page = Promise.withResolvers<URL>();
  const provider = loginProvider(config, credentials, { callback, state, onAddress: page.resolve });
  const first = await auth(provider, { ...asked, forceReauthorization: true });
  if (first === 'AUTHORIZED') return { type: 'logged-in' };
  const address = await page.promise;
  if (address.protocol !== 'https:' && !isLoopback(address))
    return { type: 'failed', message: `Its login page isn't protected: ${address.origin} doesn't use HTTPS.` };
  show({ address, paste: callback.paste });
  const { code, iss, error } = await callback.received;
  if (code === undefined) return { type: 'failed', message: `The login was refused: ${error ?? 'no code'}.` };
  const result = await auth(provider, { ...asked, authorizationCode: code, ...optional({ iss }) });
  return result === 'AUTHORIZED'
    ? { type: 'logged-in' }
    : { type: 'failed', message: 'The server gave no token for the login.' };
}

/** What the server answers to a caller without a token. Undefined if it accepts one. */
async function askedFor({ url, headers }: McpHttpConfig, signal: AbortSignal) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    redirect: 'manual',
    signal,
  });
  await response.body?.cancel();
  return response.status === 401 || response.status === 403 ? extractWWWAuthenticateParams(response) : undefined;
}

interface LoginPlace {
  readonly callback: Callback;
  readonly state: string;
  readonly onAddress: (address: URL) => void;
}

function loginProvider(
  { url, oauth }: McpHttpConfig,
  credentials: McpCredentials,
  { callback, state, onAddress }: LoginPlace,
): OAuthClientProvider {
  const address = loginAddress(url);
  const { redirectUrl } = callback;
  let verifier = '';
  let discovered: OAuthDiscoveryState | undefined;
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'Rondo',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: oauth?.clientSecret === undefined ? 'none' : 'client_secret_post',
    },
    state: () => state,
    async clientInformation(place) {
      const login = await credentials.get(address);
      // A registered client belongs to its redirect address.
      return (
        configuredClient(oauth, place?.issuer) ?? (login?.redirectUrl === redirectUrl ? login.client : undefined)
      );
    },
    saveClientInformation: (client) => credentials.update(address, (login) => ({ ...login, client, redirectUrl })),
    tokens: async () => (await credentials.get(address))?.tokens,
    saveTokens: (tokens) => credentials.update(address, (login) => withTokens(login, tokens)),
    redirectToAuthorization: onAddress,
    saveCodeVerifier: (value) => void (verifier = value),
    codeVerifier: () => verifier,
    saveDiscoveryState: (discovery) => void (discovered = discovery),
    discoveryState: () => discovered,
    invalidateCredentials: (scope) =>
      credentials.update(address, ({ client, tokens, ...login }) => ({
        ...login,
        ...(scope === 'all' || scope === 'client' ? {} : optional({ client })),
        ...(scope === 'all' || scope === 'tokens' ? {} : optional({ tokens })),
      })),
  };
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
}
