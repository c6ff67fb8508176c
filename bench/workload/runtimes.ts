import path from 'node:path';

import { folderOf, isTurnPeer, turnPeers, type TurnPeerName } from '../peers/turn-peers.ts';
import { createFloorRuntime } from './floor-runtime.ts';
import { createRondoRuntime } from './rondo-runtime.ts';
import type { TurnRuntime } from './turn-runtime.ts';
import type { TurnWork } from './turn-work.ts';

const ownTitles = {
  'floor-memory': 'floor, in memory',
  'rondo-memory': 'Rondo, in memory',
  'rondo-memory-unfollowed': 'Rondo, in memory, no follower',
  'floor-step': 'floor, durable: SQLite FULL, one commit per step',
  'floor-group': 'floor, durable: SQLite FULL, group commit',
  'rondo-sqlite': 'Rondo, SQLite',
  'rondo-sqlite-unfollowed': 'Rondo, SQLite, no follower',
  'floor-postgres': 'floor, durable: PostgreSQL, one statement per step',
  'rondo-postgres': 'Rondo, PostgreSQL',
  'floor-nats': 'floor, durable: JetStream, one message per step and its entry',
  'rondo-nats': 'Rondo, NATS',
} as const;

export type RuntimeName = keyof typeof ownTitles | TurnPeerName;

export function titleOf(name: RuntimeName): string {
  return isTurnPeer(name) ? turnPeers[name].title : ownTitles[name];
}

/** Opened in a separate empty folder. `address`: the server, for runtimes on PostgreSQL. */
export async function openRuntime(
  name: RuntimeName,
  folder: string,
  work: TurnWork,
  address = '',
): Promise<TurnRuntime> {
  const sqlite = `sqlite:${path.join(folder, 'rondo.db')}`;
  switch (name) {
    case 'floor-memory':
      return createFloorRuntime({ keeps: 'nothing' }, work);
    case 'floor-step':
      return createFloorRuntime({ keeps: 'each-step', file: path.join(folder, 'floor.db') }, work);
    case 'floor-group':
      return createFloorRuntime({ keeps: 'groups', file: path.join(folder, 'floor.db') }, work);
    case 'rondo-memory':
      return createRondoRuntime({ store: 'memory:', isFollowed: true }, work);
    case 'rondo-memory-unfollowed':
      return createRondoRuntime({ store: 'memory:', isFollowed: false }, work);
    case 'rondo-sqlite':
      return createRondoRuntime({ store: sqlite, isFollowed: true }, work);
    case 'rondo-sqlite-unfollowed':
      return createRondoRuntime({ store: sqlite, isFollowed: false }, work);
    case 'floor-postgres': {
      const { openPostgresKeeper } = await import('../stores/postgres-keeper.ts');
      return createFloorRuntime({ keeps: 'elsewhere', keeper: await openPostgresKeeper(address) }, work);
    }
    case 'floor-nats': {
      const { openNatsKeeper } = await import('../stores/nats-keeper.ts');
      return createFloorRuntime({ keeps: 'elsewhere', keeper: await openNatsKeeper(address) }, work);
    }
    case 'rondo-postgres':
    case 'rondo-nats':
      return createRondoRuntime({ store: address, isFollowed: true }, work);
    default:
      return openPeer(name, folder, work, address);
  }
}

async function openPeer(
  name: TurnPeerName,
  folder: string,
  work: TurnWork,
  address: string,
): Promise<TurnRuntime> {
  const packages = folderOf(name);
  switch (name) {
    case 'pi-agent':
      return (await import('../peers/pi-peer.ts')).createPiAgentRuntime(packages, work);
    case 'pi-sqlite':
      return (await import('../peers/pi-peer.ts')).createPiSqliteRuntime(packages, work, folder);
    case 'openai-agents':
      return (await import('../peers/openai-agents-peer.ts')).createOpenaiAgentsRuntime(packages, work);
    case 'ai-sdk':
      return (await import('../peers/ai-sdk-peer.ts')).createAiSdkRuntime(packages, work);
    case 'mastra':
      return (await import('../peers/mastra-peer.ts')).createMastraRuntime(packages, work, undefined);
    case 'mastra-libsql':
      return (await import('../peers/mastra-peer.ts')).createMastraRuntime(packages, work, folder);
    case 'langgraph':
      return (await import('../peers/langgraph-peer.ts')).createLangGraphRuntime(packages, work, undefined);
    case 'langgraph-postgres':
      return (await import('../peers/langgraph-peer.ts')).createLangGraphRuntime(packages, work, address);
    case 'dbos-postgres':
      return (await import('../peers/dbos-peer.ts')).createDbosRuntime(packages, work, address);
    case 'langgraph-sqlite':
      return (await import('../peers/langgraph-peer.ts')).createLangGraphRuntime(packages, work, folder);
  }
}
