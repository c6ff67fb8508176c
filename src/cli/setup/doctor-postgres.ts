/** The server checks of `rondo doctor` for a store at `postgres://`. */
import { Fault } from '../../kernel/fault.ts';
import type { ServerExamined } from '../../journal/postgres/examine-server.ts';
import { sizeText } from '../../wording/size.ts';
import type { Finding } from './doctor-finding.ts';

const fewConnections = 20;
const mostNamed = 3;

/** Findings about the server, and whether its store can be opened. */
export async function checkServer(
  url: string,
): Promise<{ readonly findings: readonly Finding[]; readonly isUsable: boolean }> {
  const { examineServer } = await import('../../journal/postgres/examine-server.ts');
  let server: ServerExamined;
  try {
    server = await examineServer(url);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { findings: [{ what: 'store', health: 'broken', found: error.message }], isUsable: false };
  }
  const isUsable = server.isNewEnough && !server.isStandby && server.hasStore && server.lacking.length === 0;
  return { findings: [storeOf(server), durabilityOf(server), connectionsOf(server)], isUsable };
}

function storeOf(server: ServerExamined): Finding {
  const { safeAddress, version, isNewEnough, isStandby, hasStore, lacking, bytes } = server;
  const what = 'store';
  const found = `${safeAddress}, PostgreSQL ${version}`;
  if (!isNewEnough) return { what, health: 'broken', found, advice: 'Rondo needs PostgreSQL 14 or newer' };
  if (isStandby)
    return { what, health: 'broken', found: `${found}, a standby`, advice: 'name the primary server' };
  if (lacking.length > 0) {
    const named = lacking.slice(0, mostNamed).join(', ');
    const more = lacking.length > mostNamed ? ` and ${lacking.length - mostNamed} more` : '';
    const advice = 'grant them as docs/guides/postgres.md shows';
    return { what, health: 'broken', found: `${found}; this user lacks ${named}${more}`, advice };
  }
  if (!hasStore) return { what, health: 'good', found: `${found}; the first session creates the store` };
  return { what, health: 'good', found: `${found}, ${sizeText(bytes)}` };
}

function durabilityOf({ hasFsync, synchronousCommit, standbys }: ServerExamined): Finding {
  const what = 'durability';
  if (!hasFsync) {
    const advice = 'set fsync = on: a power cut can destroy the whole database';
    return { what, health: 'broken', found: 'fsync is off', advice };
  }
  const isRaised = synchronousCommit === 'off' || synchronousCommit === 'local';
  const commit = isRaised
    ? `synchronous_commit is ${synchronousCommit}; Rondo's own commits set it to on`
    : `synchronous_commit is ${synchronousCommit}`;
  if (standbys === '') {
    const advice =
      'if this server has standbys, set synchronous_standby_names: without it a promotion can lose the newest commits';
    return { what, health: 'good', found: `${commit}; no synchronous standby`, advice };
  }
  return { what, health: 'good', found: `${commit}; synchronous standbys: ${standbys}` };
}

function connectionsOf({ freeConnections, isNotified, isEncrypted }: ServerExamined): Finding {
  const what = 'connections';
  const wake = isNotified
    ? 'notifications arrive'
    : 'notifications do not arrive, probably because of a transaction pooler: Rondo polls each second';
  const tls = isEncrypted === undefined ? '' : isEncrypted ? ', encrypted' : ', not encrypted';
  const found = `${freeConnections} free${tls}; ${wake}`;
  if (freeConnections >= fewConnections) return { what, health: 'good', found };
  return {
    what,
    health: 'missing',
    found,
    advice: 'raise max_connections, or put a pooler in front of the server',
  };
}
