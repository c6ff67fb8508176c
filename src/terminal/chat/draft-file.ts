/**
 * What is typed and not sent, in a private file of this process: a chat that is killed loses nothing. The next chat in
 * the folder finds it in its history. A chat that ends by itself removes its file.
 */
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

export interface DraftFile {
  /** Call it now and then. Writes only if the texts changed and the user paused. */
  keep(texts: readonly string[]): void;
  /** Drafts of killed chats in this folder. They are given once. */
  left(): Promise<readonly string[]>;
  end(): Promise<void>;
}

interface DraftFileOptions {
  readonly home: string;
  readonly folder: string;
  readonly pid?: number;
  readonly isRunning?: (pid: number) => boolean;
  readonly now?: () => number;
}

const pauseMs = 500;

export function createDraftFile(options: DraftFileOptions): DraftFile {
  const { home, folder, pid = process.pid, isRunning = isProcess, now = () => performance.now() } = options;
  const drafts = path.join(home, 'drafts');
  const file = path.join(drafts, `${pid}.json`);
  let written = '[]';
  let wanted = written;
  let since = 0;
  let work: Promise<unknown> = Promise.resolve();

  async function write(content: string): Promise<void> {
    if (content === '[]') return rm(file, { force: true });
    await mkdir(drafts, { recursive: true, mode: 0o700 });
    await writeFile(file, JSON.stringify({ folder, texts: JSON.parse(content) as unknown }), { mode: 0o600 });
  }

  return {
    keep(texts) {
      const content = JSON.stringify(texts.filter((text) => text.trim() !== ''));
      if (content !== wanted) since = now();
      wanted = content;
      if (content === written || now() - since < pauseMs) return;
      written = content;
      // Without the file, only a killed chat loses its draft.
      work = work.then(() => write(content)).catch(() => undefined);
    },
    async left() {
      const names = await readdir(drafts).catch(() => []);
      const found: string[] = [];
      for (const name of names) {
        const owner = Number.parseInt(name, 10);
        if (owner === pid || isRunning(owner)) continue;
        const kept = await readDraft(path.join(drafts, name));
        if (kept?.folder !== folder) continue;
        found.push(...kept.texts);
        await rm(path.join(drafts, name), { force: true });
      }
      return found;
    },
    async end() {
      await work;
      await rm(file, { force: true }).catch(() => undefined);
    },
  };
}

interface KeptDraft {
  readonly folder: string;
  readonly texts: readonly string[];
}

async function readDraft(file: string): Promise<KeptDraft | undefined> {
  try {
    const { folder, texts } = JSON.parse(await readFile(file, 'utf8')) as Partial<KeptDraft>;
    if (typeof folder !== 'string' || !Array.isArray(texts)) return undefined;
    return { folder, texts: texts.filter((text): text is string => typeof text === 'string') };
  } catch {
    return undefined;
  }
}

function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
