/**
 * Reads a bundle line by line and trusts nothing: it checks hashes, order, shape, sums and every event. The first
 * problem is the last item returned.
 */
import type { SessionId } from '../../kernel/ids.ts';
import { Fault } from '../../kernel/fault.ts';
import type { Recorded } from '../../kernel/event.ts';
import { fieldsOf, jsonIn } from '../../kernel/json-object.ts';
import { blobHashOf } from '../blob-hash.ts';
import { checksumOf } from '../checksum.ts';
import { decodeRecord, type DecodedRecord } from '../codec.ts';
import { type StoredRecord } from '../../ports/stored-record.ts';
import { loadEventCheck, type EventCheck } from '../event-schema/check-event.ts';
import {
  bundleFormat,
  createChain,
  hashLength,
  type BundleEnd,
  type BundleHead,
  type BundleLine,
  type BundleRecord,
  type BundleSession,
} from './bundle-line.ts';

export type BundleItem =
  | Exclude<BundleLine, BundleRecord>
  | (BundleRecord & { readonly events: readonly Recorded[] })
  | BundleProblem;

interface BundleProblem {
  readonly type: 'problem';
  /** The first problem. */
  readonly what: string;
}

/** `failure` starts messages: `Can't import talk.rondo`. Rejects a bundle from a newer Rondo. */
export async function* readBundle(chunks: AsyncIterable<string>, failure: string): AsyncGenerator<BundleItem> {
  const link = createChain();
  const check = createChecks(failure, await loadEventCheck());
  let number = 0;
  for await (const text of linesOf(chunks)) {
    number += 1;
    const json = text.line.slice(hashLength + 1);
    const value = parse(json);
    const name = nameOf(value) ?? `line ${number}`;
    const isLinked =
      text.isWhole && text.line.slice(0, hashLength) === link(json) && text.line[hashLength] === ' ';
    if (!isLinked && number === 1 && !text.line.includes('"type":"bundle"')) return yield noBundle;
    if (!text.isWhole) return yield problem(`${check.place()}: the bundle is cut off there`);
    if (!isLinked) return yield problem(`${name} does not match its integrity hash`);
    const item = value === undefined ? problem(`${name} isn't JSON`) : check.next(value, name);
    yield item;
    if (item.type === 'problem') return;
  }
  if (number === 0) yield noBundle;
  else if (!check.isEnded()) yield problem(`${check.place()}: the bundle is cut off there`);
}

const noBundle = problem("it isn't a Rondo bundle");

function createChecks(failure: string, checkEvent: EventCheck) {
  let head: BundleHead | undefined;
  let session: BundleSession | undefined;
  let end: BundleEnd | undefined;
  let reached = 0;
  let last: string | undefined;
  const counts = { records: 0, blobs: 0 };

  function next(line: BundleLine, name: string): BundleItem {
    if (end !== undefined) return problem(`${name} stands behind the end`);
    if (head === undefined && line.type !== 'bundle') return problem('its head is missing');
    switch (line.type) {
      case 'bundle':
        if (head !== undefined) return problem('it has two heads');
        if (line.format > bundleFormat) throw newerFormat(failure, line);
        head = line;
        return line;
      case 'session':
        if (session !== undefined && reached < session.head) return problem(short());
        session = line;
        reached = 0;
        return line;
      case 'blob':
        counts.blobs += 1;
        return blobHashOf(line.content) === line.hash ? line : problem(`${name} does not match its content`);
      case 'record':
        return record(line, name);
      case 'end':
        end = line;
        if (session !== undefined && reached < session.head) return problem(short());
        return line.records === counts.records && line.blobs === counts.blobs
          ? line
          : problem('its last line states other counts of records and blobs');
    }
  }

  function record(line: BundleRecord, name: string): BundleItem {
    if (line.session !== session?.session) return problem(`${name} stands with another session`);
    if (line.first !== reached + 1) return problem(`${name} follows event ${reached}`);
    const checksum = checksumOf(line.session, line.first, line.body);
    const decoded = decode({ ...line, checksum, writtenBy: () => head?.rondo });
    if (decoded.type === 'damaged') return problem(`${name} cannot be read: ${decoded.reason}`);
    for (const recorded of decoded.events) {
      const wrong = checkEvent(recorded);
      if (wrong !== undefined) return problem(`${name} cannot be taken: ${wrong}`);
    }
    reached = line.last;
    counts.records += 1;
    last = name;
    return { ...line, events: decoded.events };
  }

  function decode(stored: StoredRecord): DecodedRecord {
    try {
      return decodeRecord(stored);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      throw new Fault(error.code, `${failure}: ${error.message}`, { cause: error });
    }
  }

  const short = () => `session ${session?.session} ends at event ${reached} instead of ${session?.head}`;
  return {
    next,
    place: () => (last === undefined ? 'before its first record' : `behind ${last}`),
    isEnded: () => end !== undefined,
  };
}

