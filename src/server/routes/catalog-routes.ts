/** Agents, models, tools, commands, skills and resources available in a folder. */
import type { z } from 'zod';

import { folderQuery, keyBody } from '../../protocol/http-schema.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { Catalog } from '../backend.ts';
import { folderOf } from '../folder-of.ts';
import { failed } from '../outcome.ts';
import { routeAnswer, notThere, ok, param, type Route } from '../route.ts';
import type { RouteParts } from './route-parts.ts';

const operations = {
  agents: 'listAgents',
  models: 'listModels',
  tools: 'listTools',
  commands: 'listCommands',
  skills: 'listSkills',
  'mcp-servers': 'listMcpServers',
  resources: 'listResources',
} as const;

export function catalogRoutes(parts: RouteParts): readonly Route[] {
  const { catalog } = parts;
  const listing = (name: keyof typeof operations, summary: string, list: Catalog['commands']): Route => ({
    method: 'GET',
    path: `/${name}`,
    operation: operations[name],
    summary: `${summary}, for the server folder or a session's folder`,
    role: 'viewer',
    query: folderQuery,
    async handle({ query }) {
      if (list === undefined) return notThere(`/${name}`);
      const { session } = query as z.infer<typeof folderQuery>;
      return routeAnswer(await folderOf(parts, session), async (cwd) =>
        ok({ [name.replace('mcp-', '')]: await list(cwd, session as SessionId | undefined) }),
      );
    },
  });
  return [
    listing('agents', 'List agents (`testing` works by name and is never listed)', catalog.agents),
    listing('models', 'List available models', catalog.models),
    listing('tools', 'List tools', catalog.tools),
    listing('commands', 'List commands from files and prompts of MCP servers', catalog.commands),
    listing('resources', 'List resources of MCP servers', catalog.resources),
    listing('skills', 'List skills', catalog.skills),
    listing('mcp-servers', 'List MCP servers', catalog.mcpServers),
    {
      method: 'PUT',
      path: '/keys/:endpoint',
      operation: 'setKey',
      isForPeople: true,
      summary: "Store a provider's key; it can't be read back",
      role: 'owner',
      body: keyBody,
      status: 204,
      async handle(call) {
        if (catalog.setKey === undefined) return notThere('/keys');
        const endpoint = param(call, 'endpoint');
        if (!/^[a-z][a-z0-9-]{0,59}$/.test(endpoint))
          return failed('REFUSED', `Invalid provider name ${endpoint}.`);
        await catalog.setKey(endpoint, (call.body as z.infer<typeof keyBody>).key.trim());
        return { type: 'json', status: 204 };
      },
    },
  ];
}
