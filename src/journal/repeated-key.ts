import type { AppendAnswer, KeptKey } from '../ports/journal.ts';

/** The first record of an append whose key already exists, in the journal or earlier in the same append. */
export function findRepeatedKey(
  records: readonly {
    readonly first: number;
    readonly key: string | undefined;
    readonly digest: string | undefined;
  }[],
  kept: (key: string) => KeptKey | undefined,
): Extract<AppendAnswer, { type: 'duplicate' | 'key-reused' }> | undefined {
  const fresh = new Map<string, KeptKey>();
  for (const [index, { first, key, digest = '' }] of records.entries()) {
    if (key === undefined) continue;
    const earlier = kept(key) ?? fresh.get(key);
    if (earlier !== undefined) {
      return { type: earlier.digest === digest ? 'duplicate' : 'key-reused', index, seq: earlier.seq };
    }
    fresh.set(key, { digest, seq: first });
  }
  return undefined;
}
