/** What an agent is told, as blocks of content. */
import type { Attachment, BlobRef, Body } from '../../kernel/content.ts';
import type { Message } from '../../kernel/message.ts';

export type ContentBlock = Readonly<Record<string, unknown>> & { readonly type: string };

export interface PromptParts {
  /** What was said before this turn; given only where the agent does not know it. */
  readonly before: readonly Message[];
  readonly told: readonly Message[];
  /** Whether the turn was begun by a process that is gone; the agent remembers as far as it got. */
  readonly isContinued: boolean;
  readonly takes: { readonly image: boolean; readonly embedded: boolean };
}

export type ReadBlob = (ref: BlobRef) => Promise<string>;

export async function promptContent(parts: PromptParts, read: ReadBlob): Promise<readonly ContentBlock[]> {
  const blocks: ContentBlock[] = [];
  if (parts.before.length > 0) blocks.push(text(await transcript(parts.before, read)));
  if (parts.isContinued) blocks.push(text(continuation));
  for (const message of parts.told) {
    if (message.role === 'notice') blocks.push(text(message.text));
    if (message.role !== 'user') continue;
    const words = await textOf(message.text, read);
    if (words !== '') blocks.push(text(words));
    for (const attachment of message.attachments ?? []) {
      blocks.push(await attached(attachment, parts.takes, read));
    }
  }
  return blocks.length === 0 ? [text('Go on.')] : blocks;
}

const continuation =
  'Your process was stopped while you worked on the request below. Go on where you left off: look at what is ' +
  'done already and do not do it twice. The request was:';

const opening =
  'You take over a conversation that you were not part of, or do not remember. This is what was said so far:';

/** The newest of it, where it is long. */
async function transcript(messages: readonly Message[], read: ReadBlob): Promise<string> {
  const said = await Promise.all(messages.map((message) => lineOf(message, read)));
  const all = said.filter((line) => line !== '').join('\n\n');
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
    case 'notice':
      return `(${message.text})`;
    case 'tool':
      return '';
  }
}

const longestTranscript = 60_000;

async function attached(
  { name, mediaType, content }: Attachment,
  takes: PromptParts['takes'],
  read: ReadBlob,
): Promise<ContentBlock> {
  const body = await textOf(content, read);
  if (isText(mediaType)) {
    const uri = `attachment:///${encodeURIComponent(name)}`;
    if (takes.embedded) return { type: 'resource', resource: { uri, mimeType: mediaType, text: body } };
    return text(`<attachment name=${JSON.stringify(name)}>\n${body}\n</attachment>`);
  }
  const data = body.startsWith('data:') ? body.slice(body.indexOf(',') + 1) : body;
  if (mediaType.startsWith('image/') && takes.image) return { type: 'image', mimeType: mediaType, data };
  return text(`[The user attached ${name} (${mediaType}), which you cannot be given.]`);
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
