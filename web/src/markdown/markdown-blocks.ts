/**
 * Splits streaming text into independent blocks. Only the last one can still change, so that each word re-renders
 * one block and not the whole message.
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

/** A list continues across empty lines. Splitting it there would restart its numbers. */
function continues(block: readonly string[]): boolean {
  const first = block.find((line) => line.trim() !== '');
  return first !== undefined && /^\s*([-*+]|\d+[.)])\s/.test(first);
}
