/**
 * What was typed, kept across runs: one JSON string a line in a file of the user's own (mode 0600). Appended
 * to, so that several chats may share it; cut back to the newest when it is read.
 */
import { appendFile, chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

export interface HistoryFile {
  /** Oldest first. */
  load(): Promise<readonly string[]>;
  add(line: string): Promise<void>;
}

const mostLines = 1000;

export function createHistoryFile(file: string): HistoryFile {
  let last: string | undefined;
  return {
    async load() {
      const text = await readFile(file, 'utf8').catch(() => '');
      const lines = text.split('\n').flatMap(lineFrom);
      last = lines.at(-1);
      if (lines.length <= mostLines) return lines;
      const kept = lines.slice(-mostLines);
      await writeFile(file, kept.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 }).catch(
        () => undefined,
      );
      return kept;
    },
    async add(line) {
      if (line.trim() === '' || line === last) return;
      last = line;
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await appendFile(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
      // The mode above counts for a new file only.
      await chmod(file, 0o600);
    },
  };
}

/** A line that is damaged is passed over. */
function lineFrom(text: string): readonly string[] {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'string' && value !== '' ? [value] : [];
  } catch {
    return [];
  }
}
