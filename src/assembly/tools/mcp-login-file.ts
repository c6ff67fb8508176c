/** Logins to MCP servers, in `$RONDO_HOME/mcp-logins.json`. The journal holds nothing of them. */
import path from 'node:path';

import { readPrivateJson, updatePrivateJson } from '../../agents/private-file.ts';
import { fieldsOf, isJsonObject } from '../../kernel/json-object.ts';
import type { McpCredentials, McpLogin } from '../../tools/mcp/mcp-credentials.ts';

export function createMcpLoginFile(home: string): McpCredentials {
  const file = fileIn(home);
  return {
    async get(url) {
      const logins = loginsIn(await readPrivateJson(file));
      return Object.hasOwn(logins, url) ? logins[url] : undefined;
    },
    update: (url, change) =>
      updatePrivateJson(file, (value) => {
        const { [url]: before = {}, ...others } = loginsIn(value);
        const after = change(before);
        return { version: 1, logins: after === undefined ? others : { ...others, [url]: after } };
      }),
  };
}

/** Tokens and client secrets, so that they can be removed from everything that is shown. */
export async function mcpLoginSecrets(home: string): Promise<readonly string[]> {
  const logins = Object.values(loginsIn(await readPrivateJson(fileIn(home))));
  return logins.flatMap(({ client, tokens }) => [
    ...[tokens?.access_token, tokens?.refresh_token].flatMap((one) => one ?? []),
    ...(client !== undefined && 'client_secret' in client ? [client.client_secret ?? []].flat() : []),
  ]);
}

function fileIn(home: string): string {
  return path.join(home, 'mcp-logins.json');
}

function loginsIn(value: unknown): Readonly<Record<string, McpLogin>> {
  return Object.fromEntries(
    Object.entries(fieldsOf(fieldsOf(value)['logins'])).filter((entry): entry is [string, McpLogin] =>
      isJsonObject(entry[1]),
    ),
  );
}
