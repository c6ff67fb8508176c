/** Agents, models and tools available in a folder. */
import type { z } from 'zod';

import { folderQuery } from '../../protocol/http-schema.ts';
import type { Catalog } from '../backend.ts';
import { folderOf } from '../folder-of.ts';
import { answered, notThere, ok, type Route } from '../route.ts';
import type { RouteParts } from './route-parts.ts';

export function catalogRoutes(parts: RouteParts): readonly Route[] {
  const { catalog } = parts;
  const listing = (name: 'agents' | 'models' | 'tools', summary: string, list: Catalog['agents']): Route => ({
    method: 'GET',
    path: `/${name}`,
    summary: `${summary}: in the folder that is served, or in a session's`,
    role: 'viewer',
    query: folderQuery,
    async handle({ query }) {
      if (list === undefined) return notThere(`/${name}`);
      const { session } = query as z.infer<typeof folderQuery>;
      return answered(await folderOf(parts, session), async (cwd) => ok({ [name]: await list(cwd) }));
    },
  });
  return [
    listing('agents', 'Agents there are (`testing` is taken by name and never listed)', catalog.agents),
    listing('models', 'Models that can be used', catalog.models),
    listing('tools', 'Tools there are', catalog.tools),
  ];
}
