/**
 * A command's output as a terminal would leave it: without colors and other sequences, and of a line that was written
 * over with carriage returns, such as a progress bar, only its last state.
 */
export function terminalOutput(text: string): string {
  return text
    .replaceAll(SEQUENCE, '')
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\n\r]*\r+(?=[^\n\r])/g, '')
    .replaceAll(/\r+(?=\n|$)/g, '');
}

// CSI, then OSC and other strings up to their end, then two-character sequences. An unfinished one stays.
const SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- sequences are what is removed
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)|[ -/]*[0-OQ-WYZ\\`-~])/g;
