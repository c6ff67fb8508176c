/**
 * The streams and subjects of a store. `log` streams hold the sessions, one subject each. The others keep the newest
 * message of each subject: `directory` what lists show, `live` what comes and goes (processes, nodes, letters, answers,
 * requests), `kept` what is looked up by name (keys, references, documents, snapshots, blobs).
 */
import { hash } from 'node:crypto';

import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { refuseMoved, type StoreState } from '../moved-store.ts';
import type { NatsPlace } from './nats-address.ts';
import { canKeepReplicas } from './server-version.ts';
import type { NatsClient } from './nats-client.ts';

export interface StoreLayout {
  readonly name: string;
  readonly directory: string;
  readonly live: string;
  readonly kept: string;
  /** The streams of sessions. */
  readonly logs: readonly string[];
  logOf(session: string): { readonly stream: string; readonly subject: string };
  /** A subject of one of the other streams. Each token is encoded, except wildcards. */
  subject(stream: Exclude<StreamKind, 'log'>, ...tokens: readonly string[]): string;
  /** Core subjects, which nothing stores. */
  core(...tokens: readonly string[]): string;
}

type StreamKind = 'log' | 'directory' | 'live' | 'kept';

/** The store's own description, in `kept`. */
interface StoreFacts {
  readonly format: number;
  readonly streams: number;
  readonly state: StoreState;
  /** In seconds. All processes count the same. */
  readonly lease: number;
  /** The highest id of a letter that was copied from another store. */
  readonly letters?: number;
}

const format = 1;
/** Seconds. */
const usualLease = 30;

export function layoutOf(name: string, streams: number): StoreLayout {
  const stream = (kind: string) => `${name}_${kind}`;
  const letters = { directory: 'd', live: 'l', kept: 'k' } as const;
  const logs = Array.from({ length: streams }, (_, index) => stream(`log_${index}`));
  return {
    name,
    directory: stream('directory'),
    live: stream('live'),
    kept: stream('kept'),
    logs,
    logOf(session) {
      const index = hash('sha256', session, 'buffer').readUInt32BE() % streams;
      return { stream: logs[index] ?? '', subject: `${name}.s.${index}.${token(session)}` };
    },
    subject: (kind, ...tokens) => [name, letters[kind], ...tokens.map(token)].join('.'),
    core: (...tokens) => [name, 'c', ...tokens.map(token)].join('.'),
  };
}

/** Any text as a part of a subject. */
function token(text: string): string {
  return /^(?:[\w~-]{1,128}|\*|>)$/.test(text) ? text : `=${Buffer.from(text).toString('base64url')}`;
}

export function sessionIn(subject: string, index: number): SessionId {
  const part = subject.split('.')[index] ?? '';
  return (part.startsWith('=') ? Buffer.from(part.slice(1), 'base64url').toString() : part) as SessionId;
}

export async function readStoreFacts(client: NatsClient, name: string) {
  const { kept, subject } = layoutOf(name, 1);
  if (!(await hasStream(client, kept))) return undefined;
  const message = await client.last('Opening the store', kept, subject('kept', 'facts'));
  return message === undefined
    ? undefined
    : { seq: message.seq, facts: JSON.parse(message.body.toString()) as StoreFacts };
}

