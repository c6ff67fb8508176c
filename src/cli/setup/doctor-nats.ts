/** The server checks of `rondo doctor` for a store at `nats://`. */
import { Fault } from '../../kernel/fault.ts';
import type { NatsExamined } from '../../journal/nats/examine-servers.ts';
import { sizeText } from '../../wording/size.ts';
import type { Finding } from './doctor-finding.ts';

const mostNamed = 3;

/** Findings about the servers, and whether their store can be opened. */
export async function checkNats(
  url: string,
): Promise<{ readonly findings: readonly Finding[]; readonly isUsable: boolean }> {
  const { examineServers } = await import('../../journal/nats/examine-servers.ts');
  let examined: NatsExamined;
  try {
    examined = await examineServers(url);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { findings: [{ what: 'store', health: 'broken', found: error.message }], isUsable: false };
  }
  return {
    findings: [storeOf(examined), replicasOf(examined), durabilityOf(examined)],
    isUsable: examined.hasStore,
  };
}

function storeOf({
  safeAddress,
  version,
  hasStore,
  streams,
  bytes,
  mostBytes,
  isEncrypted,
}: NatsExamined): Finding {
  const what = 'store';
  const found = `${safeAddress}, NATS ${version}, ${isEncrypted ? 'encrypted' : 'not encrypted'}`;
  if (!hasStore) return { what, health: 'good', found: `${found}; the first session creates the store` };
  const limit = mostBytes > 0 ? ` of ${sizeText(mostBytes)}` : '';
  return { what, health: 'good', found: `${found}; ${streams} streams of sessions, ${sizeText(bytes)}${limit}` };
}

function replicasOf({ replicas, isClustered, lagging, version, canKeepReplicas }: NatsExamined): Finding {
  const what = 'replicas';
  if (replicas > 1 && !canKeepReplicas) {
    const found = `${replicas} of each stream, which NATS ${version} can't keep equal`;
    return { what, health: 'broken', found, advice: 'use NATS 2.10.23 or newer' };
  }
  if (lagging.length > 0) {
    const more = lagging.length > mostNamed ? ` and ${lagging.length - mostNamed} more` : '';
    const found = `${replicas} of each stream; behind: ${lagging.slice(0, mostNamed).join(', ')}${more}`;
    return { what, health: 'missing', found, advice: 'check that all servers run and reach each other' };
  }
  const found = `${replicas} of each stream, ${isClustered ? 'a cluster' : 'one server'}`;
  if (replicas >= 3) return { what, health: 'good', found };
  const advice = 'for production run three servers and create the store with ?replicas=3';
  return { what, health: 'missing', found, advice };
}

function durabilityOf({ version, isForDevelopment, isSynced }: NatsExamined): Finding {
  const what = 'durability';
  if (isForDevelopment) {
    const found = `NATS ${version} survives a killed server, but not a power cut`;
    return { what, health: 'missing', found, advice: 'for production use NATS 2.10.23 or newer' };
  }
  if (isSynced) return { what, health: 'good', found: 'the address says sync=always' };
  const advice = 'set sync_interval: always in the servers’ configuration, and sync=always in the address';
  return { what, health: 'missing', found: 'whether the servers sync every write is unknown', advice };
}
