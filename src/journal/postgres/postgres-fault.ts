import { Fault, type FaultCode } from '../../kernel/fault.ts';

/** How to handle an error of the server, its client or the network. */
type Trouble =
  /** The statement may or may not have been carried out; try again. */
  | { readonly type: 'away'; readonly advice: string }
  /** The statement was not carried out; try again. */
  | { readonly type: 'refused'; readonly advice: string }
  | { readonly type: 'final'; readonly code: FaultCode; readonly advice: string };

export function troubleOf(error: unknown): Trouble | undefined {
  if (error instanceof Fault || !(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const kind = kinds.find(({ test }) => test.test(code) || (code === '' && test.test(error.message)));
  return kind?.trouble ?? (code === '' ? undefined : { type: 'final', code: 'internal', advice: unexpected });
}

export function postgresFault(trouble: Trouble, doing: string, address: string, error: unknown): Fault {
  const code = trouble.type === 'final' ? trouble.code : 'network';
  const detail = error instanceof Error ? detailOf(error) : String(error);
  return new Fault(code, `${doing} in ${address} failed: ${trouble.advice} Detail: ${detail}.`, { cause: error });
}

function detailOf(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  // A host with two addresses fails twice, with an empty message.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  const { message } = first instanceof Error ? first : error;
  return `${message.replace(/\.$/, '')}${code}`;
}

const unexpected = 'the server refused unexpectedly. Nothing of it was acknowledged.';

const away = {
  type: 'away',
  advice: 'the server cannot be reached. Nothing was acknowledged; check that it runs and that the network is up.',
} as const;

const final = (code: FaultCode, advice: string): Trouble => ({ type: 'final', code, advice });

const kinds: readonly { readonly test: RegExp; readonly trouble: Trouble }[] = [
  {
    test: /^53300$/,
    trouble: {
      type: 'refused',
      advice: 'the server has no free connection. Close other clients, raise max_connections, or use a pooler.',
    },
  },
  {
    test: /^(40P01|40001|55P03)$/,
    trouble: { type: 'refused', advice: 'other transactions were in the way. Try again.' },
  },
  {
    test: /^25006$/,
    trouble: {
      type: 'refused',
      advice: 'the server is a standby and may not be written. Name the primary server.',
    },
  },
  {
    test: /^57P03$/,
    trouble: { type: 'refused', advice: 'the server is starting or stopping. Try again in a moment.' },
  },
  {
    test: /^(57P0[125]|08\w{3}|E(CONN|HOST|NET|PIPE|TIMEDOUT|AI_AGAIN)\w*|.*(terminated|timeout|closed|not queryable).*)$/i,
    trouble: away,
  },
  {
    test: /^57014$/,
    trouble: final(
      'busy',
      'the server cancelled it, probably for its statement_timeout. Nothing of it was written.',
    ),
  },
  {
    test: /^(53100|53200|53000|54\w{3})$/,
    trouble: final(
      'disk-full',
      'the server is out of space or memory. Nothing of it was written; free some and try again.',
    ),
  },
  {
    test: /^(28P01|28000)$/,
    trouble: final('read-only', 'the server refused the user or the password. Check both, or set PGPASSWORD.'),
  },
  { test: /^55000$/, trouble: final('conflict', 'the store was moved. Open the one that it was copied to.') },
  { test: /^3D000$/, trouble: final('not-found', 'the database does not exist. Create it, or name another.') },
  { test: /^ENOTFOUND$/, trouble: final('not-found', 'the host is unknown. Check its name.') },
  {
    test: /^42501$/,
    trouble: final(
      'read-only',
      'this user lacks privileges. Run `rondo doctor --store …`, which lists the ones it needs.',
    ),
  },
  {
    test: /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|CERT_|ERR_TLS|.*does not support SSL.*)/,
    trouble: final('network', 'the encrypted connection failed. Check sslmode and sslrootcert in the address.'),
  },
  {
    test: /^(XX001|XX002|58\w{3})$/,
    trouble: final('damaged', 'the server reports damaged or missing files. Stop writing to it and check it.'),
  },
];
