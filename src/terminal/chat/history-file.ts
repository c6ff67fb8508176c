/**
 * The input history across runs: a JSON array of text and folder per line in a private file (mode 0600). Writes
 * append, so several chats can share it. Reading truncates it to the newest lines. A line of the first release is
 * the text alone, which belongs to every folder.
 */
import { appendFile, chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

export interface HistoryFile {
  /** Lines typed in this folder, oldest first. */
  load(): Promise<readonly string[]>;
  add(line: string): Promise<void>;
}

const mostLines = 5000;

export function createHistoryFile(file: string, folder: string): HistoryFile {
  let last: string | undefined;
  return {
    async load() {
      const text = await readFile(file, 'utf8').catch(() => '');
      const entries = text.split('\n').flatMap(entryFrom);
      const kept = entries.slice(-mostLines);
      if (kept.length < entries.length)
        await writeFile(file, kept.map(({ line }) => `${line}\n`).join(''), { mode: 0o600 }).catch(
          () => undefined,
        );
      const own = kept.filter((entry) => entry.folder === undefined || entry.folder === folder);
      const typed = own.map((entry) => entry.text);
      last = typed.at(-1);
      return typed;
    },
    async add(line) {
      if (line.trim() === '' || line === last) return;
      last = line;
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await appendFile(file, `${JSON.stringify([line, folder])}\n`, { mode: 0o600 });
      // `mode` above only applies to a new file.
      await chmod(file, 0o600);
    },
  };
}

interface HistoryEntry {
  readonly line: string;
  readonly text: string;
  readonly folder?: string;
}

/** Skips a damaged line. */
function entryFrom(line: string): readonly HistoryEntry[] {
  try {
    const value = JSON.parse(line) as unknown;
    const [text, folder] = (Array.isArray(value) ? value : [value]) as readonly unknown[];
    if (typeof text !== 'string' || text === '') return [];
    return [{ line, text, ...(typeof folder === 'string' && { folder }) }];
  } catch {
    return [];
  }
}
