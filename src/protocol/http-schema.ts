/** Queries and bodies of the HTTP API, except session inputs. */
import { z } from 'zod';

import { modelName, sessionId } from './input-schema.ts';

const whole = z.coerce.number().int().min(0);
const word = z.string().min(1).max(200);

export const directoryQuery = z.strictObject({
  state: z.enum(['idle', 'running', 'waiting', 'cancelling', 'closed']).exactOptional(),
  agent: word.exactOptional(),
  parent: sessionId.exactOptional(),
  origin: sessionId.exactOptional(),
  q: z.string().max(500).exactOptional(),
  limit: whole.min(1).max(1000).exactOptional(),
  cursor: z.string().max(500).exactOptional(),
});

export const overviewQuery = z.strictObject({
  q: z.string().max(500).exactOptional(),
  group: z.enum(['needs-you', 'failed', 'working', 'unread', 'earlier', 'any-failed']).exactOptional(),
  project: word.exactOptional(),
  agent: word.exactOptional(),
  since: whole.exactOptional(),
  archived: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .exactOptional(),
  by: z.enum(['state', 'project']).exactOptional(),
  offset: whole.max(1_000_000).exactOptional(),
  limit: whole.min(1).max(500).exactOptional(),
});

export const outcomesQuery = z.strictObject({
  sessions: z
    .string()
    .max(6000)
    .transform((text) => text.split(','))
    .pipe(z.array(sessionId).max(100)),
});

export const marksBody = z.strictObject({
  isSeen: z.literal(true).exactOptional(),
  isPinned: z.boolean().exactOptional(),
  isArchived: z.boolean().exactOptional(),
});

export const shareBody = z.strictObject({ days: z.int().min(1).max(365).exactOptional() });

export const subscriptionBody = z
  .strictObject({
    endpoint: z.string().max(2000),
    keys: z.strictObject({ p256dh: z.string().regex(/^[\w-]{87}$/), auth: z.string().regex(/^[\w-]{22}$/) }),
  })
  .describe('A push subscription as browsers report it.');

export const unsubscribeBody = z.strictObject({ endpoint: z.string().max(2000) });

export const keyBody = z.strictObject({ key: z.string().min(1).max(4000) });

export const eventsQuery = z.strictObject({
  after: whole.exactOptional(),
  limit: whole.min(1).max(5000).exactOptional(),
});

export const transcriptQuery = z.strictObject({
  before: z
    .string()
    .regex(/^(ses_\w+:)?\d+(\.\d+)?$/, 'must be the id of an item')
    .exactOptional(),
  limit: whole.min(1).max(1000).exactOptional(),
});

/** Milliseconds or ISO 8601. */
const time = z.union([whole, z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))]);

const yes = z.enum(['true', 'false']).transform((text) => text === 'true');

export const usageQuery = z.strictObject({
  session: sessionId.exactOptional(),
  by: z.enum(['session', 'agent', 'model', 'day', 'day-model']).exactOptional(),
  /** The name of a project, as the list of sessions has it. */
  project: word.exactOptional(),
  since: time.exactOptional(),
  /**
   * Adds the time breakdown by session or agent, which requires reading the journals. By model and day it is always
   * included.
   */
  time: yes.exactOptional(),
});

export const auditQuery = z.strictObject({
  session: sessionId.exactOptional(),
  /** The name of a project, as the list of sessions has it. */
  project: word.exactOptional(),
  /** The name of the person who decided. */
  by: word.exactOptional(),
  type: word.exactOptional(),
  since: time.exactOptional(),
  until: time.exactOptional(),
  limit: whole.min(1).max(5000).exactOptional(),
});

export const forkBody = z
  .strictObject({
    at: whole.exactOptional(),
    title: z.string().max(200).exactOptional(),
    /** A folder of the server, for a fork without the files of the original. */
    cwd: z.string().min(1).exactOptional(),
  })
  .describe('The event to continue from. Default: the newest one.');

export const rewindBody = z
  .strictObject({
    to: z.union([z.int().min(1), z.literal('undo')]),
    /** Also restore files; `only` restores files and keeps the conversation. */
    files: z.union([z.boolean(), z.literal('only')]).exactOptional(),
  })
  .describe('The event to go back to, or `undo`. Files go back as well unless `files` is false.');

export type WireFork = z.infer<typeof forkBody>;
export type WireRewind = z.infer<typeof rewindBody>;

