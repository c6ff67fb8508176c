/**
 * Rondo as an agent of the Agent Client Protocol, v1: an editor's sessions are ordinary sessions of the
 * store, so they outlive the editor and this process, and others may watch and answer.
 *
 * Files and commands are the business of the agent's own tools, behind its own gate: what a client offers
 * of `fs` and `terminal` is not used.
 */
import path from 'node:path';

import {
  agent,
  type AgentApp,
  type AgentContext,
  type ClientCapabilities,
  type InitializeResponse,
  type McpServer,
  methods,
  PROTOCOL_VERSION,
  RequestError,
} from '@agentclientprotocol/sdk';

import type { Actor } from '../../kernel/actor.ts';
import { Fault } from '../../kernel/fault.ts';
import type { ClientInput } from '../../session/client-input.ts';
import type { Session } from '../../session/session.ts';
import { promptContent } from './prompt-content.ts';
import { openSessionFeed, type SessionFeed } from './session-feed.ts';
import { configOptionsOf, modesOf, type Choices } from './session-options.ts';
import type { AskingClient } from './session-questions.ts';

export interface AgentHost {
  readonly version: string;
  create(options: { readonly cwd: string; readonly by: Actor }): Promise<Session>;
  /** Undefined where there is none of exactly that id. */
  get(id: string): Promise<Session | undefined>;
  list(query: { readonly cursor?: string }): Promise<ListedSessions>;
  delete(id: string): Promise<void>;
  /** A session that goes on where this one is. */
  fork(id: string, by: Actor): Promise<Session>;
  choices(cwd: string): Promise<Choices>;
  readonly commands: {
    readonly list: readonly { readonly name: string; readonly summary: string; readonly hint?: string }[];
    /** What the command shows; undefined where the text is none of them. */
    run(text: string, session: Session): Promise<string | undefined>;
  };
  /** Lends a session the MCP servers of its client, for as long as this process lives. */
  lend(session: string, servers: readonly McpServer[]): readonly string[];
  onProblem(message: string): void;
}

interface ListedSessions {
  readonly entries: readonly {
    readonly session: string;
    readonly cwd: string;
    readonly title: string;
    readonly updatedAt: number;
  }[];
  readonly next?: string;
}

