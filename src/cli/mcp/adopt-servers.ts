import os from 'node:os';

import {
  adoptServers,
  agentsWithServers,
  dropServers,
  findServersOf,
  type AgentWithServers,
} from '../../agents/adopted-servers.ts';
import { findProject } from '../../agents/project.ts';
import { visibleLine } from '../../views/visible-text.ts';
import { agrees } from '../agrees.ts';
import { homeFolder } from '../home.ts';
import { usageError } from '../usage-error.ts';

/** Shows the servers that another agent is configured with, and uses them from then on. */
export async function adopt(
  name: string | undefined,
  cwd: string,
  { isAgreed, isRemoving }: { readonly isAgreed: boolean; readonly isRemoving: boolean },
): Promise<number> {
  const agent = agentsWithServers.find((one): one is AgentWithServers => one === name);
  if (agent === undefined) throw usageError(`Name one of ${agentsWithServers.join(', ')}.`);
  const home = homeFolder();
  if (isRemoving) {
    const isDone = await dropServers(home, agent);
    console.log(isDone ? `Rondo no longer uses the MCP servers of ${agent}.` : `They weren't used.`);
    return 0;
  }
  const sources = await findServersOf(agent, process.env['HOME'] ?? os.homedir(), await findProject(cwd, home));
  if (sources.length === 0) {
    console.error(`rondo mcp: ${agent} has no MCP servers configured for all projects or for this one.`);
    return 1;
  }
  for (const { file, project, servers } of sources) {
    console.error(`${file} has for ${project === undefined ? 'all projects' : `${visibleLine(project)} only`}:`);
    for (const [server, entry] of Object.entries(servers))
      console.error(`  ${visibleLine(server)}: ${visibleLine(reachedBy(entry))}`);
  }
  if (!isAgreed && !(process.stdin.isTTY && process.stderr.isTTY)) {
    console.error('rondo mcp: no terminal to ask in. Pass --yes to use them.');
    return 3;
  }
  if (!isAgreed && !(await agrees('Use these servers?'))) {
    console.error('Not used.');
    return 1;
  }
  await adoptServers(home, sources);
  console.log(`Rondo uses the MCP servers of ${agent}. Stop with: rondo mcp adopt ${agent} --remove`);
  return 0;
}

function reachedBy({ url, command, args }: Readonly<Record<string, unknown>>): string {
  if (typeof url === 'string') return url;
  return [command, ...(Array.isArray(args) ? args : [])].join(' ');
}
