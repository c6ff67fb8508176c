import type { Config } from '../../agents/config-schema.ts';
import type { McpServersConfig } from '../../tools/mcp/server-config.ts';
import { optional } from '../../kernel/optional.ts';

/** Converts the configuration's validated entries to those of the MCP client. */
export function mcpServersFrom(entries: NonNullable<Config['mcpServers']>): McpServersConfig {
  return Object.fromEntries(
    Object.entries(entries).map(
      ([
        name,
        { type, command, args, env, cwd, url, headers, oauth, timeout, disabled, scope, hosts, folders, ...tools },
      ]) => {
        const { includeTools, excludeTools } = tools;
        const common = {
          ...optional({ timeout, disabled }),
          ...(includeTools !== undefined && { includeTools: [...includeTools] }),
          ...(excludeTools !== undefined && { excludeTools: [...excludeTools] }),
          shared: scope === 'shared',
        };
        if (url !== undefined)
          return [
            name,
            {
              url,
              ...(type === 'sse' && { type }),
              ...(headers !== undefined && { headers: { ...headers } }),
              ...(oauth !== undefined && {
                oauth: { ...oauth, ...(oauth.scopes !== undefined && { scopes: [...oauth.scopes] }) },
              }),
              ...common,
            },
          ];
        return [
          name,
          {
            command: command ?? '',
            ...(args !== undefined && { args: [...args] }),
            ...(env !== undefined && { env: { ...env } }),
            ...optional({ cwd }),
            ...(hosts !== undefined && { hosts: [...hosts] }),
            ...(folders !== undefined && { folders: [...folders] }),
            ...common,
          },
        ];
      },
    ),
  );
}
