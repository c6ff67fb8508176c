/** Why a mutant may survive, judged by a person. A survivor without an entry is open work. */
import type { Mutant } from './mutants.ts';

interface Judged {
  readonly file: string;
  /** Part of its line; a changed line must be judged again. */
  readonly code: string;
  /** Set if only one mutant of that line is meant. */
  readonly kind?: string;
  readonly reason: string;
}

const amount = 'equal: how much is read or written at once changes no result';
const late = 'later, not lost: polling finds what the wake-up would have brought at once';

const judged: readonly Judged[] = [
  { file: 'src/journal/bundle/write-bundle.ts', code: 'recordsAtOnce = 200', reason: amount },
  { file: 'src/journal/sqlite/read-records.ts', code: 'const atOnce = Math.max(1', reason: amount },
  { file: 'src/journal/sqlite/read-records.ts', code: 'let least = Math.min(before - 1', reason: amount },
  {
    file: 'src/kernel/nearest-name.ts',
    code: 'const isSwapped = i > 1',
    kind: '> → >=',
    reason: 'equal: a letter before the first is undefined and equals none',
  },
  {
    file: 'src/journal/process-identity.ts',
    code: "execFileSync('ps'",
    reason: 'another system: `ps` is asked where there is no `/proc`',
  },
  { file: 'src/journal/sqlite/wake-ups.ts', code: 'function lookSoon', reason: late },
  {
    file: 'src/journal/sqlite/local-bus.ts',
    code: 'if (socketPath(folder, name).length > longestSocketPath',
    kind: 'condition → true',
    reason: late,
  },
  {
    file: 'src/journal/sqlite/store-clock.ts',
    code: 'os.uptime() * 1000',
    kind: '1000 → 1001',
    reason: 'a per mille of a lease',
  },
  {
    file: 'src/kernel/token-estimate.ts',
    code: 'let start = 0;',
    reason: 'equal: set at the first letter of a word, before it is used',
  },
  {
    file: 'src/session/ownership/held-sessions.ts',
    code: 'leaving.set(id, gone);',
    reason: 'later, not wrong: the lease is still held, so the session opens by way of the inbox a second later',
  },
  {
    file: 'src/journal/memory/shared.ts',
    code: 'for (const listeners of [seat.commits',
    reason: 'equal: a seat that left is no longer among those that are told',
  },
  {
    file: 'src/session/follow/stream-position.ts',
    code: "if (text !== '') yield",
    kind: 'condition → true',
    reason: 'equal: an empty piece adds nothing to what its reader has',
  },
  {
    file: 'src/session/read/past-state.ts',
    code: 'if (page.events.length === 0 ||',
    reason: 'shows only in a journal of more than a page (thousands of events); open',
  },
  {
    file: 'src/session/read/read-conversation.ts',
    code: 'const pages = span.from <= 1',
    reason: 'equal: both read the same events, one of them page by page',
  },
  { file: 'src/journal/sqlite/local-bus.ts', code: 'socket.write(', reason: late },
  {
    file: 'src/session/live/start-session.ts',
    code: 'if (state.seq > 0) await flushSnapshot',
    reason: 'a cache: without it the next owner folds more events',
  },
  {
    file: 'src/journal/sqlite/stopped-writer.ts',
    code: 'inode === ino && from <= writeLockByte',
    reason: 'tested with real processes (`test/process/stopped-owner.test.ts`)',
  },
  {
    file: 'src/journal/sqlite/open-for-writing.ts',
    code: 'isLogLong: ()',
    reason: 'one page more or less of a log of thousands',
  },
  {
    file: 'src/journal/sqlite/sqlite-store.ts',
    code: 'accessSync(path.dirname(file)',
    reason: 'only the words of an error that is thrown either way',
  },
  {
    file: 'src/session/handle/turn-anywhere.ts',
    code: "if (live === 'remote') return watchTurn",
    kind: 'condition → true',
    reason: 'equal: a session of this process can be watched through the journal, too, only more slowly',
  },
  {
    file: 'src/journal/sqlite/session-heads.ts',
    code: 'insertHead, id, epoch, owner)?.number ?? 0',
    reason: 'equal: the insert always returns a number',
  },
];

export function reasonFor({ file, kind }: Mutant, code: string): string {
  const found = judged.find(
    (each) => each.file === file && code.includes(each.code) && (each.kind === undefined || each.kind === kind),
  );
  return found?.reason ?? 'open';
}
