import { existsSync } from 'node:fs';

import { openDriver } from '../../journal/sqlite/driver.ts';
import { readOpencodeTranscript, type OpencodeRows } from './opencode-transcript.ts';
import type { FoundTranscript } from './transcript.ts';

/** Sessions in OpenCode's database, without those of sub-agents. It is only read. */
export function findOpencodeTranscripts(file: string): readonly FoundTranscript[] {
  if (!existsSync(file)) return [];
  const sessions = reading(file, (db) =>
    db.all<OpencodeRows['session']>(
      'SELECT id, title, directory FROM session WHERE parent_id IS NULL ORDER BY time_created',
    ),
  );
  return sessions.map((session) => ({
    place: `${file}#${session.id}`,
    read: async () =>
      reading(file, (db) =>
        readOpencodeTranscript({
          session,
          messages: db.all(
            'SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id',
            session.id,
          ),
          parts: db.all(
            'SELECT message_id AS message, data FROM part WHERE session_id = ? ORDER BY id',
            session.id,
          ),
        }),
      ),
  }));
}

function reading<Result>(file: string, work: (db: ReturnType<typeof openDriver>) => Result): Result {
  const db = openDriver(file, { busyTimeoutMs: 5000 });
  try {
    db.exec('PRAGMA query_only = ON');
    return work(db);
  } finally {
    db.close();
  }
}
