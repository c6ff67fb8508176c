/** Files, folders and URLs that a prompt mentions, such as `@src/cart.ts`. The agent gets them as links. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

interface MentionedFile {
  readonly name: string;
  readonly uri: string;
}

const most = 50;

/** In order of mention. A path that doesn't exist stays plain text. */
export async function mentionedFiles(text: string, cwd: string): Promise<readonly MentionedFile[]> {
  const mentions = [...text.matchAll(/(?:^|[\s("'])@([^\s@]+)/g)].map(([, mention = '']) => mention);
  const files = await Promise.all([...new Set(mentions)].slice(0, most).map((mention) => linkOf(mention, cwd)));
  const links = new Map(files.flatMap((link) => (link === undefined ? [] : [[link.uri, link] as const])));
  return [...links.values()];
}

async function linkOf(mention: string, cwd: string): Promise<MentionedFile | undefined> {
  if (/^https?:\/\//.test(mention)) return { name: mention, uri: mention };
  // Punctuation after a mention belongs to the sentence.
  const bare = mention.replace(/[.,;:!?)"']+$/, '');
  for (const name of mention === bare ? [mention] : [mention, bare]) {
    const file = path.resolve(cwd, name);
    const isThere = await stat(file).then(
      () => true,
      () => false,
    );
    if (isThere) return { name, uri: pathToFileURL(file).href };
  }
  return undefined;
}
