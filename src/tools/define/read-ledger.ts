import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';

/**
 * What a session has seen of each file, so that it doesn't overwrite content it hasn't seen. It lives as long as
 * its owner. It makes no statement about files it never saw.
 */
export interface ReadLedger {
  /** `file` is a real path. `stamp` comes from `stampOf`. */
  note(session: string, file: string, stamp: string): void;
  stampSeen(session: string, file: string): string | undefined;
  forget(session: string): void;
}

export function createReadLedger(): ReadLedger {
  const sessions = new Map<string, Map<string, string>>();
  return {
    note: (session, file, stamp) => {
      const files = sessions.get(session) ?? new Map<string, string>();
      sessions.set(session, files.set(file, stamp));
    },
    stampSeen: (session, file) => sessions.get(session)?.get(file),
    forget: (session) => {
      sessions.delete(session);
    },
  };
}

/** Files up to this size are compared by content, larger ones by size and time. */
export const STAMPED_BY_CONTENT = 16 * 1024 * 1024;

/** Returns a stamp of the file's content, or `absent` if there is no file. */
export async function stampOf(file: string): Promise<string> {
  try {
    const stats = await stat(file, { bigint: true });
    if (stats.size > STAMPED_BY_CONTENT) return `stat:${stats.size}:${stats.mtimeNs}:${stats.ino}`;
    return stampOfContent(await readFile(file));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'absent';
    throw error;
  }
}

export function stampOfContent(content: Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

/** True if the file's current stamp isn't what this session last saw. A file it never saw counts as unchanged. */
export function hasChanged(ledger: ReadLedger, session: string, file: string, current: string): boolean {
  const seen = ledger.stampSeen(session, file);
  return seen !== undefined && seen !== current;
}
