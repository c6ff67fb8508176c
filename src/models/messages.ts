/**
 * Converts our conversation to the SDK's prompt.
 *
 * 1. One message with all results directly follows an assistant message with calls, in the order of the calls. A
 *    missing result is stated. Providers reject anything else.
 * 2. A result without its call becomes a notice.
 * 3. Notices are user messages marked as coming from the runtime.
 * 4. Messages of people and models are included in full. Long tool output is cut in the middle; a line there
 *    marks it.
 */
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';

import { outputBounds, type Attachment, type Body } from '../kernel/content.ts';
import type { CallId } from '../kernel/ids.ts';
import { isJsonObject, jsonIn } from '../kernel/json-object.ts';
import type { Message } from '../kernel/message.ts';
import { quotationText } from '../kernel/conversation/quotation.ts';
import { optional } from '../kernel/optional.ts';
import { type ModelRequest } from '../ports/model.ts';
import { textOf } from '../runtime/text-of.ts';
import { carriedFrom, type Carried } from './carried.ts';

type AssistantMessage = Extract<Message, { role: 'assistant' }>;
type ToolMessage = Extract<Message, { role: 'tool' }>;
type Read = ModelRequest['read'];

/** `cacheHint` marks both ends of the stable prefix: the system prompt and the newest message. */
export async function toPrompt(
  { system, messages, read }: Pick<ModelRequest, 'system' | 'messages' | 'read'>,
  cacheHint?: SharedV4ProviderOptions,
): Promise<LanguageModelV4Prompt> {
  const turns = await conversation(messages, read);
  const opening: LanguageModelV4Prompt = system === '' ? [] : [{ role: 'system', content: system }];
  const bridge: LanguageModelV4Prompt =
    turns[0]?.role === 'assistant' ? [notice('The conversation before this is not shown.')] : [];
  const prompt = [...opening, ...bridge, ...turns];
  if (cacheHint === undefined) return prompt;
  for (const message of [opening[0], prompt.at(-1)])
    if (message !== undefined) message.providerOptions = cacheHint;
  return prompt;
}

async function conversation(messages: readonly Message[], read: Read): Promise<LanguageModelV4Prompt> {
  const prompt: LanguageModelV4Message[] = [];
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index];
    if (message?.role !== 'assistant') {
      if (message !== undefined) prompt.push(await otherMessage(message, read));
      continue;
    }
    const spoken = await assistantMessage(message, read);
    if (spoken !== undefined) prompt.push(spoken);
    if (message.calls.length === 0) continue;
    let end = index + 1;
    while (end < messages.length && messages[end]?.role !== 'assistant') end += 1;
    const following = messages.slice(index + 1, end);
    const results = new Map(
      following.filter((later) => later.role === 'tool').map((result) => [result.call, result]),
    );
    prompt.push({
      role: 'tool',
      content: await Promise.all(message.calls.map(({ id, tool }) => resultPart(id, tool, results.get(id), read))),
    });
    const asked = new Set(message.calls.map(({ id }) => id));
    const rest = following.filter((later) => later.role !== 'tool' || !asked.has(later.call));
    for (const later of rest) if (later.role !== 'assistant') prompt.push(await otherMessage(later, read));
    index += following.length;
  }
  return prompt;
}

async function otherMessage(
  message: Exclude<Message, AssistantMessage>,
  read: Read,
): Promise<LanguageModelV4Message> {
  switch (message.role) {
    case 'notice':
      return notice(message.text);
    case 'quoted': {
      const text = quotationText(message, await toolText(message.text, read));
      return { role: 'user', content: [{ type: 'text', text }] };
    }
    case 'tool':
      return notice(
        `The tool ${message.tool}, called earlier, gave (${message.outcome}): ${await toolText(message.text, read)}`,
      );
    case 'user': {
      const text = await textOf(message.text, read);
      const files = await Promise.all(
        (message.attachments ?? []).map((attachment) => attachmentPart(attachment, read)),
      );
      const words: LanguageModelV4TextPart[] =
        text === '' && files.length > 0 ? [] : [{ type: 'text', text: text === '' ? '(empty message)' : text }];
      return { role: 'user', content: [...words, ...files] };
    }
  }
}

