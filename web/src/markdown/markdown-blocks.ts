/**
 * Text that is still being written, in pieces that stand for themselves: those before the last change no more, so
 * that each word costs the last piece and not the whole message.
 */
export function markdownBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let block: string[] = [];
  let fence: string | undefined;
  const close = () => {
    if (block.some((line) => line.trim() !== '')) blocks.push(block.join('\n'));
    block = [];
  };
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const isClosing = fence !== undefined && mark !== undefined && mark.startsWith(fence) && line.trim() === mark;
    if (fence === undefined && line.trim() === '' && !continues(block)) close();
    else block.push(line);
    if (isClosing) fence = undefined;
    else if (fence === undefined && mark !== undefined) fence = mark;
  }
  close();
  return blocks;
}

/** A list goes on over empty lines: cut there, its numbers would begin again. */
function continues(block: readonly string[]): boolean {
  const first = block.find((line) => line.trim() !== '');
  return first !== undefined && /^\s*([-*+]|\d+[.)])\s/.test(first);
}
