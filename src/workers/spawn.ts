/** Creates a worker: checks permission, depth and name. */
import type { WorkerRow } from '../ports/job-queue.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { WorkerParts } from './worker-parts.ts';
import { setupWithin } from './worker-permissions.ts';
import type { WorkerOptions } from './worker.ts';
import { optional } from '../kernel/optional.ts';

type SpawnAnswer =
  | { readonly type: 'enrolled'; readonly worker: WorkerRow }
  | {
      readonly type: 'refused';
      readonly code: 'forbidden' | 'name-taken' | 'unknown-agent' | 'invalid';
      readonly message: string;
      readonly by?: WorkerRow['id'];
    };

export async function enrolNew(parts: WorkerParts, name: string, options: WorkerOptions): Promise<SpawnAnswer> {
  const { queue, ids, clock, sessions } = parts;
  const { kind = 'persistent', parent, maySpawn = false, agent, model, permissions, ...rest } = options;
  const place = parent === undefined ? { depth: 0 } : await placeUnder(parts, parent);
  if ('message' in place) return { type: 'refused', code: 'forbidden', message: place.message };
  if (agent !== undefined && !(await sessions.hasAgent(agent, rest.cwd))) {
    return {
      type: 'refused',
      code: 'unknown-agent',
      message: `Unknown agent ${agent} for worker ${name}; \`rondo agents\` lists them.`,
    };
  }
  const within = permissions === undefined ? rest : setupWithin(permissions, rest);
  if (typeof within === 'string') {
    return { type: 'refused', code: 'invalid', message: `The permissions of worker ${name}: ${within}.` };
  }
  const whenRestricted = permissions?.whenRestricted;
  const limits = parent !== undefined && kind !== 'system' ? { steps: childSteps, ...rest.limits } : rest.limits;
  const answer = await queue.enrol({
    id: ids.worker(),
    name,
    kind,
    ...optional({ agent, model, parent }),
    depth: place.depth,
    maySpawn,
    createdAt: clock.now(),
    setup: {
      ...rest,
      ...within,
      ...optional({ limits, whenRestricted }),
    },
  });
  if (answer.type === 'enrolled') return answer;
  const message = `The name ${name} is taken by worker ${answer.by}; choose another or use that one.`;
  return { type: 'refused', code: 'name-taken', message, by: answer.by };
}

const childSteps = 100;

/** A worker may only have workers with permission, and up to the depth limit. */
async function placeUnder(
  { queue, settings }: WorkerParts,
  parent: SessionId,
): Promise<{ readonly depth: number } | { readonly message: string }> {
  const [above] = await queue.workers({ session: parent });
  if (above === undefined) return { depth: 1 };
  if (!above.maySpawn)
    return {
      message: `Worker ${above.name} can't have workers. Do the work in it, or set maySpawn.`,
    };
  const depth = above.depth + 1;
  if (depth > settings.maxDepth) {
    return {
      message: `Worker ${above.name} is ${above.depth} deep, and workers may be ${settings.maxDepth} deep; do the work in it.`,
    };
  }
  return { depth };
}
