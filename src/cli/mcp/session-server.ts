/**
 * Sessions as MCP tools.
 *
 * 1. A prompt is recorded before the tool waits. A client that stops waiting loses nothing: `read_session` continues.
 * 2. Approvals stay with people, unless the person who started the server passed `--approvals`. A server that runs
 *    inside a session answers nothing at all (S19).
 */
import { McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';

import { Fault } from '../../kernel/fault.ts';
import { optional } from '../../kernel/optional.ts';
import type { Answer } from '../../kernel/question.ts';
import type { RondoClient } from '../../ports/rondo-client.ts';
import type { SessionClient } from '../../ports/session-client.ts';
import { fittingAnswers, subjectText } from '../../wording/question.ts';
import { answerFromWords } from '../sessions/answer-words.ts';
import { readReport, waitForRest } from './session-report.ts';

export interface SessionServerPlace {
  readonly rondo: RondoClient;
  readonly version: string;
  readonly agent?: string;
  /** Without it, only the reading tools exist. */
  readonly mayPrompt: boolean;
  readonly mayAnswer: boolean;
  readonly mayApprove: boolean;
}

const session = z.string().min(1).describe('Session id, a prefix of one, or "latest".');
const waitSeconds = z
  .number()
  .min(0)
  .max(600)
  .optional()
  .describe('How long to wait for the turn to end or a question to open (default 50).');

export function createSessionServer(place: SessionServerPlace): McpServer {
  const server = new McpServer({ name: 'rondo', title: 'Rondo', version: place.version });
  if (place.mayPrompt) addPrompting(server, place);
  addReading(server, place);
  if (place.mayPrompt) addControl(server, place);
  return server;
}

function addPrompting(server: McpServer, place: SessionServerPlace): void {
  const { rondo } = place;
  server.registerTool(
    'start_session',
    {
      description:
        'Starts a coding-agent session and, with a prompt, its first turn. Returns the session id, the answer, and open questions. Work continues if this call stops waiting.',
      inputSchema: z.object({
        prompt: z.string().min(1).optional(),
        agent: z.string().optional(),
        model: z.string().optional(),
        title: z.string().optional(),
        worktree: z.boolean().optional().describe('Work in a new git worktree.'),
        waitSeconds,
      }),
    },
    async ({ prompt, agent = place.agent, model, title, worktree, waitSeconds: wait }, context) =>
      answered(async () => {
        const made = await rondo.create({
          ...optional({ agent, model, title }),
          ...(worktree === true && { worktree: true as const }),
        });
        if (prompt === undefined) return await readReport(made);
        return await prompted(made, prompt, wait, context.mcpReq.signal);
      }),
  );
  server.registerTool(
    'prompt_session',
    {
      description: 'Sends a prompt to a session and waits for the answer. Resumes a stored session.',
      inputSchema: z.object({ session, prompt: z.string().min(1), waitSeconds }),
    },
    async ({ session: id, prompt, waitSeconds: wait }, context) =>
      answered(async () => prompted(await rondo.open(id), prompt, wait, context.mcpReq.signal)),
  );
}

function addReading(server: McpServer, { rondo }: SessionServerPlace): void {
  server.registerTool(
    'read_session',
    {
      description:
        "Reads a session's state, its newest conversation and its open questions. Can wait for its turn.",
      inputSchema: z.object({
        session,
        items: z.int().min(1).max(200).optional().describe('How many items of the conversation (default 20).'),
        waitSeconds,
      }),
      annotations: { readOnlyHint: true },
    },
    async ({ session: id, items, waitSeconds: wait = 0 }, context) =>
      answered(async () => {
        const opened = await rondo.open(id);
        await waitForRest(opened, wait, context.mcpReq.signal);
        return await readReport(opened, items);
      }),
  );
  server.registerTool(
    'list_sessions',
    {
      description: 'Lists sessions, newest first. With a query, those whose title has its words.',
      inputSchema: z.object({ query: z.string().optional() }),
      annotations: { readOnlyHint: true },
    },
    async ({ query }) => answered(async () => ({ sessions: await rondo.sessions(optional({ q: query })) })),
  );
}

function addControl(server: McpServer, place: SessionServerPlace): void {
  const { rondo } = place;
  server.registerTool(
    'cancel_session',
    { description: "Cancels a session's current turn.", inputSchema: z.object({ session }) },
    async ({ session: id }) =>
      answered(async () => {
        const opened = await rondo.open(id);
        const receipt = await opened.interrupt('cancelled by an MCP client');
        if (receipt.type === 'refused') throw new Fault('closed', receipt.refusal.message);
        return await readReport(opened);
      }),
  );
  server.registerTool(
    'answer_question',
    {
      description:
        'Answers an open question of a session: a clarification with text or one of its options, a form with its values. Approvals are for people.',
      inputSchema: z.object({
        session,
        question: z.string(),
        text: z.string().optional(),
        option: z.string().optional(),
        form: z.record(z.string(), z.unknown()).optional(),
        choice: z.enum(['allow-once', 'reject']).optional(),
        waitSeconds,
      }),
    },
    async ({ session: id, question, form, waitSeconds: wait = 50, ...words }, context) =>
      answered(async () => {
        const opened = await rondo.open(id);
        const answer = answerFromWords({
          ...words,
          ...(form !== undefined && { form: JSON.stringify(form) }),
        });
        await checkAnswer(place, opened, question, answer);
        const receipt = await opened.answer(question, answer);
        if (receipt.type === 'refused') throw new Fault('closed', receipt.refusal.message);
        await waitForRest(opened, wait, context.mcpReq.signal);
        return await readReport(opened);
      }),
  );
}

async function prompted(opened: SessionClient, prompt: string, wait = 50, signal: AbortSignal) {
  const receipt = await opened.send({ type: 'chat', text: prompt });
  if (receipt.type === 'refused') throw new Fault('closed', receipt.refusal.message);
  await waitForRest(opened, wait, signal);
  return await readReport(opened);
}

async function checkAnswer(
  { mayAnswer, mayApprove }: SessionServerPlace,
  opened: SessionClient,
  id: string,
  answer: Answer,
): Promise<void> {
  if (!mayAnswer)
    throw new Fault(
      'closed',
      "This client can't answer questions: it runs inside an agent's session, or its token doesn't permit it.",
    );
  const open = await opened.questions();
  const about = open.find((one) => one.id === id)?.about;
  if (about === undefined) throw new Fault('closed', `Session ${opened.id} has no open question ${id}.`);
  const isTalk =
    about.type === 'clarification' ||
    (about.type === 'form' && about.url === undefined && about.permits === undefined);
  if (isTalk || mayApprove || answer.type === 'reject') return;
  throw new Fault(
    'closed',
    `A person answers this question: ${subjectText(about)} (${fittingAnswers(about)}). Ask your user to run: rondo answer ${id} allow-once`,
  );
}

async function answered(work: () => Promise<unknown>): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: JSON.stringify(await work(), undefined, 2) }] };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { content: [{ type: 'text', text: message }], isError: true };
  }
}