/** Creates what isn't there, and refuses a store that this Rondo can't read. */
export async function prepareStore(
  client: NatsClient,
  place: NatsPlace,
  purpose: 'open' | 'copy' = 'open',
): Promise<{ readonly layout: StoreLayout; readonly facts: StoreFacts }> {
  const existing = (await readStoreFacts(client, place.name))?.facts;
  const { version = '' } = client.connection.info ?? {};
  if (existing === undefined && place.replicas > 1 && !canKeepReplicas(version)) {
    throw new Fault(
      'conflict',
      `Can't create ${place.shown}: NATS ${version} can't keep replicas equal. Use NATS 2.10.23 or newer, or replicas=1.`,
    );
  }
  if (existing === undefined) await createStreams(client, place, ['kept']);
  const facts = existing ?? (await writeFacts(client, place));
  if (facts.format > format) {
    throw new Fault(
      'unreadable',
      `Can't open ${place.shown}: it was written by a newer Rondo. Nothing is damaged: upgrade Rondo to open it.`,
    );
  }
  if (purpose === 'open') refuseMoved(place.shown, facts.state);
  if (place.lease !== undefined && place.lease !== facts.lease) {
    throw new Fault(
      'conflict',
      `Can't open ${place.shown}: this store was created with a lease of ${facts.lease} seconds, which all its processes ` +
        'share. Leave "lease" out of the address.',
    );
  }
  if (existing === undefined)
    await createStreams(client, { ...place, streams: facts.streams }, ['directory', 'live', 'log']);
  else await completeStreams(client, { ...place, streams: facts.streams });
  return { layout: layoutOf(place.name, facts.streams), facts };
}

/** The first writer decides. */
async function writeFacts(
  client: NatsClient,
  { name, streams, lease = usualLease }: NatsPlace,
): Promise<StoreFacts> {
  const facts: StoreFacts = { format, streams, state: 'ready', lease };
  const { kept, subject } = layoutOf(name, 1);
  await client.publish('Creating the store', subject('kept', 'facts'), JSON.stringify(facts), {
    expected: 0,
    stream: kept,
  });
  return (await readStoreFacts(client, name))?.facts ?? facts;
}

/** Changes the store's description. */
export async function writeState(
  client: NatsClient,
  { name }: NatsPlace,
  change: Partial<Pick<StoreFacts, 'state' | 'letters'>>,
): Promise<void> {
  const { kept, subject } = layoutOf(name, 1);
  for (;;) {
    const current = await readStoreFacts(client, name);
    if (current === undefined) throw new Error(`The store ${name} has no description.`);
    const letters = Math.max(current.facts.letters ?? 0, change.letters ?? 0);
    const facts: StoreFacts = { ...current.facts, ...change, ...(letters > 0 && { letters }) };
    const written = await client.publish('Changing the store', subject('kept', 'facts'), JSON.stringify(facts), {
      expected: current.seq,
      stream: kept,
    });
    if (written !== undefined) return;
  }
}

/** The one who created it may have died on the way. */
async function completeStreams(client: NatsClient, place: NatsPlace): Promise<void> {
  const { logs } = layoutOf(place.name, place.streams);
  if (!(await hasStream(client, logs.at(-1) ?? '')))
    await createStreams(client, place, ['directory', 'live', 'log']);
}

async function hasStream(client: NatsClient, stream: string): Promise<boolean> {
  try {
    await client.lastSeq('Opening the store', stream);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 10_059) return false;
    throw error;
  }
}

async function createStreams(client: NatsClient, place: NatsPlace, kinds: readonly StreamKind[]): Promise<void> {
  const { directory, live, kept, logs } = layoutOf(place.name, place.streams);
  const plans: Record<StreamKind, () => Promise<unknown>> = {
    kept: () => createStream(client, place, kept, [`${place.name}.k.>`], 1),
    directory: () => createStream(client, place, directory, [`${place.name}.d.>`], 1),
    live: () => createStream(client, place, live, [`${place.name}.l.>`], 1),
    // In order, so that the last one shows that all are there.
    log: async () => {
      for (const [index, name] of logs.entries()) {
        await createStream(client, place, name, [`${place.name}.s.${index}.>`], -1);
      }
    },
  };
  for (const kind of kinds) await plans[kind]();
}

async function createStream(
  client: NatsClient,
  place: NatsPlace,
  name: string,
  subjects: readonly string[],
  history: number,
): Promise<void> {
  await client.create('Creating the store', {
    name,
    subjects: [...subjects],
    storage: 'file',
    retention: 'limits',
    discard: 'new',
    num_replicas: place.replicas,
    max_msgs_per_subject: history,
    // Answers of other replicas may be old.
    allow_direct: false,
    allow_rollup_hdrs: false,
    duplicate_window: 0,
  });
}
