// The SDK's own client on the standard streams of the real binary, acting as an editor.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';

import {
  type AnyMessage,
  client,
  type ClientCapabilities,
  type ClientContext,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  methods,
  ndJsonStream,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';

import { bareEnv, type CliPlace } from './cli-process.ts';
import { rondoBinary } from '../fixtures/rondo-binary.ts';

export interface Editor extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly agent: ClientContext;
  readonly updates: readonly SessionUpdate[];
  readonly permissions: readonly RequestPermissionRequest[];
  /** Open files with their text, for an editor that lends its files. Others are an error. */
  readonly buffers: Map<string, string>;
  /** Forms it received. */
  readonly forms: readonly string[];
  /** Answers the next forms; as it is, with `in a form`. */
  onForm: (request: CreateElicitationRequest) => CreateElicitationResponse;
  /** Answers the next permission requests. */
  onPermission: (request: RequestPermissionRequest, signal: AbortSignal) => Promise<RequestPermissionResponse>;
  /** The agent's text so far. */
  said(): string;
  readonly log: () => string;
}

export async function openEditor(
  place: CliPlace,
  options: { readonly words?: readonly string[]; readonly capabilities?: ClientCapabilities } = {},
): Promise<Editor> {
  const child = spawn(process.execPath, [rondoBinary, 'acp', '--agent', 'testing', ...(options.words ?? [])], {
    cwd: place.project,
    env: bareEnv(place),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const updates: SessionUpdate[] = [];
  const permissions: RequestPermissionRequest[] = [];
  const forms: string[] = [];
  const buffers = new Map<string, string>();
  const opened = (file: string): string => {
    const text = buffers.get(file);
    if (text === undefined) throw RequestError.resourceNotFound(file);
    return text;
  };
  const app = client({ name: 'test editor' })
    .onRequest(methods.client.fs.readTextFile, ({ params }) => ({ content: opened(params.path) }))
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
      opened(params.path);
      buffers.set(params.path, params.content);
      return {};
    })
    .onNotification(methods.client.session.update, () => undefined)
    .onRequest(methods.client.session.requestPermission, ({ params, signal }) => {
      permissions.push(params);
      return editor.onPermission(params, signal);
    })
    .onRequest(methods.client.elicitation.create, ({ params }) => {
      forms.push(params.mode === 'url' ? `${params.message} ${String(params.url)}` : params.message);
      return editor.onForm(params);
    });
  const output = Writable.toWeb(child.stdin) as WritableStream<Uint8Array>;
  const input = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
  const wire = ndJsonStream(output, input);
  // In the order of the wire: the SDK's client resolves an answer before the handlers of earlier updates ran.
  const noted = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      if ('method' in message && message.method === methods.client.session.update)
        updates.push((message.params as SessionNotification).update);
      controller.enqueue(message);
    },
  });
  const connection = app.connect({ ...wire, readable: wire.readable.pipeThrough(noted) });
  const editor: Editor = {
    child,
    agent: connection.agent,
    updates,
    permissions,
    forms,
    buffers,
    onForm: () => ({ action: 'accept', content: { answer: 'in a form' } }),
    onPermission: async () => ({ outcome: { outcome: 'selected', optionId: 'allow-once' } }),
    said: () =>
      updates
        .flatMap((update) =>
          update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
            ? [update.content.text]
            : [],
        )
        .join(''),
    log: () => log,
    async [Symbol.asyncDispose]() {
      connection.close();
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'close');
      }
    },
  };
  await editor.agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientInfo: { name: 'test editor', version: '1' },
    clientCapabilities: options.capabilities ?? {},
  });
  return editor;
}

export async function newSession(editor: Editor, place: CliPlace): Promise<string> {
  const { sessionId } = await editor.agent.request(methods.agent.session.new, {
    cwd: place.project,
    mcpServers: [],
  });
  return sessionId;
}

export const say = (editor: Editor, sessionId: string, text: string) =>
  editor.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });

/** An editor on `rondo acp` with the agent of the fixtures. */
export async function openEditorOnAgent(place: CliPlace, ...args: readonly string[]): Promise<Editor> {
  const fixture = path.resolve(import.meta.dirname, '../fixtures/acp-agent/main.ts');
  await place.write('../.rondo/config.json', {
    acpAgents: { inner: { command: process.execPath, args: [fixture, ...args] } },
  });
  return openEditor(place, { words: ['--agent', 'inner'] });
}
