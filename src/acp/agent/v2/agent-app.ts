/**
 * Rondo as an agent of the Agent Client Protocol, draft of version 2, for editors that offer it. The sessions and
 * their items are those of version 1. What differs:
 *
 * 1. A prompt is answered when a turn takes it, with its message's id. Until then it waits in the queue.
 * 2. A state, not an answer, says that a turn is over.
 * 3. The editor's files and terminals aren't part of this version.
 */
import { RequestError, type ContentBlock, type McpServer as McpServerV1 } from '@agentclientprotocol/sdk';
import {
  agent,
  assertSupportedMcpServers,
  methods,
  PROTOCOL_VERSION,
  type AgentApp,
  type AgentContext,
  type ClientCapabilities,
  type ContentBlock as ContentBlockV2,
  type InitializeResponse,
  type McpServer,
} from '@agentclientprotocol/sdk/experimental/v2';

import { optional } from '../../../kernel/optional.ts';
import type { AgentHost } from '../agent-host.ts';
import { cancellable } from '../cancellable.ts';
import { createEditorSessions, type Opening } from '../editor-sessions.ts';
import { promptContent } from '../prompt-content.ts';
import { editorClientV2 } from './editor-client.ts';
import { configOptionV2 } from './updates.ts';

export function createAgentAppV2(host: AgentHost): AgentApp {
  const sessions = createEditorSessions(host);
  let capabilities: ClientCapabilities = {};
  const openingOf = ({ mcpServers, additionalDirectories: folders }: Given, client: AgentContext): Opening => {
    assertSupportedMcpServers(mcpServers, MCP);
    return {
      client: editorClientV2(client, capabilities),
      ...optional({ servers: mcpServers?.map(serverV1), folders }),
    };
  };

  return agent({ name: 'rondo' })
    .onRequest(methods.agent.initialize, ({ params }): InitializeResponse => {
      capabilities = params.capabilities ?? {};
      sessions.meet(params.info.name);
      return {
        protocolVersion: PROTOCOL_VERSION,
        info: { name: 'rondo', title: 'Rondo', version: host.version },
        capabilities: {
          session: {
            prompt: { image: {}, embeddedContext: {} },
            mcp: MCP,
            delete: {},
            additionalDirectories: {},
            ...FORK,
          },
        },
      };
    })
    .onRequest(methods.agent.session.new, async ({ params, client }) => {
      const { sessionId, configOptions } = await sessions.create(params.cwd, openingOf(params, client));
      return { sessionId, configOptions: configOptions.map(configOptionV2) };
    })
    .onRequest(methods.agent.session.resume, async ({ params, client }) => {
      const { replayFrom } = params;
      if (replayFrom !== undefined && replayFrom !== null && replayFrom.type !== 'start')
        throw RequestError.invalidParams(undefined, `Unknown cursor ${replayFrom.type}. The only one is start.`);
      const history = replayFrom?.type === 'start' ? 'replayed' : 'skipped';
      const opened = await sessions.resume(params.sessionId, openingOf(params, client), history);
      return { configOptions: opened.configOptions.map(configOptionV2) };
    })
    .onRequest('session/fork', forkParams, async ({ params, client }) => {
      const { sessionId, configOptions } = await sessions.fork(params.sessionId, openingOf(params, client));
      return { sessionId, configOptions: configOptions.map(configOptionV2) };
    })
    .onRequest(methods.agent.session.list, ({ params }) => sessions.list(params))
    .onRequest(methods.agent.session.close, ({ params }) => sessions.close(params.sessionId))
    .onRequest(methods.agent.session.delete, ({ params }) => sessions.delete(params.sessionId))
    .onRequest(methods.agent.session.setConfigOption, async ({ params }) => {
      const { configOptions } = await sessions.setOption(params.sessionId, params.configId, params.value);
      return { configOptions: configOptions.map(configOptionV2) };
    })
    .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, signal }) => {
      const prompted = await sessions.prompt(sessionId, promptContent(prompt.flatMap(blockV1)));
      if (prompted.type === 'said') return { messageId: prompted.message };
      const withdraw = () => sessions.withdraw(sessionId, prompted.prompt);
      const messageId = await cancellable(signal, host, withdraw, () => prompted.prompt.inserted);
      return { messageId };
    })
    .onNotification(methods.agent.session.cancel, ({ params }) => sessions.cancel(params.sessionId))
    .onConnect(({ closed }) => {
      void closed.then(() => sessions.closeAll());
    });
}

interface Given {
  readonly mcpServers?: McpServer[];
  readonly additionalDirectories?: string[];
}

const MCP = { stdio: {}, http: {} };

/** Not in the stable part of the draft yet. */
const FORK: object = { fork: {} };

function forkParams(params: unknown): Given & { readonly sessionId: string } {
  const { sessionId, mcpServers, additionalDirectories } = (params ?? {}) as Partial<
    ReturnType<typeof forkParams>
  >;
  if (typeof sessionId !== 'string') throw RequestError.invalidParams(undefined, 'session/fork takes a sessionId');
  return { sessionId, ...optional({ mcpServers, additionalDirectories }) };
}

function serverV1(server: McpServer): McpServerV1 {
  const v1 = server as Extract<McpServer, { url: string } | { command: string }>;
  if ('url' in v1) return { type: 'http', name: v1.name, url: v1.url, headers: [...(v1.headers ?? [])] };
  return { name: v1.name, command: v1.command, args: [...(v1.args ?? [])], env: [...(v1.env ?? [])] };
}

/** Prompts have the same parts in both versions. The SDK has checked those it knows. */
function blockV1(block: ContentBlockV2): ContentBlock[] {
  return isKnown(block) ? [block] : [];
}

function isKnown(block: ContentBlockV2): block is ContentBlockV2 & ContentBlock {
  return ['text', 'image', 'audio', 'resource_link', 'resource'].includes(block.type);
}
