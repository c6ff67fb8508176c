/** Defaults for each part that a program doesn't provide. Loaded on first use. */
import { parseStoreAddress } from '../journal/store-address.ts';
import type { Store } from '../ports/store.ts';
import { Fault } from '../kernel/fault.ts';
import type { SessionId } from '../kernel/ids.ts';
import { managedPrefix } from '../kernel/policy/permission.ts';
import type { Approver, Capabilities } from '../runtime/capabilities.ts';
import type { Clock } from '../ports/clock.ts';
import type { Tool } from '../ports/tool.ts';
import type { killMarked } from '../processes/kill-tree.ts';
import { agentTable, withNeeds, type AgentSource } from './agents/agent-source.ts';
import type { FoundModels } from './models/found-models.ts';
import { openStore } from './open-store.ts';
import type { RondoOptions } from './rondo-options.ts';
import { allows, fixedTools, lazyTools, type SessionTools } from './tools/session-tools.ts';

/** Opens `sqlite:PATH`, `postgres://…`, `nats://…` or `memory:`, or returns a given store unchanged. `await using` closes it. */
export async function storeFrom(given: string | Store): Promise<Store> {
  if (typeof given !== 'string') return given;
  const address = parseStoreAddress(given);
  if (typeof address === 'string') throw new Fault('not-found', `Can't open the store: ${address}.`);
  return openStore(address);
}

export async function agentsFrom({ agents, tools }: RondoOptions, clock: Clock): Promise<AgentSource> {
  const needing =
    tools === undefined || 'offered' in tools ? [] : tools.filter((tool) => tool.needs !== undefined);
  const source = await agentSource(agents, clock);
  return needing.length === 0 ? source : withToolNeeds(source, needing);
}

async function agentSource(agents: RondoOptions['agents'], clock: Clock): Promise<AgentSource> {
  if (agents === undefined) {
    const { defaultAgents } = await import('./agents/configured-agents.ts');
    return defaultAgents({ home: '', now: () => clock.now() });
  }
  return isAgentSource(agents) ? agents : agentTable(agents);
}

/** A session also needs what the program's tools need that its agent may use. */
function withToolNeeds(source: AgentSource, tools: readonly Tool[]): AgentSource {
  return {
    ...source,
    async get(name) {
      const agent = await source.get(name);
      if (agent === undefined) return undefined;
      const used = tools.filter((tool) => allows(agent.tools, tool.name));
      return withNeeds(
        agent,
        used.flatMap(({ needs = [] }) => needs),
      );
    },
    ...(source.in !== undefined && {
      in: async (cwd) => withToolNeeds((await source.in?.(cwd)) ?? source, tools),
    }),
  };
}

function isAgentSource(agents: NonNullable<RondoOptions['agents']>): agents is AgentSource {
  return typeof agents['defaultAgent'] === 'string';
}

export function modelsFrom({ models }: RondoOptions, clock: Clock): Capabilities['models']['resolve'] {
  if (typeof models === 'function') return models;
  if (models === undefined) return findOnMachine(clock);
  const names = Object.keys(models);
  return ({ name, model = names[0] }) => {
    if (model === undefined) return `Agent ${name} has no model: pass one to createRondo under \`models\`.`;
    return models[model] ?? `Agent ${name} needs the model ${model}; available: ${names.join(', ')}.`;
  };
}

function findOnMachine(clock: Clock): Capabilities['models']['resolve'] {
  let lookup: Promise<FoundModels> | undefined;
  const load = async () => {
    const [{ findModels }, { collectSecrets }] = await Promise.all([
      import('./models/found-models.ts'),
      import('../security/secrets/secrets.ts'),
    ]);
    return findModels({ env: process.env, clock, secrets: collectSecrets(process.env) });
  };
  return async (agent) => (await (lookup ??= load())).resolve(agent);
}

export function toolsFrom({ tools, agents }: RondoOptions, clock: Clock): SessionTools {
  if (tools !== undefined) return 'offered' in tools ? tools : fixedTools(tools);
  if (agents !== undefined) return fixedTools([]);
  return lazyTools(async () => {
    const { createBuiltInTools } = await import('./tools/built-in-tools.ts');
    return createBuiltInTools({ env: process.env, clock });
  });
}

/**
 * Processes that earlier owners left running carry the session and the owner's epoch in their environment. Throws if
 * one can't be ended: nothing is settled as interrupted that still runs (O4).
 */
export async function killMarkedProcesses(
  session: SessionId,
  { below }: { readonly below: number },
  kill?: typeof killMarked,
): Promise<void> {
  const end = kill ?? (await import('../processes/kill-tree.ts')).killMarked;
  const left = (await end({ session, below })).filter(({ gone }) => !gone);
  if (left.length === 0) return;
  const pids = left.map(({ pid }) => pid).join(', ');
  throw new Fault(
    'busy',
    `Session ${session}: can't end process ${pids}, which its last owner started. End it, then open the session again.`,
  );
}

/** Only a person may approve what the managed policy asks about. */
export const approveAll: Approver = async ({ about }) => {
  if (about.type === 'clarification' || about.type === 'form') return undefined;
  const isManaged = about.type === 'approval' && about.rule.startsWith(managedPrefix);
  return isManaged ? undefined : { type: 'allow-once' };
};
