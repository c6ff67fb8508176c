/**
 * What an MCP server may ask of Rondo while it handles a call.
 *
 * 1. A question belongs to the call that runs. If several calls of different sessions run, nobody knows whose it is,
 *    so it is declined.
 * 2. An address is shown with its host. Rondo never opens it. A form that asks for a secret is declined.
 * 3. Roots are the folders of the session that called last.
 * 4. Sampling uses the session's model under its rules and budget. Tools and other content than text aren't offered.
 */
import {
  ProtocolError,
  type Client,
  type CreateMessageRequestParams,
  type CreateMessageResult,
  type ElicitRequestParams,
  type ElicitResult,
} from '@modelcontextprotocol/client';
import { pathToFileURL } from 'node:url';

import { optional } from '../../kernel/optional.ts';
import type { SampleRequest, ToolRun } from '../../ports/tool.ts';

/** A call that runs, as its server sees it. */
export type Caller = Pick<ToolRun, 'session' | 'ask' | 'progress' | 'roots' | 'sample'>;

export interface ServerRequests {
  /** Registers the handlers, before the connection opens. */
  attach(client: Client): void;
  /** Adds a running call. The returned function removes it. `pause` stops its deadline. */
  begin(caller: Caller, pause: () => () => void): () => void;
}

export const clientCapabilities = {
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
  sampling: {},
} as const;

/** `folder` is the root until a call names others: servers ask right after their start. */
export function createServerRequests(server: string, folder: string): ServerRequests {
  const running = new Map<Caller, () => () => void>();
  let roots: readonly string[] = [folder];
  let attached: Client | undefined;

  /** Undefined if calls of several sessions run. */
  const onlyCaller = (): Caller | undefined => {
    const callers = [...running.keys()];
    return callers.every(({ session }) => session === callers[0]?.session) ? callers[0] : undefined;
  };
  /** Stops the call's deadline while a person or a model works for the server. */
  const paused = async <Value>(caller: Caller, work: () => Promise<Value>): Promise<Value> => {
    const goOn = running.get(caller)?.();
    try {
      return await work();
    } finally {
      goOn?.();
    }
  };
  const elicit = async (params: ElicitRequestParams): Promise<ElicitResult> => {
    const caller = onlyCaller();
    const secret = secretField(params);
    if (secret !== undefined) {
      for (const { progress } of running.keys())
        progress(`warning: the server asked for "${secret}". Rondo declined: answers stay in the session.\n`);
      return { action: 'decline' };
    }
    const asked = questionOf(server, params);
    if (caller?.ask === undefined || asked === undefined) return { action: 'decline' };
    const { ask } = caller;
    const answer = await paused(caller, () => ask(asked));
    if (answer.type === 'form') return { action: 'accept', content: contentOf(answer.form) };
    return { action: answer.type === 'cancelled' ? 'cancel' : 'decline' };
  };
  const sample = async (params: CreateMessageRequestParams): Promise<CreateMessageResult> => {
    const caller = onlyCaller();
    if (caller?.sample === undefined) throw refusedSampling('No call of one session runs.');
    const { sample: use } = caller;
    const request = sampleRequest(server, params);
    if (typeof request === 'string') throw refusedSampling(request);
    const sampled = await paused(caller, () => use(request));
    if (sampled.type === 'refused') throw refusedSampling(sampled.message);
    const { text, model, isCut } = sampled;
    return {
      role: 'assistant',
      content: { type: 'text', text },
      model,
      stopReason: isCut ? 'maxTokens' : 'endTurn',
    };
  };

  return {
    attach(client) {
      attached = client;
      client.setRequestHandler('elicitation/create', ({ params }) => elicit(params));
      client.setRequestHandler('sampling/createMessage', ({ params }) => sample(params));
      client.setRequestHandler('roots/list', async () => ({
        roots: roots.map((folder) => ({ uri: pathToFileURL(folder).href })),
      }));
      client.setNotificationHandler('notifications/message', ({ params: { level, data } }) => {
        const text = typeof data === 'string' ? data : JSON.stringify(data);
        if (level === 'debug') return;
        for (const { progress } of running.keys()) progress(`${level}: ${text}\n`);
      });
    },
    begin(caller, pause) {
      running.set(caller, pause);
      if (caller.roots.join('\0') !== roots.join('\0')) {
        roots = caller.roots;
        // A server that can't hear it asks again by itself.
        void attached?.sendRootsListChanged().catch(() => undefined);
      }
      return () => void running.delete(caller);
    },
  };
}

const longestTitle = 2_000;

function questionOf(server: string, params: ElicitRequestParams) {
  const message = params.message.slice(0, longestTitle);
  if (params.mode !== 'url')
    return { title: `MCP server ${server} asks: ${message}`, schema: params.requestedSchema };
  const address = URL.canParse(params.url) ? new URL(params.url) : undefined;
  if (address?.protocol !== 'https:' && address?.protocol !== 'http:') return undefined;
  const title = `MCP server ${server} asks you to visit ${address.host}: ${message}`;
  return { title, schema: { type: 'object', properties: {} }, url: address.href };
}

/** The protocol forbids servers to ask for secrets in forms. Only a field of text or digits can hold one. */
function secretField({ message, ...params }: ElicitRequestParams): string | undefined {
  if (params.mode === 'url') return undefined;
  const fields = Object.entries(params.requestedSchema.properties).filter(
    ([, field]) => field.type !== 'boolean' && !('enum' in field) && !('oneOf' in field),
  );
  const asksFor = ([name, { title = '', description = '' }]: (typeof fields)[number]) =>
    [name.replaceAll(/[_-]/g, ' '), title, description].some((text) => secretName.test(text));
  const [first] = fields;
  const field = fields.find(asksFor) ?? (asksInWords(message) ? first : undefined);
  return field?.[0].slice(0, 100);
}

function asksInWords(message: string): boolean {
  return /\b(?:enter|type|provide|paste|give|send|confirm)\b/i.test(message) && secretName.test(message);
}

const secretName =
  /passw(?:or)?d|pass ?(?:phrase|code)|secret|(?:api|private) ?key|token\b|credit ?card|card ?number|\b(?:cvv|cvc|otp|pin)\b|one[ -]?time (?:code|password)|authenticator|(?:recovery|seed) ?(?:phrase|code|key|words)|mnemonic/i;

function contentOf(form: unknown): NonNullable<ElicitResult['content']> {
  return typeof form === 'object' && form !== null ? (form as NonNullable<ElicitResult['content']>) : {};
}

/** A string explains what can't be sampled. */
function sampleRequest(server: string, params: CreateMessageRequestParams): SampleRequest | string {
  if (params.tools !== undefined && params.tools.length > 0) return 'Rondo samples without tools.';
  const messages = params.messages.map(({ role, content }) => {
    const blocks = Array.isArray(content) ? content : [content];
    const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    return { role, text: texts.length === blocks.length ? texts.join('\n') : undefined };
  });
  const texts = messages.flatMap(({ role, text }) => (text === undefined ? [] : [{ role, text }]));
  if (texts.length < messages.length) return 'Rondo samples with text alone.';
  return { server, messages: texts, maxTokens: params.maxTokens, ...optional({ system: params.systemPrompt }) };
}

/** The code that the protocol names for a person's no. */
function refusedSampling(message: string): ProtocolError {
  return new ProtocolError(-1, message);
}
