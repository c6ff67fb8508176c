/**
 * Responses of the HTTP API, for the OpenAPI document and for clients generated from it. Tests check real responses
 * against them. Objects are open: later releases add fields, and readers ignore unknown ones.
 */
import { z } from 'zod';

import { roles } from './http-schema.ts';

const seq = z.int().min(0).describe('A sequence number in the journal of the session.');
const time = z.number().describe('Milliseconds since 1970.');
const count = z.int().min(0);
const tokens = z.number().min(0);
const session = z.string().regex(/^ses_[a-z0-9]+$/);
const body = z
  .union([z.string(), z.looseObject({ blob: z.string(), length: count, preview: z.string() })])
  .describe('Text, or a reference to a long one: GET /sessions/{id}/blobs/{hash}.');
const actor = z.looseObject({
  type: z.enum(['person', 'program', 'agent', 'worker', 'system']),
  name: z.string(),
});
const ending = z.looseObject({ type: z.string(), code: z.string().optional(), message: z.string().optional() });
const branch = z.looseObject({ session, at: seq });
const spent = {
  inputTokens: tokens,
  outputTokens: tokens,
  cost: z.number().min(0).describe('US dollars.'),
};
const usage = z.looseObject({
  ...spent,
  costIsKnown: z.boolean().describe('If false, the cost is a lower bound.'),
});

const question = z.looseObject({
  id: z.string(),
  openedAt: time,
  expiresAt: time.optional(),
  about: z
    .looseObject({
      type: z.enum(['approval', 'reply-review', 'repeat', 'clarification', 'form']),
      tool: z.string().optional(),
      reason: z.string().optional(),
      unit: z.string().optional(),
      grants: z.array(z.string()).optional().describe('The rules that a lasting yes saves.'),
      text: body.optional(),
      title: z.string().optional(),
      url: z.string().optional(),
    })
    .describe('The fields depend on its type.'),
  args: body.optional(),
  allowedBy: z
    .array(z.string().nullable())
    .optional()
    .describe('For each part of a command: the rule that allows it.'),
});

const queue = z.looseObject({
  paused: z.boolean(),
  prompts: z.array(z.looseObject({ prompt: seq, by: actor, delivery: z.string(), preview: z.string() })),
});

const agentChoice = z.looseObject({ id: z.string(), name: z.string() });
const agentSettings = {
  mode: z.string().optional(),
  modes: z.array(agentChoice).optional(),
  options: z
    .array(z.looseObject({ id: z.string(), name: z.string(), value: z.union([z.string(), z.boolean()]) }))
    .optional(),
};

const status = z.looseObject({
  session,
  seq,
  createdAt: time,
  updatedAt: time,
  title: z.string().optional(),
  parent: session.optional(),
  origin: branch.optional(),
  isForeign: z.boolean().optional().describe('Imported, and waits for a person to continue it.'),
  cwd: z.string(),
  agent: z.string(),
  model: z.string().optional(),
  mode: z.string(),
  agentSettings: z.looseObject(agentSettings).optional(),
  lifecycle: z.enum(['new', 'idle', 'running', 'waiting', 'pausing', 'cancelling', 'closed']),
  words: z.string(),
  doing: z.array(z.unknown()),
  turn: z.looseObject({ id: seq, startedAt: time, agent: z.string(), steps: count, toolCalls: count }).optional(),
  usage,
  limits: z.looseObject({}),
  questions: z.array(question),
  queue,
  lastEnding: z.looseObject({ turn: seq, ending }).optional(),
});

const sessionStatus = status.extend({
  id: session,
  hosted: z.string().describe('State of the hosted session: starting, active, ending or ended.'),
  phase: z.string(),
  children: z.array(session),
});

const directoryEntry = z.looseObject({
  session,
  createdAt: time,
  updatedAt: time,
  title: z.string(),
  agent: z.string(),
  mode: z.string(),
  cwd: z.string(),
  parent: session.optional(),
  origin: branch.optional(),
  state: z.enum(['idle', 'running', 'waiting', 'cancelling', 'closed']),
  doing: z.string().optional(),
  needs: z.array(z.string()).optional(),
  questions: count,
  queued: count,
  turns: count,
  ...spent,
  costIsKnown: z.boolean(),
});

