/**
 * Rondo as an agent of the Agent Client Protocol, v1. An editor's sessions are ordinary sessions of the store: they
 * outlive the editor and this process, and other clients may watch and answer.
 *
 * Rondo's own tools handle files and commands, behind its own gate. The file tools work on the editor's buffers if
 * it offers them. Commands don't run in the editor's terminal, which has no sandbox and outlives the session: an editor
 * that can draws their output as one.
 */
import path from 'node:path';

import {
  agent,
  methods,
  type AgentApp,
  type AgentContext,
  type ClientCapabilities,
  type InitializeResponse,
  type McpServer,
  PROTOCOL_VERSION,
  RequestError,
} from '@agentclientprotocol/sdk';

import { resultLines } from '../../commands/lines/result-lines.ts';
import { commandForPeople, commandsOf, runSlashCommand } from '../../commands/run-command.ts';
import type { Actor } from '../../kernel/actor.ts';
import { optional } from '../../kernel/optional.ts';
import type { ClientInput } from '../../session/client-input.ts';
import { sessionAs } from '../../session/handle/session-as.ts';
import type { Session } from '../../session/handle/session.ts';
import { additionalDirectories } from './additional-directories.ts';
import type { AgentHost, ListedSession } from './agent-host.ts';
import { createOpenSessions } from './open-sessions.ts';
import { promptContent } from './prompt-content.ts';
import { optionInput } from './session-options.ts';
import { tellingFaults } from './fault-response.ts';

