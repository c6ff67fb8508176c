import { cp, mkdir, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/**
 * Moves files that a sandboxed command put where host programs would run them out of the project, and returns their
 * new location. The user can inspect and restore them.
 */
export async function quarantine(
  files: readonly string[],
  state: string | undefined,
): Promise<readonly Quarantined[]> {
  const folder = path.join(
    state ?? os.tmpdir(),
    'quarantine',
    `${new Date().toISOString().replaceAll(':', '-')}-${process.pid}`,
  );
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const moved: Quarantined[] = [];
  for (const file of files) {
    const target = path.join(folder, path.basename(file));
    await rename(file, target).catch(async () => {
      await cp(file, target, { recursive: true, verbatimSymlinks: true }).catch(() => undefined);
      await rm(file, { recursive: true, force: true });
    });
    moved.push({
      file,
      kept: target,
      note: `${file} decides which programs run on this machine, so a sandboxed command can't create it. It was moved to ${target}, and the user is asked whether to keep it.`,
    });
  }
  return moved;
}

interface Quarantined {
  readonly file: string;
  readonly kept: string;
  readonly note: string;
}
