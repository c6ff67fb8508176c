/** The one replacement that turns a text into another: the changed lines, with as many before them as make it unique. */
interface LineReplacement {
  readonly old: string;
  readonly fresh: string;
}

/** Undefined if nothing changed, or if there is no text to replace. */
export function editBetween(before: string, after: string): LineReplacement | undefined {
  if (before === after || before === '') return undefined;
  const old = linesOf(before);
  const fresh = linesOf(after);
  const most = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < most && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  for (;;) {
    const text = old.slice(start, old.length - end).join('');
    if (text !== '' && before.indexOf(text) === before.lastIndexOf(text))
      return { old: text, fresh: fresh.slice(start, fresh.length - end).join('') };
    if (start > 0) start -= 1;
    else end -= 1;
  }
}

/** Each with its line break. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
