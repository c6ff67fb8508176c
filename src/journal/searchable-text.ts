/** What search covers: titles, prompts and replies. Not tool output, which would match everything. */
import type { Body } from '../kernel/content.ts';
import type { Event, Recorded } from '../kernel/event.ts';
import { Fault } from '../kernel/fault.ts';
import type { Blobs } from '../ports/blobs.ts';
import { decodeRecord } from './codec.ts';
import { type StoredRecord } from '../ports/stored-record.ts';
import { wordsIn } from './directory.ts';

/** A record's searchable text, cut if very long. */
export async function searchableText(record: StoredRecord, blobs: Pick<Blobs, 'get'>): Promise<string> {
  // Most records have no searchable text, so they aren't decoded.
  if (!/"type":"(session-created|prompt-received|model-settled|agent-reported|worker-reported)"/.test(record.body))
    return '';
  const bodies = eventsOf(record).flatMap(({ event }) => saidIn(event) ?? []);
  const texts = await Promise.all(bodies.map((body) => wholeText(body, blobs)));
  return texts.filter(Boolean).join('\n');
}

const longest = 256 * 1024;

async function wholeText(body: Body, blobs: Pick<Blobs, 'get'>): Promise<string> {
  if (typeof body === 'string') return body;
  return ((await blobs.get(body.blob)) ?? body.preview).slice(0, longest);
}

/** An unreadable record has no text; opening the session reports the reason. */
function eventsOf(record: StoredRecord): readonly Recorded[] {
  try {
    const decoded = decodeRecord(record);
    return decoded.type === 'damaged' ? [] : decoded.events;
  } catch (error) {
    if (error instanceof Fault) return [];
    throw error;
  }
}

function saidIn(event: Event): Body | undefined {
  switch (event.type) {
    case 'session-created':
      return event.title;
    case 'prompt-received':
      return event.request.type === 'chat' ? event.request.text : undefined;
    case 'model-settled':
      return event.outcome.type === 'completed' ? event.outcome.text : event.outcome.partial;
    case 'agent-reported':
      return event.report.type === 'message' ? event.report.text : undefined;
    case 'worker-reported':
      return event.report.text;
    default:
      return undefined;
  }
}

const before = 40;
const excerptLength = 160;

/** The text around the first match, on one line. */
export function excerptOf(text: string, query: string): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  const lower = plain.toLowerCase();
  const places = wordsIn(query)
    .map((word) => lower.indexOf(word))
    .filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...places, plain.length) - before);
  const start = places.length === 0 ? 0 : from;
  const cut = plain.slice(start, start + excerptLength);
  return `${start > 0 ? '…' : ''}${cut}${start + excerptLength < plain.length ? '…' : ''}`;
}

/** Whether every word of the query starts a word of the text, for stores without an index. */
export function holdsWords(text: string, query: string): boolean {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return searchWords(query).every((word) => words.some((one) => one.startsWith(word)));
}

export function searchWords(query: string): readonly string[] {
  return query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}
