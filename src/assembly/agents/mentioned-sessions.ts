/** Sessions that a prompt mentions as `@session:ID`: their conversations join the prompt as attachments. */
import { previewOf, type Attachment } from '../../kernel/content.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { Journal } from '../../ports/journal.ts';
import { readTranscript } from '../../session/read/read-transcript.ts';
import type { Item } from '../../views/transcript-item.ts';
import { promptRequestText } from '../../wording/transcript-lines.ts';

/** The end of the conversation, where its result is. */
const mostItems = 200;
const mostCharacters = 60_000;

const mention = /(?:^|[\s([{"'])@session:(ses_\w+)/g;

/** A string explains what isn't there. */
export async function mentionedSessions(text: string, journal: Journal): Promise<readonly Attachment[] | string> {
  const ids = [...new Set([...text.matchAll(mention)].map(([, id = '']) => id as SessionId))];
  const attachments: Attachment[] = [];
  for (const id of ids) {
    const entry = (await journal.list({ prefix: id, limit: 1 })).entries.find(({ session }) => session === id);
    if (entry === undefined) return `Unknown session ${id}. \`rondo ls\` lists them.`;
    const { items } = await readTranscript(journal, id, { limit: mostItems });
    const quote = items.flatMap(spoken).join('\n\n').slice(-mostCharacters);
    const content = `# ${entry.title === '' ? id : entry.title}\n\n${quote}`;
    attachments.push({ name: `@session:${id}`, mediaType: 'text/markdown', content });
  }
  return attachments;
}

function spoken(item: Item): readonly string[] {
  if (item.type === 'prompt') return [`**Person:** ${promptRequestText(item.asked, previewOf)}`];
  if (item.type !== 'message' && item.type !== 'agent-message') return [];
  const text = previewOf(item.text);
  return text === '' ? [] : [`**Agent:** ${text}`];
}
