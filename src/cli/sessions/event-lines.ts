import type { Recorded } from '../../kernel/event.ts';
import type { AuditEntry } from '../../views/audit.ts';
import { oneLine } from '../../views/one-line.ts';
import { tableText } from '../../wording/table.ts';
import type { Terminal } from '../../wording/terminal-style.ts';

const columns = [{ title: 'seq', align: 'right' }, 'at', 'by', 'what', { title: '', gives: true }] as const;

export function eventLines(events: readonly Recorded[], terminal: Terminal): readonly string[] {
  return lines(
    events.map(({ seq, at, by, event: { type, ...rest } }) => ({ seq, at, by: by.name, type, rest })),
    terminal,
  );
}

export function auditLines(entries: readonly AuditEntry[], terminal: Terminal): readonly string[] {
  return lines(
    entries.map(({ seq, at, by, decided: { type, ...rest } }) => ({ seq, at, by: by.name, type, rest })),
    terminal,
  );
}

interface Line {
  readonly seq: number;
  readonly at: number;
  readonly by: string;
  readonly type: string;
  readonly rest: object;
}

function lines(all: readonly Line[], terminal: Terminal): readonly string[] {
  const rows = all.map(({ seq, at, by, type, rest }) => {
    const details = Object.keys(rest).length === 0 ? '' : JSON.stringify(rest);
    return [String(seq), new Date(at).toISOString(), by, type, terminal.isTerminal ? oneLine(details) : details];
  });
  return [tableText(columns, rows, terminal)];
}