/** Splits lines; the last one may be incomplete. Only `\n` ends a line, because JSON may contain the others. */
async function* linesOf(
  chunks: AsyncIterable<string>,
): AsyncGenerator<{ readonly line: string; readonly isWhole: boolean }> {
  let pieces: string[] = [];
  for await (const chunk of chunks) {
    const parts = chunk.split('\n');
    const rest = parts.pop() ?? '';
    for (const part of parts) {
      yield { line: [...pieces, part].join(''), isWhole: true };
      pieces = [];
    }
    if (rest !== '') pieces.push(rest);
  }
  if (pieces.length > 0) yield { line: pieces.join(''), isWhole: false };
}

function parse(json: string): BundleLine | undefined {
  const value = jsonIn(json);
  return isLine(value) ? value : undefined;
}

/** The shape that the checks rely on. The codec checks event content. */
function isLine(value: unknown): value is BundleLine {
  const line = fieldsOf(value);
  const isText = (...names: readonly string[]) => names.every((name) => typeof line[name] === 'string');
  const isCount = (...names: readonly string[]) => names.every((name) => Number.isSafeInteger(line[name]));
  switch (line['type']) {
    case 'bundle':
      return isText('rondo', 'session') && isCount('format', 'head', 'at');
    case 'session':
      return isText('session') && isCount('head') && ['main', 'child', 'shared'].includes(String(line['role']));
    case 'blob':
      return isText('hash', 'content');
    case 'record':
      return isText('session', 'body') && isCount('first', 'last') && isKey(line['key']);
    case 'end':
      return (
        isCount('records', 'blobs', 'redacted') && Array.isArray(line['missing']) && Array.isArray(line['leftOut'])
      );
    default:
      return false;
  }
}

function isKey(key: unknown): boolean {
  if (key === undefined) return true;
  const { key: name, digest } = fieldsOf(key);
  return typeof name === 'string' && typeof digest === 'string';
}

function nameOf(line: BundleLine | undefined): string | undefined {
  switch (line?.type) {
    case undefined:
      return undefined;
    case 'bundle':
      return 'its head';
    case 'session':
      return `the line about session ${line.session}`;
    case 'blob':
      return `blob ${line.hash}`;
    case 'record':
      return recordName(line.session, line);
    case 'end':
      return 'its end';
  }
}

function recordName(session: SessionId, { first, last }: Pick<BundleRecord, 'first' | 'last'>): string {
  return first === last
    ? `the record at ${first} of session ${session}`
    : `the record at ${first} to ${last} of session ${session}`;
}

function problem(what: string): BundleProblem {
  return { type: 'problem', what };
}

function newerFormat(doing: string, { format, rondo }: BundleHead): Fault {
  return new Fault(
    'unreadable',
    `${doing}: its format ${format} was written by Rondo ${rondo}, which is newer than this one. ` +
      'Nothing was changed; upgrade Rondo to import it.',
  );
}
