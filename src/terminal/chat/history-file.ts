/**
 * The input history across runs: one JSON string per line in a private file (mode 0600). Writes append, so several
 * chats can share it. Reading truncates it to the newest lines.
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
      // `mode` above only applies to a new file.
      await chmod(file, 0o600);
    },
  };
}

/** Skips a damaged line. */
function lineFrom(text: string): readonly string[] {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'string' && value !== '' ? [value] : [];
  } catch {
    return [];
  }
}
