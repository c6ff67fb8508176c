import { tableText, type Column, type Row } from '../wording/table.ts';
import { terminalOf } from './terminal.ts';

/** Prints a table. Without rows: `none` on a terminal, and nothing in a pipe. */
export function printTable(columns: readonly (string | Column)[], rows: readonly Row[], none?: string): void {
  const terminal = terminalOf(process.stdout);
  if (rows.length > 0) console.log(tableText(columns, rows, terminal));
  else if (none !== undefined && terminal.isTerminal) console.log(none);
}
