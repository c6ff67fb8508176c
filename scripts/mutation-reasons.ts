/** Why a mutant that survives may, as a person judged it; one without an entry is open work. */
import type { Mutant } from './mutants.ts';

interface Judged {
  readonly file: string;
  /** Part of its line; a line that changes is judged again. */
  readonly code: string;
  /** Where only one of the mutants of that line is meant. */
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
];

export function reasonFor({ file, kind }: Mutant, code: string): string {
  const found = judged.find(
    (each) => each.file === file && code.includes(each.code) && (each.kind === undefined || each.kind === kind),
  );
  return found?.reason ?? 'open';
}
