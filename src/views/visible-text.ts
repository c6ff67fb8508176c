/**
 * Text that somebody approves. `printable` only keeps a terminal safe; this hides nothing. Invisible characters,
 * and those that reorder others, appear as their code. Line breaks stay.
 */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\t', '⇥').replaceAll(unseen, codeOf);
}

/** On one line: a line break could disguise what follows. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll('\n', '⏎');
}

/**
 * Control and format characters (bidirectional marks, joiners, tags), separators, fillers, and every blank except
 * the plain space.
 */
const unseen = /(?![\n ])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** The common format: `‹U+202E›`. */
export function codeOf(character: string): string {
  return `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;
}

/** Characters that reorder the text after them are shown, everything else stays: for text that may hold tabs. */
export function orderedText(text: string): string {
  return text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, codeOf);
}
