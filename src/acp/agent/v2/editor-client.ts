/** The editor at the other end, in version 2 of the protocol. */
import {
  methods,
  type AgentContext,
  type ClientCapabilities,
  type ElicitationSchema,
  type SessionUpdate,
  type StateUpdate,
} from '@agentclientprotocol/sdk/experimental/v2';

import type { Ending } from '../../../kernel/outcome.ts';
import type {
  BackgroundWorker,
  EditorClient,
  EditorSession,
  Filled,
  Foreground,
  Permission,
} from '../editor-client.ts';
import { permissionOutcome } from '../permission.ts';
import { createShownTerminals } from '../shown-terminals.ts';
import { endingError, stopReasonOf } from '../stop-reason.ts';
import { toolCallV2, updatesV2 } from './updates.ts';

export function editorClientV2(client: AgentContext, capabilities: ClientCapabilities): EditorClient {
  return {
    session: (id) => sessionClient(id, client, capabilities),
    // Version 2 has neither the editor's files nor terminals that the editor runs, but it draws the agent's.
    buffers: () => undefined,
    terminals: (cwd) => createShownTerminals({ _meta: { terminal_output: true } }, cwd),
    takesSwitches: true,
  };
}

function sessionClient(
  sessionId: string,
  client: AgentContext,
  { elicitation }: ClientCapabilities,
): EditorSession {
  // Ignore a disconnected client. The journal keeps the updates it misses.
  const tell = (update: SessionUpdate) =>
    client.notify(methods.client.session.update, { sessionId, update }).catch(() => undefined);
  const patience = (cancellationSignal: AbortSignal) => ({ cancellationSignal, stopWaitingOnCancel: true });
  const announced = new Set<string>();

  /** Only known work may be part of the background. */
  async function announce({ worker, state, text }: BackgroundWorker): Promise<void> {
    if (announced.has(worker) && state === 'running') return;
    announced.add(worker);
    await tell({
      sessionUpdate: 'tool_call_update',
      toolCallId: workerCallId(worker),
      title: `Worker ${worker}`,
      kind: 'other',
      status: state === 'running' ? 'in_progress' : state,
      ...(text !== undefined &&
        text !== '' && { content: [{ type: 'content', content: { type: 'text', text } }] }),
    });
  }

  return {
    async update(update, how) {
      for (const one of updatesV2(update, how)) await tell(one);
    },
    async tellState(foreground) {
      for (const worker of foreground.background) await announce(worker);
      await tell({ sessionUpdate: 'state_update', ...stateUpdate(foreground) });
    },
    async ask(permission, signal) {
      const params = { sessionId, ...permissionRequest(permission) };
      const { outcome } = await client.request(methods.client.session.requestPermission, params, patience(signal));
      return { outcome: permissionOutcome(outcome) };
    },
    ...(isOffered(elicitation?.form) && {
      async fillForm({ message, schema }: { message: string; schema: unknown }, signal: AbortSignal) {
        const requestedSchema = schema as ElicitationSchema;
        const params = { mode: 'form' as const, sessionId, message, requestedSchema };
        return filledFrom(await client.request(methods.client.elicitation.create, params, patience(signal)));
      },
    }),
    ...(isOffered(elicitation?.url) && {
      async openUrl({ message, url, id }: { message: string; url: string; id: string }, signal: AbortSignal) {
        const params = { mode: 'url' as const, sessionId, message, url, elicitationId: id };
        return filledFrom(await client.request(methods.client.elicitation.create, params, patience(signal)));
      },
    }),
  };
}

function isOffered(capability: object | null | undefined): boolean {
  return capability !== null && capability !== undefined;
}

function workerCallId(worker: string): string {
  return `worker-${worker}`;
}

function stateUpdate(foreground: Foreground): StateUpdate {
  const background = foreground.background
    .filter(({ state }) => state === 'running')
    .map(({ worker }) => ({ type: 'tool_call' as const, toolCallId: workerCallId(worker) }));
  switch (foreground.state) {
    case 'running':
      return { state: 'running', background };
    case 'requires_action':
      return { state: 'requires_action', background };
    case 'idle':
      return { state: 'idle', background, ...stopOf(foreground.ending) };
  }
}

function stopOf(ending: Ending | undefined) {
  if (ending === undefined) return {};
  const stopReason = stopReasonOf(ending);
  if (stopReason !== undefined) return { stopReason } as { readonly stopReason: 'end_turn' };
  const { code, message } = endingError(ending);
  return { stopReason: 'error' as const, error: { code, message } };
}

/** The request's title and text are its own: only a call's changes are shown with the call. */
function permissionRequest({ options, toolCall, isAboutCall }: Permission) {
  const { title, content, ...call } = toolCall;
  const texts = (content ?? []).flatMap((one) =>
    one.type === 'content' && one.content.type === 'text' ? [one.content.text] : [],
  );
  const links = (content ?? []).flatMap((one) =>
    one.type === 'content' && one.content.type === 'resource_link' ? [one.content.uri] : [],
  );
  const description = [...links, ...texts].join('\n');
  const changes = (content ?? []).filter(({ type }) => type === 'diff');
  const subject = { type: 'tool_call' as const, toolCall: toolCallV2({ ...call, content: changes }) };
  return {
    title: title ?? 'Allow?',
    ...(description !== '' && { description }),
    ...(isAboutCall && { subject }),
    options: options.map(({ optionId, name, kind }) => ({ optionId, name, kind })),
  };
}

function filledFrom(answer: { readonly action: string; readonly content?: unknown }): Filled {
  if (answer.action === 'accept') return { type: 'filled', content: answer.content ?? {} };
  return { type: answer.action === 'decline' ? 'declined' : 'left' };
}
