import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A temporary folder for databases. `RONDO_BENCH_TMP` chooses the disk. */
interface ScratchFolder extends Disposable {
  readonly path: string;
}

export function createScratchFolder(): ScratchFolder {
  const folder = mkdtempSync(path.join(process.env['RONDO_BENCH_TMP'] ?? os.tmpdir(), 'rondo-bench-'));
  return { path: folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

export function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}
