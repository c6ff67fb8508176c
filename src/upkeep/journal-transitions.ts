/** A session's transitions for replay, from the store or a bundle. */
import { readBundle } from '../journal/bundle/read-bundle.ts';
import { decodeRecord } from '../journal/codec.ts';
import type { Store } from '../ports/store.ts';
import type { Recorded } from '../kernel/event.ts';
import { Fault } from '../kernel/fault.ts';
import type { BlobHash, SessionId } from '../kernel/ids.ts';

const recordsAtOnce = 500;

/** Throws a `Fault` at the first damaged record. */
export async function* storedTransitions(
  { upkeep }: Pick<Store, 'upkeep'>,
  session: SessionId,
): AsyncGenerator<readonly Recorded[]> {
  let after = 0;
  for (;;) {
    const page = await upkeep.records(session, { after, limit: recordsAtOnce });
    for (const record of page) {
      const decoded = decodeRecord(record);
      if (decoded.type === 'damaged' || record.first !== after + 1) {
        const reason =
          decoded.type === 'damaged' ? decoded.reason : `events ${after + 1} to ${record.first - 1} are missing`;
        throw new Fault(
          'damaged',
          `Can't read session ${session}: it is damaged at event ${after + 1}: ${reason}. \`rondo doctor --repair\` sets that aside.`,
        );
      }
      after = record.last;
      yield decoded.events;
    }
    if (page.length < recordsAtOnce) return;
  }
}

interface BundledTransitions {
  readonly session: SessionId;
  readonly transitions: readonly (readonly Recorded[])[];
  readonly blobs: ReadonlyMap<BlobHash, string>;
}

/** All transitions of a bundle's main session. Rejects a bundle with any problem. */
export async function bundledTransitions(
  chunks: AsyncIterable<string>,
  name: string,
): Promise<BundledTransitions> {
  let session: SessionId | undefined;
  const transitions: (readonly Recorded[])[] = [];
  const blobs = new Map<BlobHash, string>();
  for await (const item of readBundle(chunks, `Reading ${name}`)) {
    switch (item.type) {
      case 'bundle':
        session = item.session;
        break;
      case 'blob':
        blobs.set(item.hash, item.content);
        break;
      case 'record':
        if (item.session === session) transitions.push(item.events);
        break;
      case 'problem':
        throw new Fault('damaged', `Can't read ${name}: ${item.what}. Get the bundle again from its source.`);
      case 'session':
      case 'end':
        break;
    }
  }
  if (session === undefined)
    throw new Fault(
      'damaged',
      `Can't read ${name}: it holds no session. \`rondo export\` writes bundles that do.`,
    );
  return { session, transitions, blobs };
}
