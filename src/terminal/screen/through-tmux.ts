/** tmux passes a sequence on to its terminal if `allow-passthrough` is on. */
export function throughTmux(sequence: string): string {
  return `\u001BPtmux;${sequence.replaceAll('\u001B', '\u001B\u001B')}\u001B\\`;
}
