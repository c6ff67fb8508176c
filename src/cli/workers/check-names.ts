import { listAgents } from '../../agents/resolve-agent.ts';
import { nearestName } from '../../kernel/nearest-name.ts';
import { usageError } from '../usage-error.ts';
import type { Workspace } from '../workspace.ts';

/** `where` names what refers to the agent. */
export function checkAgent({ config }: Pick<Workspace, 'config'>, agent: string, where = ''): void {
  const names = [...listAgents(config).map(({ name }) => name), 'testing'];
  if (names.includes(agent)) return;
  const near = nearestName(agent, names);
  const hint = near === undefined ? '`rondo agents` lists them' : `did you mean "${near}"?`;
  throw usageError(`${where}unknown agent "${agent}"; ${hint}`);
}

export async function checkModel({ models }: Pick<Workspace, 'models'>, model: string): Promise<void> {
  const problem = (await models()).problemWith(model);
  if (problem !== undefined) throw usageError(problem);
}
