/**
 * Secrets in a workspace: values of its `.env` files, and credentials that git sends (`http.extraheader`, passwords
 * in URLs). The redactor hides them, so that a command can't print them (S21).
 */
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';

const largest = 256 * 1024;

export async function workspaceSecrets(root: string): Promise<readonly string[]> {
  const names = await readdir(root).catch(() => []);
  const files = names.filter(
    (name) => /^\.env(?:$|\.)/.test(name) && !/\.(?:example|sample|template|dist)$/.test(name),
  );
  const [texts, gitConfig] = await Promise.all([
    Promise.all(files.map((name) => plainText(path.join(root, name)))),
    plainText(path.join(root, '.git', 'config')),
  ]);
  return [...texts.flatMap(valuesIn), ...gitSecretsIn(gitConfig)];
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
    const found = await handle.stat();
    return found.isFile() && found.size <= largest ? await handle.readFile('utf8') : '';
  } catch {
    return '';
  }
}
