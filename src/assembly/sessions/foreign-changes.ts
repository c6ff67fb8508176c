import { stat } from 'node:fs/promises';
import path from 'node:path';

import type { State } from '../../kernel/state.ts';
import type { Journal } from '../../ports/journal.ts';
import type { SessionFileChange } from '../../ports/session-changes.ts';
import { findNewest } from '../../session/read/read-back.ts';

/**
 * Marks the files that were written after the session's last turn or rewind, as a person does. During a turn nothing
 * is marked: the session may have written them.
 */
export async function withForeign(
  changes: readonly SessionFileChange[],
  { id, cwd, phase, seq }: Pick<State, 'id' | 'cwd' | 'phase' | 'seq'>,
  journal: Journal,
): Promise<readonly SessionFileChange[]> {
  if (changes.length === 0 || (phase.type !== 'idle' && phase.type !== 'closed')) return changes;
  const own = await findNewest(
    journal,
    id,
    seq + 1,
    ({ event }) => event.type === 'turn-ended' || event.type === 'files-restored',
  );
  if (own === undefined) return changes;
  return await Promise.all(
    changes.map(async (change) => {
      const file = await stat(path.join(cwd, change.path)).catch(() => undefined);
      return file !== undefined && file.mtimeMs > own.at + slackMs ? { ...change, isForeign: true } : change;
    }),
  );
}

/** Some file systems keep times in whole seconds or by a coarse clock. */
const slackMs = 20;