/** `below`: with those of the sessions that work for it. */
export const questionsQuery = z.strictObject({ below: yes.exactOptional() });

/** An event of the turn that is explained; without one, the newest turn. */
export const whyQuery = z.strictObject({ event: whole.min(1).exactOptional() });

export const folderQuery = z.strictObject({ session: sessionId.exactOptional() });

export const jobsQuery = z.strictObject({
  which: z.enum(['active', 'listed', 'dead', 'all']).exactOptional(),
  worker: word.exactOptional(),
  parent: sessionId.exactOptional(),
});

export const jobBody = z
  .strictObject({
    prompt: z.string().min(1),
    /** Name or id; created if it doesn't exist. */
    worker: word.exactOptional(),
    agent: word.exactOptional(),
    model: modelName.exactOptional(),
    cwd: z.string().min(1).max(4096).exactOptional(),
    parent: sessionId.exactOptional(),
    priority: z.enum(['urgent', 'high', 'normal', 'low']).exactOptional(),
    after: z.array(word).max(100).exactOptional(),
    timeoutMs: z.int().min(1).exactOptional(),
    onFailure: z.enum(['skip', 'run-anyway', 'fail']).exactOptional(),
  })
  .describe('A job for a worker. An unknown worker is created; without a name the job gets a new one.');

export const cancelBody = z.strictObject({ reason: z.string().min(1).max(2000).exactOptional() });

export const filesQuery = z.strictObject({
  q: z.string().max(500),
  session: sessionId.exactOptional(),
  limit: whole.min(1).max(200).exactOptional(),
});

export const queueBody = z.union([z.strictObject({ text: z.string().min(1) }), z.strictObject({ to: whole })]);

export const queueStateBody = z.strictObject({ isPaused: z.boolean() });

export const exportBody = z.strictObject({
  format: z.enum(['bundle', 'markdown', 'json']).exactOptional(),
  children: z.enum(['small', 'all', 'none']).exactOptional(),
});

export const importQuery = z.strictObject({
  /** Whether to import the sound part of a damaged bundle. */
  damaged: z.enum(['refuse', 'take-sound']).exactOptional(),
});

export const searchQuery = z.strictObject({
  text: z.string().min(1).max(500),
  limit: whole.min(1).max(200).exactOptional(),
});

export const roles = ['viewer', 'prompter', 'approver', 'owner'] as const;
export type Role = (typeof roles)[number];

export const tokenBody = z.strictObject({
  name: z.string().regex(/^[\w.@ -]{1,100}$/, 'must be letters, digits, blanks and . _ @ -'),
  role: z.enum(roles),
  days: z.coerce.number().int().min(1).max(3650).exactOptional(),
});

const coordinate = z.string().regex(/^[\w-]{43}$/);
/** A browser's public key: ECDSA with P-256. */
const deviceKey = z.strictObject({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: coordinate,
  y: coordinate,
});

export const loginBody = z.union([
  z.strictObject({ code: z.string().min(1).max(200), key: deviceKey.exactOptional() }),
  z.strictObject({ token: z.string().min(1).max(500), key: deviceKey.exactOptional() }),
]);

export const bearerBody = z.strictObject({
  device: z.string().min(1).max(100),
  nonce: z.string().min(1).max(200),
  signature: z.string().min(1).max(200),
});

export const diffQuery = z.strictObject({
  /** Include patches, not only file names. */
  patch: yes.exactOptional(),
  path: z.string().min(1).max(4096).exactOptional(),
  /** Compare with the session's files at this event; 0: at its start. Default: with the base branch. */
  since: whole.exactOptional(),
});

export const fileQuery = z.strictObject({
  /** Relative to the session's folder, or absolute and inside it. */
  path: z.string().min(1).max(4096),
});

export const commitBody = z.strictObject({ message: z.string().min(1).max(10_000) });

const filePaths = z.array(z.string().min(1).max(4096)).min(1).max(2_000);

export const commitFilesBody = z.strictObject({
  message: z.string().min(1).max(10_000),
  /** Default: all changed files. */
  paths: filePaths.exactOptional(),
});

export const discardBody = z.strictObject({ paths: filePaths });

export const pushBranchBody = z.strictObject({ remote: word, branch: word, commit: word });

export const mergeBody = z.strictObject({
  into: word.exactOptional(),
  message: z.string().min(1).max(10_000).exactOptional(),
});
