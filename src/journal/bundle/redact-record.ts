/** Redacts secrets in records and in the blobs they name. A redacted blob gets the hash of its new content. */
import type { BlobRef } from '../../kernel/content.ts';
import type { BlobHash } from '../../kernel/ids.ts';
import { blobHashOf, isBlobHash } from '../blob-hash.ts';
import type { Blobs } from '../../ports/blobs.ts';
import { blobsNamedIn } from '../references.ts';
import type { BundleRecord } from './bundle-line.ts';

export interface Redaction {
  record(record: BundleRecord): Promise<BundleRecord>;
  /** The redacted content of a blob that the last record names; undefined if unchanged. */
  blob(hash: BlobHash): string | undefined;
  forgetBlobs(): void;
  /** The number of changed records and blobs. */
  count(): number;
}

const previewLength = 1024;

export function createRedaction(redact: (text: string) => string, blobs: Blobs): Redaction {
  /** What each blob became, by original hash, so that it is read once. */
  const refs = new Map<BlobHash, BlobRef | 'clean'>();
  const contents = new Map<BlobHash, string>();
  let count = 0;

  async function clean(value: unknown): Promise<unknown> {
    if (typeof value === 'string') return redact(value);
    if (Array.isArray(value)) return Promise.all(value.map(clean));
    if (typeof value !== 'object' || value === null) return value;
    if (isRef(value)) return cleanRef(value);
    const entries = Object.entries(value).map(async ([name, part]) => [name, await clean(part)] as const);
    return Object.fromEntries(await Promise.all(entries));
  }

  async function cleanRef(ref: BlobRef): Promise<BlobRef> {
    const state = refs.get(ref.blob);
    if (state !== undefined) return state === 'clean' ? ref : state;
    const content = await blobs.get(ref.blob);
    const visible = content === undefined ? undefined : redact(content);
    if (content === undefined || visible === undefined || visible === content) {
      refs.set(ref.blob, 'clean');
      return { ...ref, preview: redact(ref.preview) };
    }
    count += 1;
    const cleaned: BlobRef = {
      blob: blobHashOf(visible),
      length: visible.length,
      preview: visible.slice(0, previewLength),
    };
    refs.set(ref.blob, cleaned);
    contents.set(cleaned.blob, visible);
    return cleaned;
  }

  return {
    async record(record) {
      const { body, key } = record;
      // A secret would also show in the raw text, so most records needn't be parsed.
      const isClean = blobsNamedIn(body).length === 0 && redact(body) === body;
      const text = isClean ? body : JSON.stringify(await clean(JSON.parse(body)));
      const digest = key === undefined ? undefined : redact(key.digest);
      if (text === body && digest === key?.digest) return record;
      if (text !== body) count += 1;
      const kept = key === undefined || digest === undefined ? {} : { key: { key: key.key, digest } };
      return { ...record, body: text, ...kept };
    },
    blob: (hash) => contents.get(hash),
    forgetBlobs: () => contents.clear(),
    count: () => count,
  };
}

/** A tool's data may have the same fields; its texts are cleaned like any other. */
function isRef(value: object): value is BlobRef {
  const { blob, length, preview } = value as Readonly<Record<string, unknown>>;
  const hasHash = typeof blob === 'string' && isBlobHash(blob);
  return hasHash && typeof length === 'number' && typeof preview === 'string';
}
