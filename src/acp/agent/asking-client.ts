import {
  methods,
  type AgentContext,
  type ClientCapabilities,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk';

import { editorBuffers } from './editor-buffers.ts';
import type { AskingClient, EditorClient } from './editor-client.ts';
import { permissionOutcome } from './permission.ts';
import { createShownTerminals } from './shown-terminals.ts';

export function editorClient(client: AgentContext, capabilities: ClientCapabilities): EditorClient {
  return {
    session: (id) => askingClient(id, client, capabilities),
    buffers: (session) => editorBuffers(session, client, capabilities),
    terminals: (cwd) => createShownTerminals(capabilities, cwd),
    takesSwitches: isOffered(capabilities.session?.configOptions?.boolean),
  };
}

/** The client, as one session may ask it. Has forms and URLs only if the client supports them. */
function askingClient(sessionId: string, client: AgentContext, { elicitation }: ClientCapabilities): AskingClient {
  return {
    // Ignore a disconnected client. The journal keeps the updates it misses.
    update: (update) => client.notify(methods.client.session.update, { sessionId, update }).catch(() => undefined),
    async ask({ options, toolCall }, cancellationSignal) {
      const params = { sessionId, options, toolCall };
      const { outcome } = await client.request<RequestPermissionResponse>(
        methods.client.session.requestPermission,
        params,
        { cancellationSignal },
      );
      return { outcome: permissionOutcome(outcome) };
    },
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
    ...(isOffered(elicitation?.url) &&
      ({
        async openUrl({ message, url, id }, cancellationSignal) {
          const answer = await client.request<{ readonly action: string }>(
            methods.client.elicitation.create,
            { mode: 'url', sessionId, message, url, elicitationId: id },
            { cancellationSignal },
          );
          if (answer.action === 'accept') return { type: 'filled', content: {} };
          return { type: answer.action === 'decline' ? 'declined' : 'left' };
        },
      } satisfies Pick<AskingClient, 'openUrl'>)),
  };
}

function isOffered(capability: object | null | undefined): boolean {
  return capability !== null && capability !== undefined;
}
