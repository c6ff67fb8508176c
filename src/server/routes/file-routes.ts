/** File names for completion: only inside the session's folder, without files that git ignores. */
import type { z } from 'zod';

import { filesQuery } from '../../protocol/http-schema.ts';
import { folderOf } from '../folder-of.ts';
import { routeAnswer, notThere, ok, type Route } from '../route.ts';
import type { RouteParts } from './route-parts.ts';

export function fileRoutes(parts: RouteParts): readonly Route[] {
  const { files } = parts.catalog;
  return [
    {
      method: 'GET',
      path: '/files',
      operation: 'findFiles',
      summary: 'Find files that match a text, best first',
      role: 'prompter',
      query: filesQuery,
      async handle({ query }) {
        const { q, session, limit = 20 } = query as z.infer<typeof filesQuery>;
        if (files === undefined) return notThere('/files');
        return routeAnswer(await folderOf(parts, session), async (cwd) =>
          ok({ files: await files({ cwd, q, limit }) }),
        );
      },
    },
  ];
}
