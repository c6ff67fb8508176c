/**
 * A store's file as a copy in memory, for looking at it where SQLite can't open the file itself: beside a store with a
 * log it makes two more files, which a full or read-only disk refuses. Undefined where the log holds commits that the
 * file lacks, since the copy would lack them too.
 */
import { readFileSync, statSync } from 'node:fs';

import { failureOf } from '../store-fault.ts';
import { openDriver, type Driver } from './driver.ts';

export function openImage(file: string, error: unknown): Driver | undefined {
  if (!refusals.test(failureOf(error).code)) return undefined;
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return undefined;
  const content = readFileSync(file);
  // The header says that there is a log; in memory there can be none.
  content[18] = 1;
  content[19] = 1;
  return openDriver(content, { busyTimeoutMs: 0 });
}

const refusals = /^(?:SQLITE_(?:FULL|IOERR.*|CANTOPEN.*|READONLY.*)|ENOSPC|EDQUOT|EROFS|EACCES|EPERM)$/;
