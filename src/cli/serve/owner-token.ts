/** The owner's token, created on the first start in a file that only the user can read. */
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import { othersMay, readPrivateJson, updatePrivateJson } from '../../agents/private-file.ts';
import { Fault } from '../../kernel/fault.ts';
import type { Documents, StoredDocument } from '../../ports/documents.ts';
import type { Store } from '../../ports/store.ts';
import { newSecret, type TokenFile } from '../../server/tokens.ts';

export async function ownerToken(home: string): Promise<string> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const file = path.join(home, 'token');
  try {
    await using handle = await open(file, 'wx', 0o600);
    await handle.writeFile(`${newSecret()}\n`);
    await handle.sync();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new Fault(
        'read-only',
        `Can't create ${file}: ${(error as Error).message}. Set RONDO_HOME to a folder that you can write to.`,
        { cause: error },
      );
    }
  }
  return (await existingOwnerToken(home)) ?? '';
}

/** Undefined if no server was ever started. */
export async function existingOwnerToken(home: string): Promise<string | undefined> {
  const file = path.join(home, 'token');
  const stats = await stat(file).catch(() => undefined);
  if (stats === undefined) return undefined;
  if (othersMay(stats.mode, 'read')) {
    throw new Fault('unreadable', `Refusing to use ${file}: other users can read it. Run: chmod 600 ${file}`);
  }
  const token = (await readFile(file, 'utf8')).trim();
  if (token.length < 20)
    throw new Fault('damaged', `${file} doesn't contain a token. Delete it, and Rondo creates a new one.`);
  return token;
}

/** A private file in the home folder. */
export function privateFileIn(home: string, name: string): TokenFile {
  const file = path.join(home, name);
  return { read: () => readPrivateJson(file), update: (change) => updatePrivateJson(file, change) };
}

/** What all nodes of a store share: issued tokens and registered browsers, share links, pins and archived sessions. */
export async function sharedFileIn(
  { documents }: Pick<Store, 'documents'>,
  home: string,
  name: 'tokens' | 'shares' | 'marks',
): Promise<TokenFile> {
  const document = documentFile(documents, name);
  // Earlier versions kept it in the home folder.
  const before = await readPrivateJson(path.join(home, `${name}.json`));
  if (before !== undefined) await document.update((value) => value ?? before);
  return document;
}

function documentFile(documents: Documents, name: string): TokenFile {
  return {
    read: async () => valueOf(await documents.read(name)),
    async update(change) {
      for (;;) {
        const seen = await documents.read(name);
        const changed = JSON.stringify(change(valueOf(seen)));
        if (await documents.write(name, changed, seen?.version ?? 0)) return;
      }
    },
  };
}

function valueOf(document: StoredDocument | undefined): unknown {
  return document === undefined ? undefined : JSON.parse(document.body);
}
