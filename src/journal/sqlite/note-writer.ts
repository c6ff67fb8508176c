import type { Writing } from './writing.ts';

/** Records which version wrote from which position: one row per change of version, checked once per process. */
export function noteWriter({ db, version, now }: Writing, position: number): void {
  const newest = db.get<{ version: string }>('SELECT version FROM writers ORDER BY position DESC LIMIT 1');
  if (newest?.version === version) return;
  db.run('INSERT OR REPLACE INTO writers (position, version, at) VALUES (?, ?, ?)', position, version, now);
}
