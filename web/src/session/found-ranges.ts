/** The places of a text in the visible conversation, as ranges. */
const most = 500;

export function rangesOf(text: string): readonly Range[] {
  const log = document.querySelector('[role=log]');
  if (log === null) return [];
  const wanted = text.toLowerCase();
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(log, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && ranges.length < most; node = walker.nextNode()) {
    const content = (node.textContent ?? '').toLowerCase();
    for (
      let at = content.indexOf(wanted);
      at !== -1 && ranges.length < most;
      at = content.indexOf(wanted, at + wanted.length)
    ) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      ranges.push(range);
    }
  }
  return ranges;
}