export function createAgentApp(host: AgentHost): AgentApp {
  const commands = commandsOf('lines');
  let capabilities: ClientCapabilities = {};
  const open = createOpenSessions(host, commands, () => capabilities);
  const actorType = host.mayDecide ? 'person' : 'program';
  let by: Actor = { type: actorType, name: 'acp' };

  async function find(id: string): Promise<Session> {
    const session = await tellingFaults(() => host.get(id));
    if (session === undefined) throw RequestError.sessionNotFound(id);
    return session;
  }

  const attach = async (session: Session, client: AgentContext, { servers = [], folders, history }: Opening) =>
    open.attach(session, { client, by, servers, history, folders: await additionalDirectories(folders) });

  function checkMayDecide(what: string): void {
    if (!host.mayDecide)
      throw RequestError.invalidRequest(
        undefined,
        `${what} is for people, and an agent's session runs this program.`,
      );
  }

  async function change(id: string, input: ClientInput): Promise<void> {
    checkMayDecide('Changing a setting');
    const receipt = await open.opened(id).session.send(input, { by });
    if (receipt.type === 'refused') throw RequestError.invalidParams(undefined, receipt.refusal.message);
  }

  return agent({ name: 'rondo' })
    .onRequest(methods.agent.initialize, ({ params }): InitializeResponse => {
      capabilities = params.clientCapabilities ?? {};
      by = { type: actorType, name: params.clientInfo?.name ?? 'acp' };
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: 'rondo', title: 'Rondo', version: host.version },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, audio: false, embeddedContext: true },
          mcpCapabilities: { http: true, sse: true },
          // `fork` isn't in the stable schema yet. Clients that support it look for it here.
          sessionCapabilities: {
            list: {},
            resume: {},
            close: {},
            delete: {},
            additionalDirectories: {},
            ...FORK,
          },
        },
        authMethods: [],
      };
    })
    .onRequest(methods.agent.authenticate, () => ({}))
    .onRequest(methods.agent.session.new, async ({ params, client }) => {
      if (!path.isAbsolute(params.cwd))
        throw RequestError.invalidParams(undefined, `cwd must be absolute, not ${params.cwd}`);
      // Before the session exists: invalid folders leave nothing behind.
      await additionalDirectories(params.additionalDirectories);
      const session = await tellingFaults(() => host.create({ cwd: params.cwd, by }));
      const set = await attach(session, client, openingOf(params, 'untold'));
      return { sessionId: session.id, ...set };
    })
    .onRequest(methods.agent.session.load, async ({ params, client }) =>
      attach(await find(params.sessionId), client, openingOf(params, 'told')),
    )
    .onRequest(methods.agent.session.resume, async ({ params, client }) =>
      attach(await find(params.sessionId), client, openingOf(params, 'untold')),
    )
    .onRequest(methods.agent.session.list, async ({ params }) => {
      const page = await host.list(typeof params.cursor === 'string' ? { cursor: params.cursor } : {});
      const sessions = page.entries
        .filter(({ cwd }) => typeof params.cwd !== 'string' || cwd === params.cwd)
        .filter((entry) => !isEmpty(entry))
        .map(({ session, cwd, title, updatedAt }) => ({
          sessionId: session,
          cwd,
          ...(title !== '' && { title }),
          updatedAt: new Date(updatedAt).toISOString(),
        }));
      return { sessions, ...optional({ nextCursor: page.next }) };
    })
    .onRequest(methods.agent.session.close, async ({ params: { sessionId } }) => {
      const { feed, session } = open.opened(sessionId);
      open.forget(sessionId);
      await feed.cancel();
      await feed.close();
      await session.close();
      return {};
    })
    .onRequest(methods.agent.session.delete, async ({ params: { sessionId } }) => {
      const known = open.get(sessionId);
      const session = known?.session ?? (await find(sessionId));
      open.forget(sessionId);
      await known?.feed.cancel();
      await session.wait({ whenAsked: 'return' });
      await known?.feed.close();
      await session.close();
      await tellingFaults(() => host.delete(sessionId));
      return {};
    })
    .onRequest('session/fork', forkParams, async ({ params, client }) => {
      await find(params.sessionId);
      const session = await tellingFaults(() => host.fork(params.sessionId, by));
      const set = await attach(session, client, openingOf(params, 'untold'));
      return { sessionId: session.id, ...set };
    })
    .onRequest(methods.agent.session.setMode, async ({ params }) => {
      await change(params.sessionId, { type: 'mode', mode: params.modeId });
      return {};
    })
    .onRequest(methods.agent.session.setConfigOption, async ({ params }) => {
      const { session, cwd } = open.opened(params.sessionId);
      const { configOptions } = await open.settings({ session, cwd });
      const status = await session.status();
      await change(session.id, optionInput(params.configId, params.value, status, configOptions));
      return { configOptions: (await open.settings({ session, cwd })).configOptions };
    })
    .onRequest(methods.agent.session.prompt, async ({ params, signal }) => {
      const { session, feed, cwd } = open.opened(params.sessionId);
      const content = promptContent(params.prompt);
      if (content.attachments.length === 0) {
        const forPeople = commandForPeople(content.text);
        if (forPeople !== undefined) checkMayDecide(forPeople);
        const place = { rondo: host.client(by), session: sessionAs(session, by), commands, save: host.save(cwd) };
        const result = await tellingFaults(() => runSlashCommand(content.text, place));
        if (result !== undefined) {
          await feed.say((await resultLines(result)).join('\n'));
          return { stopReason: 'end_turn' };
        }
      }
      const cancel = () => void feed.cancel().catch((error: unknown) => host.onProblem(String(error)));
      signal.addEventListener('abort', cancel, { once: true });
      try {
        return await tellingFaults(() => feed.prompt(content));
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    })
    .onNotification(methods.agent.session.cancel, async ({ params }) => {
      await open.get(params.sessionId)?.feed.cancel();
    })
    .onConnect(({ closed }) => {
      void closed.then(() => open.closeAll());
    });
}

/** Editors open a session for every new chat, also for those that nobody uses. */
function isEmpty({ title, turns, queued }: ListedSession): boolean {
  return title === '' && turns === 0 && queued === 0;
}

interface Opening {
  readonly servers?: readonly McpServer[];
  readonly folders?: readonly string[];
  readonly history: 'told' | 'untold';
}

function openingOf(
  params: { readonly mcpServers?: readonly McpServer[]; readonly additionalDirectories?: readonly string[] },
  history: Opening['history'],
): Opening {
  const { mcpServers: servers, additionalDirectories: folders } = params;
  return { history, ...optional({ servers, folders }) };
}

const FORK: object = { fork: {} };

interface ForkParams {
  readonly sessionId: string;
  readonly mcpServers: readonly McpServer[];
  readonly additionalDirectories: readonly string[];
}

function forkParams(params: unknown): ForkParams {
  const {
    sessionId,
    mcpServers = [],
    additionalDirectories: folders = [],
  } = (params ?? {}) as Partial<ForkParams>;
  if (typeof sessionId !== 'string' || !Array.isArray(mcpServers) || !Array.isArray(folders))
    throw RequestError.invalidParams(
      undefined,
      'session/fork takes a sessionId, mcpServers and additionalDirectories',
    );
  return { sessionId, mcpServers, additionalDirectories: folders };
}