export function createAgentApp(host: AgentHost): AgentApp {
  const open = new Map<string, { readonly session: Session; readonly feed: SessionFeed; readonly cwd: string }>();
  let capabilities: ClientCapabilities = {};
  let by: Actor = { type: 'person', name: 'acp' };

  function opened(id: string) {
    const found = open.get(id);
    if (found === undefined) throw RequestError.sessionNotFound(id);
    return found;
  }

  async function find(id: string): Promise<Session> {
    const session = await faultless(() => host.get(id));
    if (session === undefined) throw RequestError.sessionNotFound(id);
    return session;
  }

  async function attach(
    session: Session,
    client: AgentContext,
    servers: readonly McpServer[],
    history: 'told' | 'untold',
  ) {
    await open.get(session.id)?.feed.close();
    const { cwd } = await session.status();
    for (const problem of host.lend(session.id, servers)) host.onProblem(problem);
    const feed = await openSessionFeed({
      session,
      cwd,
      by,
      client: askingClient(session.id, client, capabilities),
      onProblem: (message) => host.onProblem(message),
    });
    open.set(session.id, { session, feed, cwd });
    await feed.begin(history);
    return await settings(session, cwd);
  }

  async function settings(session: Session, cwd: string) {
    const status = await session.status();
    return { modes: modesOf(status), configOptions: configOptionsOf(status, await host.choices(cwd)) };
  }

  /** After the answer: a client learns of the session by it. */
  function goOn(sessionId: string, client: AgentContext): void {
    const availableCommands = host.commands.list.map(({ name, summary, hint }) => ({
      name,
      description: summary,
      ...(hint !== undefined && { input: { hint } }),
    }));
    const update = { sessionUpdate: 'available_commands_update' as const, availableCommands };
    setImmediate(() => {
      open.get(sessionId)?.feed.goOn();
      client.notify(methods.client.session.update, { sessionId, update }).catch(() => undefined);
    });
  }

  async function change(id: string, input: ClientInput): Promise<void> {
    const receipt = await opened(id).session.send(input, { by });
    if (receipt.type === 'refused') throw RequestError.invalidParams(undefined, receipt.refusal.message);
  }

  return agent({ name: 'rondo' })
    .onRequest(methods.agent.initialize, ({ params }): InitializeResponse => {
      capabilities = params.clientCapabilities ?? {};
      by = { type: 'person', name: params.clientInfo?.name ?? 'acp' };
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: 'rondo', title: 'Rondo', version: host.version },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, audio: false, embeddedContext: true },
          mcpCapabilities: { http: true, sse: true },
          // `fork` is not in the stable schema yet; clients that know it look for it here.
          sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, ...FORK },
        },
        authMethods: [],
      };
    })
    .onRequest(methods.agent.authenticate, () => ({}))
    .onRequest(methods.agent.session.new, async ({ params, client }) => {
      if (!path.isAbsolute(params.cwd))
        throw RequestError.invalidParams(undefined, `cwd must be absolute, not ${params.cwd}`);
      const session = await faultless(() => host.create({ cwd: params.cwd, by }));
      const set = await attach(session, client, params.mcpServers, 'untold');
      goOn(session.id, client);
      return { sessionId: session.id, ...set };
    })
    .onRequest(methods.agent.session.load, async ({ params, client }) => {
      const set = await attach(await find(params.sessionId), client, params.mcpServers, 'told');
      goOn(params.sessionId, client);
      return set;
    })
    .onRequest(methods.agent.session.resume, async ({ params, client }) => {
      const set = await attach(await find(params.sessionId), client, params.mcpServers ?? [], 'untold');
      goOn(params.sessionId, client);
      return set;
    })
    .onRequest(methods.agent.session.list, async ({ params }) => {
      const page = await host.list(typeof params.cursor === 'string' ? { cursor: params.cursor } : {});
      const sessions = page.entries
        .filter(({ cwd }) => typeof params.cwd !== 'string' || cwd === params.cwd)
        .map(({ session, cwd, title, updatedAt }) => ({
          sessionId: session,
          cwd,
          title,
          updatedAt: new Date(updatedAt).toISOString(),
        }));
      return { sessions, ...(page.next !== undefined && { nextCursor: page.next }) };
    })
    .onRequest(methods.agent.session.close, async ({ params: { sessionId } }) => {
      const { feed, session } = opened(sessionId);
      open.delete(sessionId);
      await feed.cancel();
      await feed.close();
      await session.close();
      return {};
    })
    .onRequest(methods.agent.session.delete, async ({ params: { sessionId } }) => {
      const known = open.get(sessionId);
      const session = known?.session ?? (await find(sessionId));
      open.delete(sessionId);
      await known?.feed.cancel();
      await session.wait({ whenAsked: 'return' });
      await known?.feed.close();
      await session.close();
      await faultless(() => host.delete(sessionId));
      return {};
    })
    .onRequest('session/fork', forkParams, async ({ params, client }) => {
      await find(params.sessionId);
      const session = await faultless(() => host.fork(params.sessionId, by));
      const set = await attach(session, client, params.mcpServers, 'untold');
      goOn(session.id, client);
      return { sessionId: session.id, ...set };
    })
    .onRequest(methods.agent.session.setMode, async ({ params }) => {
      await change(params.sessionId, { type: 'mode', mode: params.modeId });
      return {};
    })
    .onRequest(methods.agent.session.setConfigOption, async ({ params }) => {
      const { session, cwd } = opened(params.sessionId);
      const { value } = params;
      if (typeof value !== 'string')
        throw RequestError.invalidParams(undefined, `${params.configId} takes one of its values`);
      const status = await session.status();
      switch (params.configId) {
        case 'agent':
          await change(session.id, { type: 'agent', agent: value });
          break;
        case 'model':
          await change(session.id, { type: 'agent', agent: status.agent, ...(value !== '' && { model: value }) });
          break;
        default:
          throw RequestError.invalidParams(
            undefined,
            `there is no option ${params.configId}; there are model and agent`,
          );
      }
      return { configOptions: (await settings(session, cwd)).configOptions };
    })
    .onRequest(methods.agent.session.prompt, async ({ params, signal }) => {
      const { session, feed } = opened(params.sessionId);
      const content = promptContent(params.prompt);
      if (content.attachments.length === 0) {
        const shown = await host.commands.run(content.text, session);
        if (shown !== undefined) {
          await feed.say(shown);
          return { stopReason: 'end_turn' };
        }
      }
      const cancel = () => void feed.cancel().catch((error: unknown) => host.onProblem(String(error)));
      signal.addEventListener('abort', cancel, { once: true });
      try {
        return await faultless(() => feed.prompt(content));
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    })
    .onNotification(methods.agent.session.cancel, async ({ params }) => {
      await open.get(params.sessionId)?.feed.cancel();
    })
    .onConnect(({ closed }) => {
      void closed.then(async () => {
        for (const { feed } of open.values()) await feed.close();
        open.clear();
      });
    });
}

const FORK: object = { fork: {} };

function forkParams(params: unknown): { readonly sessionId: string; readonly mcpServers: readonly McpServer[] } {
  const { sessionId, mcpServers = [] } = (params ?? {}) as { sessionId?: unknown; mcpServers?: McpServer[] };
  if (typeof sessionId !== 'string' || !Array.isArray(mcpServers))
    throw RequestError.invalidParams(undefined, 'session/fork takes a sessionId and mcpServers');
  return { sessionId, mcpServers };
}

/** A fault that a person can do something about is told; others stay what they are. */
async function faultless<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault) throw RequestError.invalidRequest({ code: error.code }, error.message);
    throw error;
  }
}

function askingClient(sessionId: string, client: AgentContext, { elicitation }: ClientCapabilities): AskingClient {
  return {
    // A client that is gone is told nothing; what it misses is in the journal.
    update: (update) => client.notify(methods.client.session.update, { sessionId, update }).catch(() => undefined),
    ask: (request, cancellationSignal) =>
      client.request(methods.client.session.requestPermission, { sessionId, ...request }, { cancellationSignal }),
    ...(isOffered(elicitation?.form) &&
      ({
        async fillForm({ message, schema }, cancellationSignal) {
          const answer = await client.request<{ readonly action: string; readonly content?: unknown }>(
            methods.client.elicitation.create,
            { mode: 'form', sessionId, message, requestedSchema: schema },
            { cancellationSignal },
          );
          if (answer.action === 'accept') return { type: 'filled', content: answer.content ?? {} };
          return { type: answer.action === 'decline' ? 'declined' : 'left' };
        },
      } satisfies Pick<AskingClient, 'fillForm'>)),
  };
}

function isOffered(capability: object | null | undefined): boolean {
  return capability !== null && capability !== undefined;
}
