import { forEachChild, type ParsedScript, type SyntaxNode } from 'unbash';

/**
 * Returns the first construct that a POSIX `sh` reads differently from bash. In dash, `[[ a && b ]]` runs `b ]]`,
 * `((a))` runs `a`, and `$'…'` ends at another quote.
 */
export function dialectDoubt(script: ParsedScript): { readonly reason: string; readonly at: number } | undefined {
  const pending: SyntaxNode[] = [script];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const name = BASH_ONLY.get(node.type);
    if (name !== undefined) return { reason: `${name} means something else in sh`, at: node.pos };
    forEachChild(node, (child) => pending.push(child));
  }
  return undefined;
}

const BASH_ONLY: ReadonlyMap<SyntaxNode['type'], string> = new Map([
  ['TestCommand', '[[ ]]'],
  ['ArithmeticCommand', '(( ))'],
  ['ArithmeticFor', 'for (( ))'],
  ['AnsiCQuoted', "$'…'"],
  ['LocaleString', '$"…"'],
  ['Select', 'select'],
  ['Coproc', 'coproc'],
  ['ProcessSubstitution', 'process substitution'],
  ['HereString', '<<<'],
  ['ArrayValue', 'an array'],
  ['ExtendedGlob', 'an extended glob'],
]);
