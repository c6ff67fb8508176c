/**
 * Addresses of NATS stores: `nats://HOST:PORT[,HOST:PORT…]/NAME?…`. Beside the servers and the store's name:
 *
 * - `replicas`: how many servers keep each message (default: 1; three in production).
 * - `streams`: over how many streams sessions are spread (default: 64). Fixed when the store is created.
 * - `lease`: seconds after which the sessions of a process that is gone are taken over (default: 30), shared by all
 *   processes. Fixed when the store is created.
 * - `tls=true` encrypts; `tlsca` names a file with the authority's certificate.
 * - `creds` names a file with a user's credentials, `nkey` one with the seed of a key; user and password may also be in
 *   the address. A token comes from NATS_TOKEN, because as a user of the address it would be shown.
 * - `sync=always` says that the servers sync every write, which a client can't find out; `rondo doctor` then believes it.
 */
import { Fault } from '../../kernel/fault.ts';
import { optional } from '../../kernel/optional.ts';
import { withoutPassword } from '../store-address.ts';

export interface NatsPlace {
  readonly servers: readonly string[];
  /** The store's name, which starts the names of its streams and subjects. */
  readonly name: string;
  readonly replicas: number;
  readonly streams: number;
  /** In seconds; undefined: as the store has it. */
  readonly lease?: number;
  readonly user?: string;
  readonly password?: string;
  readonly token?: string;
  readonly creds?: string;
  readonly nkey?: string;
  readonly isEncrypted: boolean;
  readonly authority?: string;
  readonly isSynced: boolean;
  /** For people. */
  readonly shown: string;
}

const mostStreams = 1024;

export function natsPlace(address: string): NatsPlace {
  const safeAddress = withoutPassword(address);
  const match = /^nats:\/\/(?:([^:@/?]*)(?::([^@/?]*))?@)?([^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(address);
  if (match === null) throw invalid(safeAddress, 'write it as nats://HOST:PORT/NAME');
  const [, user, password, hosts = '', name = '', query = ''] = match;
  const options = new URLSearchParams(query);
  const unknown = [...options.keys()].find((key) => !names.includes(key));
  if (unknown !== undefined)
    throw invalid(safeAddress, `there is no option "${unknown}"; use ${names.join(', ')}`);
  if (name !== '' && !/^[\w-]{1,64}$/.test(name)) {
    throw invalid(safeAddress, 'the name of a store has letters, digits, - and _ only');
  }
  const number = (option: string, fallback: number, most: number) => {
    const value = Number(options.get(option) ?? fallback);
    if (Number.isInteger(value) && value >= 1 && value <= most) return value;
    throw invalid(safeAddress, `${option} is a number from 1 to ${most}`);
  };
  return {
    servers: hosts.split(','),
    name: name === '' ? 'rondo' : name,
    replicas: number('replicas', 1, 5),
    streams: number('streams', 64, mostStreams),
    isEncrypted: options.get('tls') === 'true' || options.has('tlsca'),
    isSynced: options.get('sync') === 'always',
    shown: safeAddress,
    ...optional({
      lease: options.has('lease') ? number('lease', 30, 300) : undefined,
      user: user === undefined ? undefined : decodeURIComponent(user),
      password: password === undefined ? process.env['NATS_PASSWORD'] : decodeURIComponent(password),
      token: user === undefined ? process.env['NATS_TOKEN'] : undefined,
      creds: options.get('creds') ?? undefined,
      nkey: options.get('nkey') ?? undefined,
      authority: options.get('tlsca') ?? undefined,
    }),
  };
}

const names = ['replicas', 'streams', 'lease', 'tls', 'tlsca', 'creds', 'nkey', 'sync'];

function invalid(safeAddress: string, problem: string): Fault {
  return new Fault('not-found', `Can't open ${safeAddress}: ${problem}.`);
}
