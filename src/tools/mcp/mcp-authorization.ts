/**
 * The bearer token for requests to an MCP server.
 *
 * 1. A refused token is refreshed once. If that fails, only a person can help: `needsLogin` is set, and nothing is
 *    retried until `rondo mcp login` has stored other tokens.
 * 2. Configured headers are for the server. They never reach the authorization server.
 * 3. Nothing is registered and no browser is opened here.
 */
import {
  checkResourceAllowed,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  refreshAuthorization,
  resourceUrlFromServerUrl,
  type AuthProvider,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';

import { optional } from '../../kernel/optional.ts';
import { fetchNamedBy } from '../define/guarded-fetch.ts';
import { loginAddress, withTokens, type McpCredentials, type McpLogin } from './mcp-credentials.ts';
import type { McpHttpConfig } from './server-config.ts';

export interface McpAuthorization {
  readonly provider: AuthProvider;
  /** Why a person must log in. Undefined if nothing was refused. */
  needsLogin(): string | undefined;
  /** The server wants more rights than the login has. */
  lacksScope(scope: string | undefined): Promise<void>;
}

export function createMcpAuthorization(config: McpHttpConfig, credentials: McpCredentials): McpAuthorization {
  const url = loginAddress(config.url);
  let sent: string | undefined;
  let refreshing: Promise<boolean> | undefined;
  let problem: string | undefined;

  const refused = async (why: string, scope: string | undefined): Promise<Error> => {
    problem = why;
    await credentials.update(url, ({ client, redirectUrl }) => ({
      ...optional({ client, redirectUrl }),
      wanted: optional({ scope }),
    }));
    return new Error(why);
  };

  const refresh = async (response: Response): Promise<boolean> => {
    const login = await credentials.get(url);
    if (login?.tokens === undefined) return false;
    // Another process has logged in or refreshed since.
    if (login.tokens.access_token !== sent) return true;
    const { resourceMetadataUrl } = extractWWWAuthenticateParams(response);
    const tokens = await refreshed(config, login, resourceMetadataUrl).catch(() => undefined);
    if (tokens === undefined) return (await credentials.get(url))?.tokens?.access_token !== sent;
    await credentials.update(url, (before) => withTokens(before, tokens));
    return true;
  };

  return {
    provider: {
      async token() {
        sent = (await credentials.get(url))?.tokens?.access_token;
        return sent;
      },
      async onUnauthorized({ response }) {
        refreshing ??= refresh(response).finally(() => (refreshing = undefined));
        if (await refreshing) return;
        const challenge = extractWWWAuthenticateParams(response);
        const hasOwnKey = sent === undefined && Object.keys(config.headers ?? {}).length > 0;
        if (hasOwnKey && response.headers.get('www-authenticate') === null)
          throw new Error('it rejected the configured headers (HTTP 401)');
        throw await refused('it needs you to log in', challenge.scope);
      },
    },
    needsLogin: () => problem,
    lacksScope: async (scope) =>
      void (await refused(`your login lacks rights that it needs (${scope ?? 'unnamed'})`, scope)),
  };
}

const refreshMs = 30_000;

/** Undefined if the server doesn't accept the refresh token, or names another authorization server than before. */
async function refreshed(
  { url, oauth }: McpHttpConfig,
  login: McpLogin,
  resourceMetadataUrl: URL | undefined,
): Promise<StoredOAuthTokens | undefined> {
  const { tokens } = login;
  const client = configuredClient(oauth, tokens?.issuer) ?? login.client;
  if (tokens?.refresh_token === undefined || client === undefined) return undefined;
  const fetchFn = await fetchNamedBy(url, AbortSignal.timeout(refreshMs));
  const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = await discoverOAuthServerInfo(
    url,
    { fetchFn, ...optional({ resourceMetadataUrl }) },
  );
  const issuer = authorizationServerMetadata?.issuer;
  if (tokens.issuer !== undefined && issuer !== tokens.issuer) return undefined;
  const resource = resourceMetadata === undefined ? undefined : new URL(resourceMetadata.resource);
  const isForUs =
    resource === undefined ||
    checkResourceAllowed({ requestedResource: resourceUrlFromServerUrl(url), configuredResource: resource });
  if (!isForUs) return undefined;
  const fresh = await refreshAuthorization(authorizationServerUrl, {
    ...optional({ metadata: authorizationServerMetadata, resource }),
    clientInformation: client,
    refreshToken: tokens.refresh_token,
    fetchFn,
  });
  // A server that doesn't rotate its refresh token leaves it out.
  return { refresh_token: tokens.refresh_token, ...fresh, ...optional({ issuer }) };
}

export function configuredClient(oauth: McpHttpConfig['oauth'], issuer: string | undefined) {
  if (oauth?.clientId === undefined) return undefined;
  return { client_id: oauth.clientId, ...optional({ client_secret: oauth.clientSecret, issuer }) };
}
