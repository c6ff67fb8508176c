/** Files, folders and addresses that a prompt mentions as `@src/cart.ts`: an agent is given them as links. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export interface MentionedFile {
  readonly name: string;
  readonly uri: string;
}

const most = 50;

/** In the order they are mentioned; what is not there is words like any other. */
export async function mentionedFiles(text: string, cwd: string): Promise<readonly MentionedFile[]> {
  const mentions = [...text.matchAll(/(?:^|[\s("'])@([^\s@]+)/g)].map(([, mention = '']) => mention);
  const found = await Promise.all([...new Set(mentions)].slice(0, most).map((mention) => linkOf(mention, cwd)));
  const links = new Map(found.flatMap((link) => (link === undefined ? [] : [[link.uri, link] as const])));
  return [...links.values()];
}

async function linkOf(mention: string, cwd: string): Promise<MentionedFile | undefined> {
  if (/^https?:\/\//.test(mention)) return { name: mention, uri: mention };
  // The sentence may go on behind it.
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
