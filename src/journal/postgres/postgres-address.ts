/**
 * `postgres://user:password@host:port/database?schema=rondo&sslmode=verify-full&sslrootcert=ca.pem`. Missing parts
 * come from PostgreSQL's own environment variables, such as PGPASSWORD.
 */
import { readFileSync } from 'node:fs';

import { Fault } from '../../kernel/fault.ts';
import { optional } from '../../kernel/optional.ts';
import { withoutPassword } from '../store-address.ts';

export interface PostgresPlace {
  /** For the client, without our own parameters. */
  readonly connectionString: string;
  readonly schema: string;
  /** Without the password, for people. */
  readonly safeAddress: string;
  /** The most connections that this process opens, besides one that renews the lease and one that listens. */
  readonly connections: number;
  /** Seconds. Chosen when the store is created; absent: as it is. */
  readonly lease?: number;
  /** Don't try whether the server's notifications arrive. */
  readonly wake?: 'poll';
  readonly ssl?: {
    readonly rejectUnauthorized: boolean;
    readonly ca?: string;
    readonly checkServerIdentity?: () => undefined;
  };
}

const defaultConnections = 8;
/** An owner stops its effects 5 seconds before its lease ends. */
const leastLease = 8;

export function postgresPlace(address: string): PostgresPlace {
  const safeAddress = withoutPassword(address);
  const url = URL.canParse(address) ? new URL(address) : invalid(safeAddress, 'it is not an address');
  const schema = url.searchParams.get('schema') ?? 'rondo';
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema) || schema.startsWith('pg_')) {
    invalid(safeAddress, `"${schema}" cannot name a schema; use lower-case letters, digits and underscores`);
  }
  const connections = Number(url.searchParams.get('connections') ?? defaultConnections);
  if (!Number.isInteger(connections) || connections < 1)
    invalid(safeAddress, 'connections must be a number from 1');
  const lease = url.searchParams.get('lease');
  if (lease !== null && !(Number.isInteger(Number(lease)) && Number(lease) >= leastLease && Number(lease) <= 3600))
    invalid(safeAddress, `lease must be a number of seconds from ${leastLease} to 3600`);
  const wake = url.searchParams.get('wake');
  if (wake !== null && wake !== 'poll') invalid(safeAddress, 'wake can only be "poll"');
  const ssl = sslOf(url, safeAddress);
  for (const name of ['schema', 'connections', 'lease', 'wake', 'sslmode', 'sslrootcert'])
    url.searchParams.delete(name);
  return {
    connectionString: url.href,
    schema,
    safeAddress,
    connections,
    ...(lease !== null && { lease: Number(lease) }),
    ...(wake === 'poll' && { wake }),
    ...optional({ ssl }),
  };
}

/** As PostgreSQL's own clients understand `sslmode`: only `verify-ca` and `verify-full` check the certificate. */
function sslOf({ searchParams }: URL, safeAddress: string): PostgresPlace['ssl'] {
  const mode = searchParams.get('sslmode') ?? process.env['PGSSLMODE'] ?? 'prefer';
  const file = searchParams.get('sslrootcert') ?? process.env['PGSSLROOTCERT'];
  const ca = file === undefined || file === null ? {} : { ca: certificateIn(file, safeAddress) };
  switch (mode) {
    case 'disable':
    case 'allow':
    case 'prefer':
      return undefined;
    case 'require':
      return { rejectUnauthorized: false, ...ca };
    case 'verify-ca':
      return { rejectUnauthorized: true, checkServerIdentity: () => undefined, ...ca };
    case 'verify-full':
      return { rejectUnauthorized: true, ...ca };
    default:
      return invalid(safeAddress, `sslmode "${mode}" is unknown; use disable, require, verify-ca or verify-full`);
  }
}

function certificateIn(file: string, safeAddress: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Fault('not-found', `Can't open ${safeAddress}: the certificate ${file} cannot be read.`, {
      cause: error,
    });
  }
}

function invalid(safeAddress: string, why: string): never {
  throw new Fault('not-found', `Can't open ${safeAddress}: ${why}.`);
}
