import type { z } from 'zod';

import { optional } from '../../kernel/optional.ts';
import { usageQuery } from '../../protocol/http-schema.ts';
import { usageReportOf } from '../../views/usage-report.ts';
import { everyEvent } from '../every-session.ts';
import { routeAnswer, ok, type Route } from '../route.ts';
import { createUsageReports } from '../usage-report.ts';
import type { RouteParts } from './route-parts.ts';

export function usageRoutes({ backend, operations }: RouteParts): readonly Route[] {
  const reports = createUsageReports(backend);
  return [
    {
      method: 'GET',
      path: '/usage',
      operation: 'getUsage',
      summary: 'Get usage by session, agent, model or day, or of one session turn by turn',
      role: 'viewer',
      query: usageQuery,
      async handle({ query }) {
        const { session, by = 'agent', since, project, time = false } = query as z.infer<typeof usageQuery>;
        if (session === undefined)
          return ok({ by, ...(await reports.by(by, { withTime: time, ...optional({ since, project }) })) });
        return routeAnswer(await operations.find(session), async (live) => {
          return ok({ session: live.id, ...usageReportOf(live.id, await everyEvent(live)) });
        });
      },
    },
  ];
}
