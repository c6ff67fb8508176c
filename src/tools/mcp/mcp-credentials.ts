/**
 * What Rondo knows of an MCP server's login, by the server's address: another address is another server and gets
 * nothing of it.
 */
import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';

import { optional } from '../../kernel/optional.ts';

export interface McpLogin {
  readonly client?: StoredOAuthClientInformation;
  /** Where the browser is sent after the login, as the client was registered with it. */
  readonly redirectUrl?: string;
  readonly tokens?: StoredOAuthTokens;
  /** The server refused Rondo: a person must log in. `scope`: rights it wants in addition. */
  readonly wanted?: { readonly scope?: string };
}

export interface McpCredentials {
  get(url: string): Promise<McpLogin | undefined>;
  /** Undefined forgets the login. */
  update(url: string, change: (login: McpLogin) => McpLogin | undefined): Promise<void>;
}

/** The login with new tokens: nothing is wanted any more. */
export function withTokens({ client, redirectUrl }: McpLogin, tokens: StoredOAuthTokens): McpLogin {
  return { ...optional({ client, redirectUrl }), tokens };
}

/** One spelling per server. Credentials in an address aren't part of it. */
export function loginAddress(url: string): string {
  const address = new URL(url);
  address.hash = '';
  address.username = '';
  address.password = '';
  return address.href;
}
