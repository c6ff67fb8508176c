import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Creates a real folder with these files, by relative path (one that ends in `/` is a folder). Deleted at the end. */
export async function temporaryFolder(files: Readonly<Record<string, string>> = {}): Promise<TemporaryFolder> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'rondo-agents-')));
  const at = (relative: string) => path.join(folder, relative);
  const write = async (relative: string, text: string, mode = 0o644) => {
    await mkdir(path.dirname(at(relative)), { recursive: true });
    await writeFile(at(relative), text);
    await chmod(at(relative), mode);
  };
  for (const [relative, text] of Object.entries(files)) {
    if (relative.endsWith('/')) await mkdir(at(relative), { recursive: true });
    else await write(relative, text);
  }
  return {
    folder,
    at,
    write,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}

export interface TemporaryFolder extends AsyncDisposable {
  readonly folder: string;
  at(relative: string): string;
  write(relative: string, text: string, mode?: number): Promise<void>;
}
