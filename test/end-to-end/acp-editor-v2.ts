// The SDK's client of the protocol's version 2 on the standard streams of the real binary, acting as an editor.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';

import {
  type AnyMessage,
  client,
  type ClientCapabilities,
  type ClientContext,
  type CreateElicitationRequest,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk/experimental/v2';

import { rondoBinary } from '../fixtures/rondo-binary.ts';
import { bareEnv, type CliPlace } from './cli-process.ts';

export interface EditorV2 extends AsyncDisposable {
  readonly agent: ClientContext;
  /** Updates, and `answer METHOD` for each answer of the agent, in the order of the wire. */
  readonly wire: readonly (SessionUpdate | { readonly sessionUpdate: `_answer`; readonly method: string })[];
  readonly permissions: readonly RequestPermissionRequest[];
  readonly forms: readonly CreateElicitationRequest[];
  onPermission: (request: RequestPermissionRequest, signal: AbortSignal) => Promise<RequestPermissionResponse>;
  kill(): Promise<void>;
}

export async function openEditorV2(place: CliPlace, capabilities: ClientCapabilities = {}): Promise<EditorV2> {
  const child = spawn(process.execPath, [rondoBinary, 'acp', '--agent', 'testing'], {
    cwd: place.project,
    env: bareEnv(place),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const wire: EditorV2['wire'][number][] = [];
  const permissions: RequestPermissionRequest[] = [];
  const forms: CreateElicitationRequest[] = [];
  const methodOf = new Map<unknown, string>();
  const app = client({ name: 'test editor' })
    .onNotification(methods.client.session.update, () => undefined)
    .onRequest(methods.client.session.requestPermission, ({ params, signal }) => {
      permissions.push(params);
      return editor.onPermission(params, signal);
    })
    .onRequest(methods.client.elicitation.create, ({ params }) => {
      forms.push(params);
      return { action: 'accept', content: { choice: 'blue' } };
    });
  const lines = ndJsonStream(
    Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
  );
  const received = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      if ('method' in message && message.method === methods.client.session.update)
        wire.push((message.params as { readonly update: SessionUpdate }).update);
      else if (!('method' in message))
        wire.push({ sessionUpdate: '_answer', method: methodOf.get(message.id) ?? '' });
      controller.enqueue(message);
    },
  });
  const sent = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      if ('method' in message && 'id' in message) methodOf.set(message.id, message.method);
      controller.enqueue(message);
    },
  });
  void sent.readable.pipeTo(lines.writable).catch(() => undefined);
  const connection = app.connect({ writable: sent.writable, readable: lines.readable.pipeThrough(received) });
  async function kill() {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  const editor: EditorV2 = {
    agent: connection.agent,
    wire,
    permissions,
    forms,
    onPermission: async () => ({ outcome: { outcome: 'selected', optionId: 'allow-once' } }),
    kill,
    async [Symbol.asyncDispose]() {
      connection.close();
      await kill();
    },
  };
  const { protocolVersion } = await editor.agent.request(methods.agent.initialize, {
    protocolVersion: 2,
    info: { name: 'test editor', version: '1' },
    capabilities,
  });
  if (protocolVersion !== 2) throw new Error(`Rondo answered with version ${protocolVersion}.`);
  return editor;
}

export async function newSessionV2(editor: EditorV2, place: CliPlace): Promise<string> {
  const { sessionId } = await editor.agent.request(methods.agent.session.new, { cwd: place.project });
  return sessionId;
}

export const promptV2 = (editor: EditorV2, sessionId: string, text: string, signal?: AbortSignal) =>
  editor.agent.request(
    methods.agent.session.prompt,
    { sessionId, prompt: [{ type: 'text', text }] },
    signal === undefined ? {} : { cancellationSignal: signal },
  );

/** The states so far, each with its reason. */
export function statesIn({ wire }: Pick<EditorV2, 'wire'>): readonly string[] {
  return wire.flatMap((update) => {
    if (update.sessionUpdate !== 'state_update') return [];
    const { state, stopReason } = update as { readonly state: string; readonly stopReason?: string };
    return [stopReason === undefined ? state : `${state} ${stopReason}`];
  });
}
