/**
 * Other runtimes that do the standard turn, with `--peers`. Exact versions, so that two runs measure the same; npm
 * installs each into a separate folder (see install-peer.ts). None is a dependency of ours.
 *
 * Each uses its documented set-up: its own kind of streaming model, one tool, and, if it stores conversations,
 * the store it ships, in its default configuration unless the title says otherwise.
 */
import { installPeer, peerFolder, type PeerPackages } from '../harness/install-peer.ts';
import { isFailure } from '../harness/run-child.ts';

interface TurnPeer {
  readonly title: string;
  /** `server`: on PostgreSQL, compared where our own store is. */
  readonly keeps: 'nothing' | 'durable' | 'server';
  readonly installed: keyof typeof installations;
}

const installations = {
  'pi-agent-core': {
    packages: [
      '@earendil-works/pi-agent-core@0.87.1',
      '@earendil-works/pi-ai@0.87.1',
      '@earendil-works/pi-session-backend-sqlite-node@0.87.1',
    ],
  },
  'openai-agents': { packages: ['@openai/agents@0.20.0', 'zod@4.6.7'] },
  'ai-sdk': { packages: ['ai@7.0.169', 'zod@4.6.7'] },
  langgraph: {
    packages: [
      '@langchain/core@1.2.13',
      '@langchain/langgraph@1.4.18',
      '@langchain/langgraph-checkpoint-postgres@1.0.5',
      '@langchain/langgraph-checkpoint-sqlite@1.0.4',
      'zod@4.6.7',
    ],
    overrides: {
      // The requested version is compiled on install; this one is prebuilt.
      'better-sqlite3': '13.0.3',
      // Newer ones need versions of @langchain/core and @langchain/protocol that the registry doesn't have; npm then
      // searches without end.
      '@langchain/langgraph-sdk': '1.12.4',
    },
  },
  dbos: { packages: ['@dbos-inc/dbos-sdk@5.3.0'] },
  mastra: {
    packages: ['@mastra/core@1.71.0', '@mastra/libsql@1.23.1', '@mastra/memory@1.31.0', 'zod@4.6.7'],
  },
} as const satisfies Readonly<Record<string, PeerPackages>>;

export const turnPeers = {
  'pi-agent': { title: 'pi-agent-core 0.87 Agent, in memory', keeps: 'nothing', installed: 'pi-agent-core' },
  'openai-agents': {
    title: '@openai/agents 0.20, MemorySession',
    keeps: 'nothing',
    installed: 'openai-agents',
  },
  'ai-sdk': { title: 'ai 7.0 streamText, in memory', keeps: 'nothing', installed: 'ai-sdk' },
  mastra: { title: 'Mastra 1.71 Agent, in memory', keeps: 'nothing', installed: 'mastra' },
  langgraph: { title: 'LangGraph 1.4, no checkpointer', keeps: 'nothing', installed: 'langgraph' },
  'langgraph-sqlite': {
    title: 'LangGraph 1.4, SqliteSaver (FULL)',
    keeps: 'durable',
    installed: 'langgraph',
  },
  'langgraph-postgres': { title: 'LangGraph 1.4, PostgresSaver', keeps: 'server', installed: 'langgraph' },
  'dbos-postgres': { title: 'DBOS 5.3, a workflow with three steps', keeps: 'server', installed: 'dbos' },
  'pi-sqlite': { title: 'pi AgentHarness 0.87, SQLite', keeps: 'durable', installed: 'pi-agent-core' },
  'mastra-libsql': { title: 'Mastra 1.71, LibSQL, whole thread', keeps: 'durable', installed: 'mastra' },
} as const satisfies Readonly<Record<string, TurnPeer>>;

export type TurnPeerName = keyof typeof turnPeers;

export function isTurnPeer(name: string): name is TurnPeerName {
  return Object.hasOwn(turnPeers, name);
}

/** Location of a peer's packages, once `preparePeers` has installed them. */
export function folderOf(name: TurnPeerName): string {
  return peerFolder(turnPeers[name].installed);
}

/** Installs missing peers. Returns those that can run, and why others can't. */
export async function preparePeers(
  names: readonly TurnPeerName[],
): Promise<{ readonly ready: readonly TurnPeerName[]; readonly remarks: readonly string[] }> {
  const failed = new Map<string, string>();
  for (const name of new Set(names.map((one) => turnPeers[one].installed))) {
    const installed = await installPeer(name, { ...installations[name], isInstalledAsPacked: true });
    if (isFailure(installed)) failed.set(name, installed.failure);
  }
  return {
    ready: names.filter((name) => !failed.has(turnPeers[name].installed)),
    remarks: [...failed].map(([name, failure]) => `${name} is left out: ${failure}`),
  };
}
