/** Streams sessions from the store as the lines of a bundle. */
import type { BlobHash, SessionId } from '../../kernel/ids.ts';
import { Fault } from '../../kernel/fault.ts';
import { optional } from '../../kernel/optional.ts';
import { decodeRecord } from '../codec.ts';
import { blobsNamedIn } from '../references.ts';
import { rondoVersion } from '../rondo-version.ts';
import type { Store } from '../../ports/store.ts';
import type { KeyedRecord } from '../../ports/upkeep.ts';
import {
  bundleFormat,
  createChain,
  type BundleLine,
  type BundleRecord,
  type BundleSession,
} from './bundle-line.ts';
import { createRedaction, type Redaction } from './redact-record.ts';

export interface BundlePlan {
  /** The main session first. */
  readonly sessions: readonly BundleSession[];
  readonly leftOut: readonly SessionId[];
  readonly at: number;
  /** Redacts secrets. Without it, text is exported as it is. */
  readonly redact?: (text: string) => string;
}

const recordsAtOnce = 200;

export async function* bundleLines(
  store: Pick<Store, 'upkeep' | 'blobs'>,
  plan: BundlePlan,
): AsyncGenerator<string> {
  const link = createChain();
  const line = (value: BundleLine) => {
    const json = JSON.stringify(value);
    return `${link(json)} ${json}\n`;
  };
  const [main] = plan.sessions;
  if (main === undefined) return;
  const { session, head } = main;
  yield line({ type: 'bundle', format: bundleFormat, rondo: rondoVersion(), session, head, at: plan.at });
  const redaction = plan.redact === undefined ? undefined : createRedaction(plan.redact, store.blobs);
  const written = new Set<BlobHash>();
  const missing = new Set<BlobHash>();
  let records = 0;
  for (const one of plan.sessions) {
    yield line(one);
    for await (const stored of soundRecords(store, one)) {
      const record = await bundled(stored, redaction);
      for (const named of blobsNamedIn(record.body)) {
        if (written.has(named) || missing.has(named)) continue;
        const content = redaction?.blob(named) ?? (await store.blobs.get(named));
        if (content === undefined) missing.add(named);
        else {
          written.add(named);
          yield line({ type: 'blob', hash: named, content });
        }
      }
      redaction?.forgetBlobs();
      records += 1;
      yield line(record);
    }
  }
  const { leftOut } = plan;
  yield line({
    type: 'end',
    records,
    blobs: written.size,
    redacted: redaction?.count() ?? 0,
    missing: [...missing],
    leftOut,
  });
}

/** A session's records up to its head. A damaged record ends the export, because later ones can't be trusted. */
async function* soundRecords(
  { upkeep }: Pick<Store, 'upkeep'>,
  { session, head }: BundleSession,
): AsyncGenerator<KeyedRecord> {
  let after = 0;
  while (after < head) {
    const page = await upkeep.records(session, { after, limit: recordsAtOnce });
    for (const record of page) {
      if (record.first > head) return;
      if (record.first !== after + 1) throw damaged(session, after + 1, 'it is missing');
      const decoded = decodeRecord(record);
      if (decoded.type === 'damaged') throw damaged(session, record.first, decoded.reason);
      after = record.last;
      yield record;
    }
    if (page.length === 0) throw damaged(session, after + 1, 'it is missing');
  }
}

async function bundled(
  { session, first, last, body, key }: KeyedRecord,
  redaction: Redaction | undefined,
): Promise<BundleRecord> {
  const record = { type: 'record', session, first, last, body, ...optional({ key }) } as const;
  return redaction === undefined ? record : redaction.record(record);
}

function damaged(session: SessionId, seq: number, reason: string): Fault {
  return new Fault(
    'damaged',
    `Can't export session ${session}: its record at ${seq} cannot be used: ${reason}. ` +
      'Nothing was changed; `rondo doctor --repair` sets what is damaged aside, then export it again.',
  );
}
