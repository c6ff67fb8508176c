/** An agent's prompt as content blocks. */
import type { Attachment, BlobRef, Body } from '../../kernel/content.ts';
import type { Message } from '../../kernel/message.ts';
import { quotationText } from '../../kernel/conversation/quotation.ts';
import { mentionedFiles } from './mentioned-files.ts';

type ContentBlock = Readonly<Record<string, unknown>> & { readonly type: string };

interface PromptParts {
  /** The conversation before this turn. Only used if the agent doesn't know it. */
  readonly before: readonly Message[];
  readonly unsent: readonly Message[];
  /** True if a dead process started the turn. The agent remembers how far it got. */
  readonly isContinued: boolean;
  readonly takes: Takes;
  /** The session's folder, where mentioned files are looked up. */
  readonly cwd: string;
}

/** Content types that the agent accepts besides text. */
export interface Takes {
  readonly image: boolean;
  readonly audio: boolean;
  readonly embedded: boolean;
}

interface PromptBlocks {
  readonly blocks: readonly ContentBlock[];
  /** Names of attachments that the agent doesn't accept. */
  readonly withheld: readonly string[];
}

type ReadBlob = (ref: BlobRef) => Promise<string>;

export async function agentPromptContent(parts: PromptParts, read: ReadBlob): Promise<PromptBlocks> {
  const blocks: ContentBlock[] = [];
  const withheld: string[] = [];
  if (parts.before.length > 0) blocks.push(text(await transcript(parts.before, read)));
  if (parts.isContinued) blocks.push(text(continuation));
  for (const message of parts.unsent) {
    if (message.role === 'notice') blocks.push(text(message.text));
    if (message.role !== 'user') continue;
    const words = await textOf(message.text, read);
    if (words !== '') blocks.push(text(words));
    for (const link of await mentionedFiles(words, parts.cwd)) blocks.push({ type: 'resource_link', ...link });
    for (const attachment of message.attachments ?? []) {
      const block = await attached(attachment, parts.takes, read);
      if (block !== undefined) blocks.push(block);
      else {
        const { name, mediaType } = attachment;
        withheld.push(`${name} (${mediaType})`);
        blocks.push(text(`[The user attached ${name} (${mediaType}), which you cannot be given.]`));
      }
    }
  }
  return { blocks: blocks.length === 0 ? [text('Go on.')] : blocks, withheld };
}

const continuation =
  'Your process was stopped while you worked on the request below. Go on where you left off: look at what is ' +
  'done already and do not do it twice. The request was:';

const opening = "You take over a conversation that you weren't part of or don't remember. Its messages so far:";

/** Only the newest part of a long conversation. */
async function transcript(messages: readonly Message[], read: ReadBlob): Promise<string> {
  const lines = await Promise.all(messages.map((message) => lineOf(message, read)));
  const all = lines.filter((line) => line !== '').join('\n\n');
  const kept = all.length > longestTranscript ? `[…]\n${all.slice(-longestTranscript)}` : all;
  return `${opening}\n\n<conversation>\n${kept}\n</conversation>`;
}

async function lineOf(message: Message, read: ReadBlob): Promise<string> {
  switch (message.role) {
    case 'user':
      return `User: ${await textOf(message.text, read)}`;
    case 'assistant': {
      const words = await textOf(message.text, read);
      return words === '' ? '' : `Assistant: ${words}`;
    }
    case 'quoted':
      return quotationText(message, await textOf(message.text, read));
    case 'notice':
      return `(${message.text})`;
    case 'tool':
      return '';
  }
}

const longestTranscript = 60_000;

async function attached(
  { name, mediaType, content }: Attachment,
  takes: Takes,
  read: ReadBlob,
): Promise<ContentBlock | undefined> {
  const body = await textOf(content, read);
  const uri = `attachment:///${encodeURIComponent(name)}`;
  if (isText(mediaType)) {
    if (takes.embedded) return { type: 'resource', resource: { uri, mimeType: mediaType, text: body } };
    return text(`<attachment name=${JSON.stringify(name)}>\n${body}\n</attachment>`);
  }
  const data = body.startsWith('data:') ? body.slice(body.indexOf(',') + 1) : body;
  const [kind] = mediaType.split('/', 1);
  if (kind === 'image' || kind === 'audio')
    return takes[kind] ? { type: kind, mimeType: mediaType, data } : undefined;
  return takes.embedded ? { type: 'resource', resource: { uri, mimeType: mediaType, blob: data } } : undefined;
}

function isText(mediaType: string): boolean {
  return /^text\/|[/+](json|xml|yaml|toml|javascript|typescript|x-sh)\b/.test(mediaType);
}

async function textOf(body: Body, read: ReadBlob): Promise<string> {
  return typeof body === 'string' ? body : read(body);
}

function text(words: string): ContentBlock {
  return { type: 'text', text: words };
}
