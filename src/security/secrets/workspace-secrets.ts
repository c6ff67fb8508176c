/**
 * Secrets in a workspace: values of its `.env` files, and credentials that git sends (`http.extraheader`, passwords
 * in URLs). The redactor hides them, so that a command can't print them (S21).
 */
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';

const largest = 256 * 1024;

export async function workspaceSecrets(root: string): Promise<readonly string[]> {
  const files = await environmentFiles(root);
  const [settings = '', ...texts] = await Promise.all([await gitConfigOf(root), ...files].map(plainText));
  return [...texts.flatMap(valuesIn), ...gitSecretsIn(settings)];
}

/** For a linked worktree, the repository's. */
async function gitConfigOf(root: string): Promise<string> {
  const [, linked] = /^gitdir:\s*(.*)$/m.exec(await plainText(path.join(root, '.git'))) ?? [];
  const own = path.resolve(root, linked ?? '.git');
  const common = linked === undefined ? '' : (await plainText(path.join(own, 'commondir'))).trim();
  return path.resolve(own, common, 'config');
}

/** Includes those of a monorepo's packages, within a limit on folders. */
async function environmentFiles(root: string): Promise<readonly string[]> {
  const paths: string[] = [];
  let level: readonly string[] = [root];
  for (let depth = 0, looked = 0; depth < deepest && looked < mostFolders; depth += 1) {
    const folders = level.slice(0, mostFolders - looked);
    looked += folders.length;
    const lists = await Promise.all(
      folders.map(async (folder) => {
        const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
        return entries.map((entry) => ({ entry, file: path.join(folder, entry.name) }));
      }),
    );
    const all = lists.flat();
    paths.push(...all.flatMap(({ entry, file }) => (isEnvironmentFile(entry.name) ? [file] : [])));
    level = all.flatMap(({ entry, file }) => (entry.isDirectory() && !SKIPPED.test(entry.name) ? [file] : []));
  }
  return paths;
}

const deepest = 3;
const mostFolders = 60;
const SKIPPED = /^(?:\.|node_modules$|target$|dist$|build$|vendor$|__pycache__$)/;

function isEnvironmentFile(name: string): boolean {
  return /^\.env(?:$|\.)/.test(name) && !/\.(?:example|sample|template|dist)$/.test(name);
}

function valuesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(/^\s*(?:export\s+)?[\w.-]+\s*=\s*(.*)$/gm), ([, value = '']) =>
    unquoted(value.trim()),
  );
}

function unquoted(value: string): string {
  const quoted = /^(["'`])(.*?)\1/.exec(value);
  return quoted?.[2] ?? value.replace(/\s+#.*$/, '');
}

function gitSecretsIn(text: string): readonly string[] {
  const headers = Array.from(text.matchAll(/^\s*extraheader\s*=\s*(.*)$/gim), ([, value = '']) => value.trim());
  const tokens = headers.flatMap((header) => header.split(/\s+/).slice(1));
  const decoded = tokens.flatMap((token) => {
    const pair = Buffer.from(token, 'base64').toString('utf8');
    return /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(pair) ? [pair.slice(pair.indexOf(':') + 1)] : [];
  });
  const passwords = Array.from(text.matchAll(/:\/\/[^:@/\s]*:([^@\s]+)@/g), ([, password = '']) => password);
  return [...tokens, ...decoded, ...passwords];
}

/** Reads regular files only, because reading a pipe would block. Empty if there is no such file. */
async function plainText(file: string): Promise<string> {
  try {
    // If the file is a pipe, doesn't wait for a writer.
    await using handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = await handle.stat();
    return stats.isFile() && stats.size <= largest ? await handle.readFile('utf8') : '';
  } catch {
    return '';
  }
}
