/**
 * Handles an agent's requests to its client. Permissions and forms go to the session. Rondo serves files and
 * commands itself. They pass the same gate first, unless the agent was just allowed exactly the same action.
 */
import type { z } from 'zod';

import type { AgentAnswer, AgentRequest } from '../../kernel/agent-request.ts';
import { isJsonObject } from '../../kernel/json-object.ts';
import { fileRulesAmong } from '../../kernel/policy/file-rules.ts';
import { judge } from '../../kernel/policy/permission.ts';
import type { AgentTurn } from '../../runtime/capabilities.ts';
import { withComposedUrls } from '../../runtime/composed-urls.ts';
import type { Asking } from './asking.ts';
import { rpcCodes, type RpcAnswer } from './json-rpc.ts';
import { requestKey, permissionOf, serviceRequest, type DescribeCall } from './permission-call.ts';
import { readTextFile, writeTextFile, type Served } from './served-files.ts';
import type { ServedTerminals } from './served-terminals.ts';
import { terminalLine } from './terminal-line.ts';
import * as wire from './wire-schema.ts';
import { shellAllowance, allowancesOf } from './shell-allowance.ts';

/** The turn to which requests belong. */
export interface ServedTurn {
  readonly turn: AgentTurn;
  readonly asking: Asking;
  /** Actions already allowed in this turn: `shell:<folder>:<line>`, `write:<path>`. */
  readonly allowed: Set<string>;
  /** This turn's answers by call and content. Asking again about the same call returns the same answer. */
  readonly answered: Map<string, AgentAnswer>;
  /** Open URL requests. Each ends when the agent reports completion. */
  readonly elicited: Map<string, AbortController>;
  /** Called before asking the session, so that the agent's earlier text comes first. */
  flush(): void;
}

interface RequestParts {
  readonly describe: DescribeCall;
  readonly terminals: ServedTerminals;
  readonly current: () => ServedTurn | undefined;
  /** True for the id of a session that isn't the agent's own. */
  readonly isForeign: (session: unknown) => boolean;
}

export async function serveRequest(
  { describe, terminals, current, isForeign }: RequestParts,
  method: string,
  params: unknown,
  signal: AbortSignal,
): Promise<RpcAnswer> {
  const served = current();
  // Several agents leave the session out.
  const of = isJsonObject(params) ? (params['sessionId'] ?? undefined) : undefined;
  if (of !== undefined && isForeign(of)) return refused("This isn't the session that Rondo opened.");
  switch (method) {
    case 'session/request_permission':
      return parsed(wire.permissionRequest, params, async (request) => {
        if (served === undefined) return { result: { outcome: { outcome: 'cancelled' } } };
        if (isAmbiguous(request.options)) return refused('One option id stands for answers of several kinds.');
        const wanted = await withComposed(await permissionOf(request, describe, contextOf(served)), served);
        const answer = await askOnce(served, wanted, signal);
        return { result: { outcome: outcomeOf(answer) } };
      });
    case 'elicitation/create':
      return parsed(wire.elicitationRequest, params, async (request) => {
        if (served === undefined) return { result: { action: 'cancel' } };
        const form = formOf(request);
        if (form === undefined) return refused(`Elicitation mode ${request.mode} isn't supported.`);
        const { elicitationId } = request;
        if (elicitationId === undefined) return { result: formResult(await ask(served, form, signal)) };
        const done = new AbortController();
        served.elicited.set(elicitationId, done);
        const answer = await ask(served, form, AbortSignal.any([signal, done.signal]));
        served.elicited.delete(elicitationId);
        return { result: done.signal.aborted ? { action: 'accept' } : formResult(answer) };
      });
    case 'fs/read_text_file':
      return parsed(wire.readFileRequest, params, async (request) => {
        const refusal = await gate('read', { path: request.path }, `read:${request.path}`);
        if (refusal !== undefined) return refusal;
        return fileAnswer(await readTextFile(request, placeOf(served)), (content) => ({ content }));
      });
    case 'fs/write_text_file':
      return parsed(wire.writeFileRequest, params, async (request) => {
        const { path: file, content } = request;
        const refusal = await gate('write', { path: file, content }, `write:${file}`);
        if (refusal !== undefined) return refusal;
        return fileAnswer(await writeTextFile(request, placeOf(served)), () => ({}));
      });
    case 'terminal/create':
      return parsed(wire.createTerminalRequest, params, async ({ command, args, env, cwd, outputByteLimit }) => {
        const wanted = terminalLine(command, args ?? [], env ?? []);
        if (wanted.type !== 'done') return refused(wanted.message);
        const { line, env: set } = wanted.value;
        const place = typeof cwd === 'string' ? { cwd } : {};
        const refusal = await gate(
          'shell',
          { command: line, ...place },
          shellAllowance(line, cwd, placeOf(served)),
        );
        if (refusal !== undefined) return refusal;
        const made = await terminals.create({
          line,
          env: set,
          ...place,
          ...(typeof outputByteLimit === 'number' && { outputByteLimit }),
        });
        return fileAnswer(made, (terminalId) => ({ terminalId }));
      });
    case 'terminal/output':
      return parsed(wire.terminalRequest, params, async ({ terminalId }) =>
        found(terminals.output(terminalId), terminalId),
      );
    case 'terminal/wait_for_exit':
      return parsed(wire.terminalRequest, params, async ({ terminalId }) =>
        found(await terminals.exit(terminalId), terminalId),
      );
    case 'terminal/kill':
      return parsed(wire.terminalRequest, params, async ({ terminalId }) =>
        found((await terminals.kill(terminalId)) ? {} : undefined, terminalId),
      );
    case 'terminal/release':
      return parsed(wire.terminalRequest, params, async ({ terminalId }) =>
        found((await terminals.release(terminalId)) ? {} : undefined, terminalId),
      );
    default:
      return { error: { code: rpcCodes.methodNotFound, message: `Method ${method} isn't supported.` } };
  }

  /** Undefined if the action is allowed. */
  async function gate(
    tool: 'read' | 'write' | 'shell',
    args: Readonly<Record<string, unknown>>,
    allowance: string,
  ): Promise<RpcAnswer | undefined> {
    if (served === undefined) return refused('No turn is running.');
    if (served.allowed.has(allowance)) return undefined;
    const { state } = served.turn.host;
    const request = await serviceRequest({ id: `${tool}-${allowance}`, tool, args }, describe, contextOf(served));
    const policy = { rules: state.rules, grants: state.grants, tools: 'all' } as const;
    // Reads are nearly always allowed, so only the others are worth recording.
    if (tool === 'read' && judge(request.call, policy, state.mode).verdict === 'allow') return undefined;
    const answer = await ask(served, request, signal);
    if (answer.type === 'option' && answer.option === 'allow') return undefined;
    return refused(`The user or the policy does not allow ${tool} here.`);
  }
}

