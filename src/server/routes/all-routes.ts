/** All routes of the HTTP API, one file per area. */
import type { Route } from '../route.ts';
import { accessRoutes } from './access-routes.ts';
import { agentRoutes } from './agent-routes.ts';
import { archiveRoutes } from './archive-routes.ts';
import { auditRoutes } from './audit-routes.ts';
import { branchRoutes } from './branch-routes.ts';
import { catalogRoutes } from './catalog-routes.ts';
import { fileRoutes } from './file-routes.ts';
import { jobRoutes } from './job-routes.ts';
import { nodeRoutes } from './node-routes.ts';
import { overviewRoutes } from './overview-routes.ts';
import { pushRoutes } from './push-routes.ts';
import { questionRoutes } from './question-routes.ts';
import { queueRoutes } from './queue-routes.ts';
import type { RouteParts } from './route-parts.ts';
import { ruleRoutes } from './rule-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { shareRoutes } from './share-routes.ts';
import { usageRoutes } from './usage-routes.ts';
import { worktreeRoutes } from './worktree-routes.ts';

const areas: readonly ((parts: RouteParts) => readonly Route[])[] = [
  accessRoutes,
  // Before the session routes, which would read `/sessions/import` as a session id.
  archiveRoutes,
  overviewRoutes,
  branchRoutes,
  worktreeRoutes,
  sessionRoutes,
  queueRoutes,
  agentRoutes,
  questionRoutes,
  jobRoutes,
  catalogRoutes,
  fileRoutes,
  ruleRoutes,
  usageRoutes,
  auditRoutes,
  shareRoutes,
  pushRoutes,
  nodeRoutes,
];

export function allRoutes(parts: RouteParts): readonly Route[] {
  return areas.flatMap((area) => area(parts));
}