/** Skips a message without text and calls: reasoning alone can't be sent back. */
async function assistantMessage(
  { text: body, reasoning, calls, carry }: AssistantMessage,
  read: Read,
): Promise<LanguageModelV4Message | undefined> {
  const carried = carriedFrom(carry);
  const text = (await textOf(body, read)).trimEnd();
  if (text === '' && calls.length === 0) return undefined;
  const parts = await Promise.all(
    calls.map(async ({ id, tool, args }) => ({
      type: 'tool-call' as const,
      toolCallId: wireId(id),
      toolName: tool,
      input: parseArgs(await textOf(args, read)),
      ...optional({ providerOptions: carried?.calls[id] }),
    })),
  );
  const thoughts = carried === undefined ? [] : thoughtParts(await textOf(reasoning ?? '', read), carried);
  return {
    role: 'assistant',
    content: [...thoughts, ...(text === '' ? [] : [{ type: 'text' as const, text }]), ...parts],
  };
}

/** Only blocks that the provider signed can be sent back. */
function thoughtParts(reasoning: string, carried: Carried): LanguageModelV4ReasoningPart[] {
  let at = 0;
  return carried.reasoning.flatMap(({ length, data }) => {
    const text = reasoning.slice(at, at + length);
    at += length;
    return data === undefined ? [] : [{ type: 'reasoning' as const, text, providerOptions: data }];
  });
}

async function resultPart(
  id: CallId,
  tool: string,
  result: ToolMessage | undefined,
  read: Read,
): Promise<LanguageModelV4ToolResultPart> {
  const base = { type: 'tool-result' as const, toolCallId: wireId(id), toolName: tool };
  if (result === undefined)
    return {
      ...base,
      output: { type: 'error-text', value: 'No result: the call was not carried out or its result is lost.' },
    };
  const value = await toolText(result.text, read);
  switch (result.outcome) {
    case 'success':
      return { ...base, output: { type: 'text', value: value === '' ? '(no output)' : value } };
    case 'error':
      return {
        ...base,
        output: { type: 'error-text', value: value === '' ? 'It failed and said nothing.' : value },
      };
    case 'cancelled':
      return { ...base, output: { type: 'error-text', value: `Cancelled. ${value}`.trimEnd() } };
    case 'refused':
      return { ...base, output: { type: 'error-text', value: `Not allowed, and not run. ${value}`.trimEnd() } };
  }
}

/**
 * Always produces the same bytes, to keep prompt caches valid. The `recall` tool, if present, reads the omitted
 * part.
 */
async function toolText(body: Body, read: Read): Promise<string> {
  const { start, end } = outputBounds;
  const text = await textOf(body, read);
  const left = text.length - start - end;
  if (left <= 0) return text;
  const how = typeof body === 'string' ? '' : `; ref ${body.blob}, from ${start} on`;
  return `${text.slice(0, start)}\n[${left} characters are left out here${how}; ask for the part you need]\n${text.slice(-end)}`;
}

function notice(text: string): LanguageModelV4Message {
  return { role: 'user', content: [{ type: 'text', text: `<notice>${text}</notice>` }] };
}

/** Text stays text. Anything else is base64, with or without a data URL prefix. */
async function attachmentPart(
  { name, mediaType, content }: Attachment,
  read: Read,
): Promise<LanguageModelV4TextPart | LanguageModelV4FilePart> {
  const body = await textOf(content, read);
  if (isText(mediaType))
    return { type: 'text', text: `<attachment name=${JSON.stringify(name)}>\n${body}\n</attachment>` };
  const data = body.startsWith('data:') ? body.slice(body.indexOf(',') + 1) : body;
  return { type: 'file', filename: name, mediaType, data: { type: 'data', data } };
}

function isText(mediaType: string): boolean {
  return /^text\/|[/+](json|xml|yaml|toml|javascript|typescript|x-sh)\b/.test(mediaType);
}

/** Providers limit ids to these characters and this length. An id only has to pair a call with its result. */
function wireId(id: CallId): string {
  return id.replaceAll(/[^\w-]/g, '_').slice(0, 64);
}

function parseArgs(args: string): unknown {
  const value = jsonIn(args === '' ? '{}' : args);
  if (value === undefined) return { unreadable: args };
  return isJsonObject(value) ? value : { value };
}