/** A no must never reach the agent as a yes. */
function isAmbiguous(options: z.output<typeof wire.permissionRequest>['options']): boolean {
  return options.some(({ optionId, kind }) =>
    options.some((one) => one.optionId === optionId && one.kind !== kind),
  );
}

/** A URL that doesn't occur in the user's text needs approval, as it does for Rondo's own models (S18). */
async function withComposed(
  request: Extract<AgentRequest, { type: 'permission' }>,
  { turn }: ServedTurn,
): Promise<Extract<AgentRequest, { type: 'permission' }>> {
  const [call = request.call] = await withComposedUrls([request.call], turn.host);
  return { ...request, call };
}

/** An answer belongs to its call: asking the same about the same call returns it again. */
async function askOnce(
  served: ServedTurn,
  request: Extract<AgentRequest, { type: 'permission' }>,
  signal: AbortSignal,
): Promise<AgentAnswer> {
  const name = `${request.call.id} ${request.key}`;
  const earlier = served.answered.get(name);
  if (earlier !== undefined) return earlier;
  const answer = await ask(served, request, signal);
  if (answer.type === 'option') served.answered.set(name, answer);
  return answer;
}

type Elicitation = z.output<typeof wire.elicitationRequest>;

/** Undefined if Rondo can't ask this. */
function formOf({ mode, message, requestedSchema, url }: Elicitation): AgentRequest | undefined {
  if (mode === 'form') {
    const key = requestKey('form', [message, requestedSchema]);
    return { type: 'form', key, message, schema: requestedSchema ?? { type: 'object' } };
  }
  if (mode !== 'url' || url === undefined || !/^https?:\/\//i.test(url)) return undefined;
  return { type: 'form', key: requestKey('form', [message, url]), message, schema: { type: 'object' }, url };
}

async function ask(served: ServedTurn, request: AgentRequest, signal: AbortSignal): Promise<AgentAnswer> {
  served.flush();
  const answer = await served.asking.ask(request, signal);
  if (request.type === 'permission' && answer.type === 'option') {
    const kind = request.options.find(({ id }) => id === answer.option)?.kind;
    if (kind === 'allow-once' || kind === 'allow-always') {
      for (const allowance of allowancesOf(request, placeOf(served))) served.allowed.add(allowance);
    }
  }
  return answer;
}

function contextOf({ turn }: ServedTurn) {
  const { host, context } = turn;
  const { agent, rules } = host.state;
  return {
    session: host.session,
    agent: agent.name,
    cwd: context.cwd,
    roots: context.roots,
    fileRules: fileRulesAmong(rules),
  };
}

function placeOf(served: ServedTurn | undefined) {
  return { cwd: served?.turn.context.cwd ?? '/', roots: served?.turn.context.roots ?? [] };
}

function outcomeOf(answer: AgentAnswer): Readonly<Record<string, unknown>> {
  return answer.type === 'option' ? { outcome: 'selected', optionId: answer.option } : { outcome: 'cancelled' };
}

function formResult(answer: AgentAnswer): Readonly<Record<string, unknown>> {
  switch (answer.type) {
    case 'form':
      return { action: 'accept', content: answer.form };
    case 'declined':
      return { action: 'decline' };
    case 'option':
    case 'cancelled':
      return { action: 'cancel' };
  }
}

function fileAnswer<Value>(served: Served<Value>, result: (value: Value) => unknown): RpcAnswer {
  switch (served.type) {
    case 'done':
      return { result: result(served.value) };
    case 'missing':
      return { error: { code: rpcCodes.notFound, message: served.message } };
    case 'refused':
      return refused(served.message);
  }
}

function found(result: unknown, terminal: string): RpcAnswer {
  if (result !== undefined) return { result };
  return { error: { code: rpcCodes.notFound, message: `Unknown terminal ${terminal}.` } };
}

function refused(message: string): RpcAnswer {
  return { error: { code: rpcCodes.invalidParams, message } };
}

async function parsed<Value>(
  schema: { safeParse(value: unknown): { success: true; data: Value } | { success: false; error: Error } },
  params: unknown,
  serve: (value: Value) => Promise<RpcAnswer>,
): Promise<RpcAnswer> {
  const read = schema.safeParse(params);
  return read.success
    ? serve(read.data)
    : refused(`The request cannot be read: ${read.error.message.slice(0, 300)}`);
}
