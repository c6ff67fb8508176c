/** Agents, models, tools, commands and skills available in a folder. */
import type { z } from 'zod';

import { folderQuery } from '../../protocol/http-schema.ts';
import type { Catalog } from '../backend.ts';
import { folderOf } from '../folder-of.ts';
import { answered, notThere, ok, type Route } from '../route.ts';
import type { RouteParts } from './route-parts.ts';

const operations = {
  agents: 'listAgents',
  models: 'listModels',
  tools: 'listTools',
  commands: 'listCommands',
  skills: 'listSkills',
} as const;

export function catalogRoutes(parts: RouteParts): readonly Route[] {
  const { catalog } = parts;
  const listing = (name: keyof typeof operations, summary: string, list: Catalog['agents']): Route => ({
    method: 'GET',
    path: `/${name}`,
    operation: operations[name],
    summary: `${summary}, for the server folder or a session's folder`,
    role: 'viewer',
    query: folderQuery,
    async handle({ query }) {
      if (list === undefined) return notThere(`/${name}`);
      const { session } = query as z.infer<typeof folderQuery>;
      return answered(await folderOf(parts, session), async (cwd) => ok({ [name]: await list(cwd) }));
    },
  });
  return [
    listing('agents', 'List agents (`testing` works by name and is never listed)', catalog.agents),
    listing('models', 'List available models', catalog.models),
    listing('tools', 'List tools', catalog.tools),
    listing('commands', 'List commands from files', catalog.commands),
    listing('skills', 'List skills', catalog.skills),
  ];
}
