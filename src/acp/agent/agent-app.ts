/**
 * Rondo as an agent of the Agent Client Protocol, v1. An editor's sessions are ordinary sessions of the store: they
 * outlive the editor and this process, and other clients may watch and answer.
 *
 * Rondo's own tools handle files and commands, behind its own gate. The file tools work on the editor's buffers if
 * it offers them. Commands don't run in the editor's terminal, which has no sandbox and outlives the session: an editor
 * that can draws their output as one.
 */
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

import { optional } from '../../kernel/optional.ts';
import type { AgentHost } from './agent-host.ts';
import { editorClient } from './asking-client.ts';
import { cancellable } from './cancellable.ts';
import { createEditorSessions, type Opening } from './editor-sessions.ts';
import { tellingFaults } from './fault-response.ts';
import { promptContent } from './prompt-content.ts';

export function createAgentApp(host: AgentHost): AgentApp {
  const sessions = createEditorSessions(host);
  let capabilities: ClientCapabilities = {};
  const openingOf = (given: Given, client: AgentContext): Opening => ({
    client: editorClient(client, capabilities),
    ...optional({ servers: given.mcpServers, folders: given.additionalDirectories }),
  });

  return agent({ name: 'rondo' })
    .onRequest(methods.agent.initialize, ({ params }): InitializeResponse => {
      capabilities = params.clientCapabilities ?? {};
      sessions.meet(params.clientInfo?.name);
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
    .onRequest(methods.agent.session.new, ({ params, client }) =>
      sessions.create(params.cwd, openingOf(params, client)),
    )
    .onRequest(methods.agent.session.load, ({ params, client }) =>
      sessions.resume(params.sessionId, openingOf(params, client), 'replayed'),
    )
    .onRequest(methods.agent.session.resume, ({ params, client }) =>
      sessions.resume(params.sessionId, openingOf(params, client), 'skipped'),
    )
    .onRequest(methods.agent.session.list, ({ params }) => sessions.list(params))
    .onRequest(methods.agent.session.close, async ({ params }) => {
      await sessions.close(params.sessionId);
      return {};
    })
    .onRequest(methods.agent.session.delete, async ({ params }) => {
      await sessions.delete(params.sessionId);
      return {};
    })
    .onRequest('session/fork', forkParams, ({ params, client }) =>
      sessions.fork(params.sessionId, openingOf(params, client)),
    )
    .onRequest(methods.agent.session.setMode, async ({ params }) => {
      await sessions.setMode(params.sessionId, params.modeId);
      return {};
    })
    .onRequest(methods.agent.session.setConfigOption, ({ params }) =>
      sessions.setOption(params.sessionId, params.configId, params.value),
    )
    .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, signal }) => {
      const prompted = await sessions.prompt(sessionId, promptContent(prompt));
      if (prompted.type === 'said') return { stopReason: 'end_turn' };
      const cancel = () => sessions.cancel(sessionId);
      return cancellable(signal, host, cancel, () => tellingFaults(() => prompted.prompt.ended));
    })
    .onNotification(methods.agent.session.cancel, ({ params }) => sessions.cancel(params.sessionId))
    .onConnect(({ closed }) => {
      void closed.then(() => sessions.closeAll());
    });
}

interface Given {
  readonly mcpServers?: readonly McpServer[];
  readonly additionalDirectories?: readonly string[];
}

const FORK: object = { fork: {} };

interface ForkParams extends Required<Given> {
  readonly sessionId: string;
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
