/** Reads prompts and resources from a session's servers. Only accepted prompts are offered (S15). */
import type { Prompt } from '@modelcontextprotocol/client';

import type { Attachment } from '../../kernel/content.ts';
import { optional } from '../../kernel/optional.ts';
import { capText } from '../../processes/captured-output.ts';
import { problemOf } from './mcp-offers.ts';
import type { McpSession, ReadResource } from './mcp-servers.ts';
import { mcpToolName } from './mcp-tool.ts';
import { promptArguments } from './prompt-arguments.ts';
import { commandShape, mentionShape, type ServerTexts } from './server-texts.ts';

const longestText = 400_000;

export function serverTexts(session: McpSession, redact: (text: string) => string): ServerTexts {
  return {
    async commands() {
      const { items } = await session.prompts();
      return items.map(({ server, item }) => ({
        name: mcpToolName(server, item.name),
        summary: item.description ?? item.title ?? item.name,
        from: 'mcp' as const,
        ...optional({ hint: hintOf(item) }),
      }));
    },
    async mentions() {
      const { items } = await session.resources();
      return items.map(({ server, item }) => ({
        mention: `${server}:${item.uri}`,
        title: item.title ?? item.name,
      }));
    },
    async expand(text) {
      const attachments: Attachment[] = [];
      const [, command, words = ''] = commandShape.exec(text) ?? [];
      if (command !== undefined) {
        const prompt = await promptText(session, command, words.trim());
        if (prompt === undefined || typeof prompt === 'string') return prompt;
        attachments.push(prompt);
      }
      for (const [server, uri] of mentionsIn(text, session)) {
        const read = await session.readResource(server, uri);
        if (read.type !== 'answered') return problemOf(read);
        attachments.push(...read.value.map((one) => ({ name: `@${server}:${one.uri}`, ...bodyOf(one) })));
      }
      return attachments.length === 0
        ? undefined
        : attachments.map((one) => ({ ...one, content: redactBody(one, redact) }));
    },
  };
}

async function promptText(
  session: McpSession,
  command: string,
  words: string,
): Promise<Attachment | string | undefined> {
  const { items, problems } = await session.prompts();
  const entry = items.find(({ server, item }) => mcpToolName(server, item.name) === command);
  if (entry === undefined)
    return isOfServer(session, command) ? (problems[0] ?? unknownCommand(command)) : undefined;
  const { server, item } = entry;
  const args = promptArguments(item, words);
  if (typeof args === 'string') return args;
  const answer = await session.getPrompt(server, item.name, args);
  if (answer.type !== 'answered') return problemOf(answer);
  return { name: `/${command}`, mediaType: 'text/markdown', content: answer.value };
}

function isOfServer(session: McpSession, command: string): boolean {
  return session.status().some(({ name }) => command.startsWith(`mcp__${name}__`));
}

function unknownCommand(command: string): string {
  return `Unknown command /${command}. Type /help to list the commands.`;
}

function hintOf({ arguments: parameters = [] }: Prompt): string | undefined {
  if (parameters.length === 0) return undefined;
  return parameters.map(({ name }) => name).join(' ');
}

/** Server and address of each mention. An unknown server's name is ordinary text. */
function mentionsIn(text: string, session: McpSession): readonly (readonly [server: string, uri: string])[] {
  const servers = new Set(session.status().map(({ name }) => name));
  const mentions = [...text.matchAll(mentionShape)].flatMap(([, server = '', uri = '']) =>
    servers.has(server) ? [[server, uri.replace(/[.,;:!?)\]}]+$/, '')] as const] : [],
  );
  return [...new Map(mentions.map((one) => [one.join(':'), one])).values()];
}

function bodyOf({ text, blob, mimeType }: ReadResource): Omit<Attachment, 'name'> {
  if (text !== undefined) return { mediaType: mimeType ?? 'text/plain', content: capText(text, longestText) };
  if (blob !== undefined && mimeType?.startsWith('image/') === true) return { mediaType: mimeType, content: blob };
  const size = Math.floor((blob?.length ?? 0) * 0.75);
  return { mediaType: 'text/plain', content: `[${mimeType ?? 'binary'}, ${size} bytes]` };
}

function redactBody({ mediaType, content }: Attachment, redact: (text: string) => string): Attachment['content'] {
  return mediaType.startsWith('image/') || typeof content !== 'string' ? content : redact(content);
}