const sessionGroup = z.enum(['needs-you', 'failed', 'working', 'unread', 'earlier']);
const hit = { seq: seq.optional(), excerpt: z.string().optional() };
const worktree = z.looseObject({ name: z.string(), path: z.string(), branch: z.string(), base: z.string() });
const budget = z.array(z.looseObject({ name: z.string() }));
const job = z.looseObject({
  id: z.string(),
  worker: z.string(),
  state: z.string(),
  priority: z.string(),
  prompt: z.string(),
  after: z.array(z.string()),
  elapsedMs: z.number().optional(),
  ending: ending.optional(),
  session: session.optional(),
  parent: session.optional(),
});
const node = z.looseObject({ name: z.string() });
const role = z.enum(roles);
const token = z.looseObject({
  id: z.string(),
  name: z.string(),
  role,
  createdAt: time,
  expiresAt: time.optional(),
  kind: z.enum(['token', 'device']),
});
const share = z.looseObject({ id: z.string(), session, by: z.string(), createdAt: time, expiresAt: time });
const bearer = z.looseObject({ bearer: z.string(), lifeMs: z.number(), name: z.string(), role });

/** JSON bodies by operation. */
export const responses = {
  createSession: sessionStatus,
  getSession: sessionStatus,
  continueSession: status,
  listSessions: z.looseObject({ entries: z.array(directoryEntry), cursor: z.string().optional() }),
  listSessionRows: z.looseObject({
    rows: z.array(directoryEntry.extend({ group: sessionGroup })),
    offset: count,
    total: count,
    counts: z.record(z.string(), count),
    sections: z.array(z.looseObject({ name: z.string(), count })),
    projects: z.array(
      z.looseObject({ name: z.string(), cwd: z.string(), group: sessionGroup, sessions: count, updatedAt: time }),
    ),
    agents: z.array(z.string()),
    isSearching: z.boolean().optional().describe('Messages are still being searched: ask again for the rest.'),
    folder: z.string().describe('The server folder: where a new session works that names no folder.'),
  }),
  listOutcomes: z.looseObject({
    outcomes: z.record(
      session,
      z.looseObject({
        sentence: z.string().optional(),
        added: count,
        removed: count,
        tests: z.string().optional(),
        plan: z.looseObject({ done: count, total: count }).optional(),
      }),
    ),
  }),
  listChanges: z.looseObject({
    changes: z.record(
      session,
      z.looseObject({
        branch: z.string().optional(),
        added: count,
        removed: count,
      }),
    ),
  }),
  readAllSessions: z.looseObject({}),
  markSession: z.looseObject({}),
  deleteSession: z.looseObject({ deleted: z.array(session) }),
  searchSessions: z.looseObject({ sessions: z.array(directoryEntry.extend(hit)) }),
  findInSession: z.looseObject({ found: z.array(z.looseObject(hit)) }),
  importSessions: z.looseObject({
    sessions: z.array(z.looseObject({ session, origin: session, role: z.string(), seq })),
    leftOut: z.array(session),
    redacted: count,
    damage: z.string().optional(),
  }),
  endSession: z.looseObject({ seq }),
  sendInput: z.looseObject({
    seq,
    waits: z
      .string()
      .optional()
      .describe('The input is stored, and no running node can take it: what it waits for.'),
  }),
  changeQueuedPrompt: z.looseObject({ seq }),
  removeQueuedPrompt: z.looseObject({ seq }),
  clearQueue: z.looseObject({ seq }),
  setQueueState: z.looseObject({ seq }),
  setAgentSetting: z.looseObject({ seq }),
  answerQuestion: z.looseObject({ seq, session }),
  forkSession: z.looseObject({ id: session, origin: branch.optional() }),
  rewindSession: z.looseObject({ type: z.literal('rewound') }),
  getTranscript: z.looseObject({
    items: z.array(z.looseObject({ id: z.string(), type: z.string(), at: time })),
    before: z.string().optional().describe('Where the previous page ends.'),
  }),
  getContext: z.looseObject({
    tokens,
    window: tokens.optional(),
    isCounted: z.boolean(),
    parts: z.array(z.looseObject({ name: z.string(), tokens })),
  }),
  getText: z.looseObject({ text: z.string() }),
  listEvents: z.looseObject({
    events: z.array(z.looseObject({ seq: z.int().min(1), at: time, by: actor, type: z.string() })),
    last: seq,
  }),
  listSessionQuestions: z.looseObject({ questions: z.array(question) }),
  listQuestions: z.looseObject({ questions: z.array(question.extend({ session })) }),
  explainTurn: z.looseObject({ why: z.looseObject({}).optional().describe('Absent if no meaning was derived.') }),
  listQueue: queue,
  getAgentSettings: z.looseObject({ agent: z.string(), ...agentSettings }),
  listAgents: z.looseObject({
    agents: z.array(
      z.looseObject({
        name: z.string(),
        description: z.string().optional(),
        runs: z.enum(['model', 'external']).optional(),
        isDefault: z.boolean().optional(),
        model: z.string().optional(),
      }),
    ),
  }),
  listModels: z.looseObject({ models: z.array(z.looseObject({})) }),
  listTools: z.looseObject({
    tools: z.array(
      z.looseObject({
        name: z.string(),
        description: z.string().optional(),
        parameters: z.looseObject({}).optional(),
      }),
    ),
  }),
  listCommands: z.looseObject({ commands: z.array(z.looseObject({ name: z.string() })) }),
  listResources: z.looseObject({
    resources: z.array(z.looseObject({ mention: z.string(), title: z.string() })),
  }),
  listSkills: z.looseObject({ skills: z.array(z.looseObject({ name: z.string() })) }),
  listMcpServers: z.looseObject({
    servers: z.array(
      z.looseObject({ name: z.string(), from: z.string(), state: z.string(), reached: z.string() }),
    ),
  }),
  listNodes: z.looseObject({ self: z.string().optional(), reader: z.int(), nodes: z.array(node) }),
  drainNode: node,
  listRules: z.looseObject({
    rules: z.array(z.looseObject({ id: z.string() })),
    standing: z.array(z.looseObject({ rule: z.string(), verdict: z.string(), origin: z.string() })),
  }),
  findFiles: z.looseObject({ files: z.array(z.string()) }),
  listWorktrees: z.looseObject({ worktrees: z.array(worktree) }),
  commitWorktree: z.looseObject({ type: z.literal('committed') }),
  mergeWorktree: z.looseObject({ type: z.literal('merged') }),
  commitFiles: z.looseObject({ type: z.literal('committed') }),
  discardFiles: z.looseObject({ type: z.literal('discarded'), kept: z.string() }),
  planPush: z.looseObject({ type: z.literal('plan'), remote: z.string(), url: z.string(), branch: z.string() }),
  pushBranch: z.looseObject({ type: z.literal('pushed') }),
  getDiff: z.looseObject({ type: z.enum(['diff', 'unavailable']) }),
  getFile: z.looseObject({ type: z.enum(['text', 'binary', 'too-large']), path: z.string(), bytes: z.int() }),
  getUsage: z.looseObject({ by: z.string().optional(), session: session.optional() }),
  listDecisions: z.looseObject({
    entries: z.array(
      z.looseObject({ session, seq, at: time, by: actor, decided: z.looseObject({ type: z.string() }) }),
    ),
  }),
  listWorkers: z.looseObject({
    workers: z.array(
      z.looseObject({
        id: z.string(),
        name: z.string(),
        kind: z.string(),
        state: z.string(),
        doing: z.array(z.string()),
        budget,
      }),
    ),
    parents: z.array(z.looseObject({ session, doing: z.array(z.string()), budget })),
  }),
  listJobs: z.looseObject({ jobs: z.array(job) }),
  fileJob: job.extend({ text: z.string().optional() }),
  getJob: job.extend({ text: z.string().optional() }),
  cancelJob: job.extend({ text: z.string().optional() }),
  logIn: z.union([z.looseObject({ device: z.string(), name: z.string(), role }), bearer]),
  createNonce: z.looseObject({ nonce: z.string() }),
  createBearer: bearer,
  logOut: z.looseObject({}),
  getCaller: z.looseObject({ name: z.string(), role }),
  createLoginCode: z.looseObject({ code: z.string() }),
  listTokens: z.looseObject({ tokens: z.array(token) }),
  createShare: share.extend({ path: z.string().describe('The path of the link on this server.') }),
  listShares: z.looseObject({ shares: z.array(share) }),
  openShare: z.looseObject({ title: z.string(), markdown: z.string(), expiresAt: time, by: z.string() }),
  getPushKey: z.looseObject({ publicKey: z.string() }),
  subscribePush: z.looseObject({ id: z.string() }),
  unsubscribePush: z.looseObject({}),
  createToken: token.extend({ token: z.string() }),
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** Operations without a JSON response: nothing, or the content types that they produce. */
export const plainResponses = {
  revokeRule: [],
  revokeToken: [],
  revokeShare: [],
  setKey: [],
  getPicture: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
  exportSession: ['application/vnd.rondo.bundle', 'text/markdown', 'application/json'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The name of a call in the OpenAPI document, and of the method in a generated client. */
export type Operation = keyof typeof responses | keyof typeof plainResponses;

/** Schemas that generated clients get as named types. */
export const namedSchemas = {
  Actor: actor,
  Question: question,
  Queue: queue,
  SessionStatus: status,
  Session: sessionStatus,
  SessionEntry: directoryEntry,
  Job: job,
  Token: token,
} as const satisfies Readonly<Record<string, z.ZodType>>;
