import { Fault, type FaultCode } from '../../kernel/fault.ts';

/** How to handle an error of the servers, their client or the network. */
type NatsTrouble =
  /** It may or may not have been carried out; try again. */
  | { readonly type: 'away' }
  /** Somebody else wrote first. */
  | { readonly type: 'conflict' }
  | { readonly type: 'final'; readonly code: FaultCode; readonly advice: string };

export function natsTroubleOf(error: unknown): NatsTrouble | undefined {
  if (error instanceof Fault || !(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'number' ? error.code : 0;
  const text = `${error.name} ${error.message}`;
  return kinds.find(({ codes, test }) => codes.includes(code) || test?.test(text))?.trouble;
}

export function natsFault(trouble: NatsTrouble, doing: string, safeAddress: string, error: unknown): Fault {
  const [code, advice] =
    trouble.type === 'final'
      ? ([trouble.code, trouble.advice] as const)
      : ([
          'network',
          'the servers cannot be reached, have no leader, or JetStream is off. Nothing was acknowledged.',
        ] as const);
  const detail = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
  return new Fault(code, `${doing} in ${safeAddress} failed: ${advice} Detail: ${detail}.`, { cause: error });
}

const final = (code: FaultCode, advice: string): NatsTrouble => ({ type: 'final', code, advice });

const kinds: readonly {
  readonly codes: readonly number[];
  readonly test?: RegExp;
  readonly trouble: NatsTrouble;
}[] = [
  { codes: [10_071], trouble: { type: 'conflict' } },
  {
    codes: [10_002, 10_023, 10_027, 10_028, 10_047, 10_077, 10_122],
    trouble: final('disk-full', 'the servers are out of space, or a limit is reached. Nothing of it was written.'),
  },
  {
    codes: [10_074],
    trouble: final(
      'not-found',
      'there are fewer servers than replicas. Start more, or lower replicas in the address.',
    ),
  },
  {
    codes: [],
    test: /Authorization|Authentication|Permission/i,
    trouble: final('read-only', 'the server refused the user. Check user, password, credentials and permissions.'),
  },
  { codes: [], test: /ENOTFOUND/, trouble: final('not-found', 'the host is unknown. Check its name.') },
  {
    codes: [],
    test: /self.signed|certificate|tls/i,
    trouble: final('network', 'the encrypted connection failed. Check tls and tlsca.'),
  },
  // No leader at the moment, a server that starts or stops, an answer that got lost.
  {
    // 10005: too few servers so far. 10014: a consumer went with its server. 10164, 10158: a write of that subject isn't applied yet.
    codes: [503, 408, 10_005, 10_014, 10_164, 10_158, 10_039, 10_076, 10_008, 10_009, 10_003, 10_004],
    test: /JetStreamNotEnabled|Timeout|NoResponders|no responders|Connection|Draining|ECONN|disconnect|JetStreamStatus|RequestError/i,
    trouble: { type: 'away' },
  },
];
