/**
 * Text that somebody approves. Unlike `printable`, which only keeps a terminal safe, it hides nothing: characters
 * that don't show, or that change the order in which others show, appear as their code. Line breaks stay.
 */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\t', '⇥').replaceAll(unseen, codeOf);
}

/** On one line: a line break would make what follows look like something else. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll('\n', '⏎');
}

/** Controls, formats (bidirectional marks, joiners, tags), separators, fillers and every blank but the plain one. */
const unseen = /(?![\n ])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** As everywhere: `‹U+202E›`. */
export function codeOf(character: string): string {
  return `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;
}
