/**
 * Draws the empty chat as plain text, so that it appears while everything else loads. Keys pressed in the meantime
 * wait in the terminal and reach the editor.
 */
export function paintFirstFrame(output: NodeJS.WriteStream, input: NodeJS.ReadStream): void {
  const [columns, rows] = [output.columns || 80, output.rows || 24];
  const edge = '─'.repeat(columns);
  const at = (row: number, text: string) => `\u001B[${Math.max(1, row)};1H${text}`;
  input.setRawMode(true);
  output.write(
    `\u001B[?1049h\u001B[2J${at(1, '  Opening…')}${at(rows - 4, edge)}${at(rows - 3, '❯ ')}${at(rows - 2, edge)}${at(rows - 3, '\u001B[2C')}`,
  );
}
