import { thisMachine } from '../../assembly/sessions/this-machine.ts';
import { machineLabel } from '../../kernel/agent.ts';
import path from 'node:path';

import type { Config } from '../../agents/config-schema.ts';
import { addressProblem, isLoopback } from '../../server/nodes/node-address.ts';
import { numberFrom } from '../number-option.ts';
import { commonOptions, parseOptions, storeOptions } from '../option-table.ts';
import { usageError } from '../usage-error.ts';
import { readTlsFiles } from './tls-files.ts';
import { isLabel } from '../../kernel/agent.ts';
import { optional } from '../../kernel/optional.ts';

export const serveOptions = {
  port: { type: 'string', value: 'N', help: 'port (default: RONDO_PORT, then the configuration, then 4747)' },
  host: {
    type: 'string',
    value: 'HOST',
    help: 'address to listen on (default: as configured, else 127.0.0.1)',
  },
  'tls-cert': { type: 'string', value: 'FILE', help: 'serve HTTPS with this certificate' },
  'tls-key': { type: 'string', value: 'FILE', help: 'private key for --tls-cert' },
  insecure: { type: 'boolean', help: 'listen on the network without TLS (only behind a TLS proxy)' },
  'allowed-host': {
    type: 'string',
    value: 'NAME',
    multiple: true,
    help: 'another host name of this server; repeatable',
  },
  origin: {
    type: 'string',
    value: 'ORIGIN',
    multiple: true,
    help: 'another origin whose pages may connect; repeatable',
  },
  node: { type: 'string', value: 'NAME', help: "name among the servers on this store (default: the host's name)" },
  advertise: { type: 'string', value: 'URL', help: 'address at which other nodes reach this one' },
  labels: { type: 'string', value: 'A,B', help: 'what this node offers, such as gpu,eu' },
  webhook: { type: 'string', value: 'URL', help: 'URL to POST to when a question opens' },
  drain: {
    type: 'string',
    value: 'SECONDS',
    help: 'max time to hand running turns over on shutdown (default: 25)',
  },
  verbose: { type: 'boolean', help: 'log info messages too, not only warnings and errors' },
  ...storeOptions,
  ...commonOptions,
} as const;

interface ServeSettings {
  readonly cwd: string;
  readonly store?: string;
  readonly webhook?: string;
  readonly drainMs: number;
  readonly isVerbose: boolean;
  /** Fills unset options from the configuration. */
  listenOn(config: Config): Promise<Listening>;
  /** How this server appears among the nodes of its store. */
  asNode(config: Config): NodeSettings;
  readonly isInsecure: boolean;
}

interface Listening {
  readonly host: string;
  readonly port: number;
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly allowedHosts: readonly string[];
  readonly origins: readonly string[];
  readonly maxMemory?: number;
}

interface NodeSettings {
  readonly name?: string;
  readonly address?: string;
  readonly labels: readonly string[];
}

export function parseServeOptions(argv: readonly string[]): ServeSettings {
  const { values } = parseOptions(serveOptions, argv, { most: 0 });
  const cert = values['tls-cert'];
  const key = values['tls-key'];
  if ((cert === undefined) !== (key === undefined))
    throw usageError('--tls-cert and --tls-key must be used together');
  const { webhook } = values;
  if (webhook !== undefined && !/^https?:\/\//.test(webhook)) {
    throw usageError(`--webhook must be an http or https URL, not "${webhook}"`);
  }
  return {
    cwd: path.resolve(values.cwd ?? '.'),
    ...optional({ store: values.store, webhook }),
    drainMs: 1000 * (numberFrom('drain', values.drain, 'any') ?? 25),
    isVerbose: values.verbose ?? false,
    isInsecure: values.insecure ?? false,
    asNode: ({ server }) => nodeFrom(values, server ?? {}),
    async listenOn({ server }) {
      const host = values.host ?? server?.host ?? '127.0.0.1';
      const port = portFrom(values.port) ?? server?.port ?? 4747;
      if (cert === undefined && values.insecure !== true && !isLoopback(host)) {
        throw usageError(
          `${host} is reachable from the network: pass --tls-cert and --tls-key, or --insecure behind a TLS proxy`,
        );
      }
      return {
        host,
        port,
        ...(cert !== undefined && key !== undefined && { tls: await readTlsFiles({ cert, key }) }),
        allowedHosts: [
          ...(values['allowed-host'] ?? []),
          ...[values.advertise ?? server?.advertise, server?.publicUrl].flatMap(hostIn),
        ],
        origins: [...(server?.origins ?? []), ...(values.origin ?? []), ...originsIn(server?.publicUrl)],
        ...(server?.maxMemoryMB !== undefined && { maxMemory: server.maxMemoryMB * 1024 * 1024 }),
      };
    },
  };
}

function portFrom(option: string | undefined): number | undefined {
  const fromEnvironment = process.env['RONDO_PORT'];
  const given = option ?? (fromEnvironment === '' ? undefined : fromEnvironment);
  const port = numberFrom(option === undefined ? 'port (RONDO_PORT)' : 'port', given);
  if (port !== undefined && port > 65_535) throw usageError(`invalid port ${port}; the highest port is 65535`);
  return port;
}

function nodeFrom(
  { node, advertise, labels, insecure }: NodeValues,
  server: NonNullable<Config['server']>,
): NodeSettings {
  const name = node ?? server.node;
  if (name !== undefined && !/^[\w.-]{1,100}$/.test(name))
    throw usageError(`invalid node name "${name}"; use letters, digits, dots, hyphens and underscores`);
  const address = advertise ?? server.advertise;
  const problem = address === undefined ? undefined : addressProblem(address, { isInsecure: insecure ?? false });
  if (problem !== undefined) throw usageError(`--advertise: ${problem}`);
  const wanted = labels?.split(',').map((label) => label.trim()) ?? server.labels ?? [];
  const bad = wanted.find((label) => !isLabel(label));
  if (bad !== undefined) throw usageError(`invalid label "${bad}"; use letters, digits and . = / - _`);
  return {
    ...optional({ name }),
    ...(address !== undefined && { address: new URL(address).origin }),
    labels: [...new Set([...wanted, machineLabel(thisMachine())])].toSorted(),
  };
}

type NodeValues = { readonly [Name in 'node' | 'advertise' | 'labels']?: string | undefined } & {
  readonly insecure?: boolean | undefined;
};

/** Other nodes and the load balancer ask for this name. */
function hostIn(address: string | undefined): readonly string[] {
  const url = address === undefined ? null : URL.parse(address);
  return url === null ? [] : [url.host];
}

function originsIn(address: string | undefined): readonly string[] {
  const url = address === undefined ? null : URL.parse(address);
  return url === null ? [] : [url.origin];
}
