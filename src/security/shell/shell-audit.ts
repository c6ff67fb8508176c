// An independent check of the parser's tree: text that the tree calls plain must not contain anything a shell would
// act on. If the two disagree, the line counts as unparsed.
//
// 1. Unquoted plain text contains no unescaped expansion, quote, operator or blank.
// 2. Double-quoted plain text and the plain text of a here-document contain no unescaped expansion.
// 3. Inside `${…}`, a subscript, arithmetic or a here-document, single quotes don't reliably protect: it depends on
//    the surrounding text.
// 4. An array subscript in quoted text is code wherever bash evaluates arithmetic. So is any quoted substitution if
//    the same line does arithmetic, because subscripts can be assembled from pieces.
// 5. Only blanks separate the words of a command.
// 6. Bash reprints a substitution before it runs it, and misplaces the texts of several here-documents: their lines
//    can become commands.
// 7. An expansion that a here-document ends before it is closed. Versions of bash differ: an error, or a command that
//    runs.
// 8. Everything the parser didn't classify is suspect.
import type { Subshell, SyntaxNode, Word, WordPart } from 'unbash';

export type Surrounding = 'command' | 'expansion' | 'regular-expression';

export function suspicionAbout(node: SyntaxNode, inside: Surrounding): string | undefined {
  return suspicionByType(node, inside) ?? (isUnclosed(node) ? 'an expansion without its end' : undefined);
}

function suspicionByType(node: SyntaxNode, inside: Surrounding): string | undefined {
  switch (node.type) {
    case 'Word':
      if (/\w\[[^\]]*(?:\$[({]|`)/.test(literalText(node))) return 'a quoted array subscript can run as code';
      if (node.parts !== undefined) return undefined;
      return inside === 'command' ? syntaxIn(node.text) : expansionIn(node.text);
    case 'Literal':
      return expansionIn(node.text);
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      if (node.type === 'AnsiCQuoted' && node.text.includes('\\\n')) return "a continued line in $'…'";
      return inside === 'expansion' && /[$`]/.test(node.text.slice(1))
        ? `quotes that may not protect: ${node.text}`
        : undefined;
    case 'Assignment':
      return /['"\\]/.test(node.index?.text ?? '') && /[$`]/.test(node.index?.text ?? '')
        ? 'a quoted array subscript can run as code'
        : undefined;
    case 'HereDoc':
      if (node.delimiter === undefined) return 'a here-document has no delimiter';
      if (/[$`(\n]/.test(node.delimiter.text)) return 'a here-document has code as its delimiter';
      return node.delimiter.quoted || node.body.parts !== undefined ? undefined : expansionIn(node.body.text);
    case 'ArithmeticWord':
      return node.parts === undefined ? expansionIn(node.value) : undefined;
    case 'ArithmeticCommand':
      return node.expression === undefined && node.body.trim() !== '' ? UNCLASSIFIED : undefined;
    case 'ArithmeticExpansion':
      return node.expression === undefined && /[$`]/.test(node.text.slice(1)) ? UNCLASSIFIED : undefined;
    case 'Subshell':
      return startsWithSubshell(node) ? '(( may or may not start arithmetic' : undefined;
    case 'CommandExpansion':
      if (node.text.startsWith('$((')) return '$(( may or may not start arithmetic';
      if (node.text.startsWith('`') && node.text.includes('\\"')) return 'an escaped quote in backticks';
      return node.script === undefined ? UNCLASSIFIED : undefined;
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      return node.script === undefined ? UNCLASSIFIED : undefined;
    case 'Redirect':
      // Bash expands the target of `>&` and `<&` twice, so quotes don't protect it.
      if (node.operator.endsWith('&') && /[$`]/.test(node.target?.text ?? ''))
        return 'the target of >& can run as code';
      return node.target === undefined ? 'a redirection has no target' : undefined;
    case 'HereString':
      return node.target === undefined ? 'a redirection has no target' : undefined;
    case 'Transform':
      return node.operand.value.includes('P') ? 'a prompt expansion runs the value of a variable' : undefined;
    case 'Unknown':
      return UNCLASSIFIED;
    default:
      return undefined;
  }
}

/** Text of a command outside of all its words. The node's positions refer to `source`. */
export function leavesOutText(node: SyntaxNode, source: string): string | undefined {
  if (node.type !== 'Command') return undefined;
  const words = [...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix];
  let place = node.pos;
  for (const word of words.toSorted((one, other) => one.pos - other.pos)) {
    const between = source.slice(place, word.pos);
    if (!/^(?:\s|\\\n)*$/.test(between)) return `the parser skipped ${JSON.stringify(between)}`;
    place = word.end;
  }
  const rest = source.slice(place, node.end);
  return /^(?:\s|\\\n)*$/.test(rest) ? undefined : `the parser skipped ${JSON.stringify(rest)}`;
}

/** True if bash evaluates arithmetic here, which resolves variables. */
export function doesArithmetic(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'ArithmeticWord':
      return !/^\d*$/.test(node.value);
    case 'Slice':
      return true;
    case 'Command':
      return (
        node.name?.value === 'let' ||
        node.args.some(
          (word) => word.type === 'Word' && /^-[a-zA-Z]*[iv]$|^-(?:eq|ne|lt|le|gt|ge)$/.test(word.value),
        )
      );
    case 'TestBinary':
      return /^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator);
    case 'TestUnary':
      return node.operator === '-v';
    default:
      return false;
  }
}

/** True if a quoted substitution stands here, which bash doesn't perform yet. */
export function quotesCode(node: SyntaxNode): boolean {
  return node.type === 'Word' && /\$\(|`/.test(literalText(node));
}

function isUnclosed(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
    case 'ArithmeticCommandExpansion':
    case 'ParameterExpansion':
    case 'ProcessSubstitution':
    case 'DoubleQuoted':
      return !withoutEscapes(node.text).endsWith(endOf(node.text));
    default:
      return false;
  }
}

function endOf(opening: string): string {
  if (opening.startsWith('$((')) return '))';
  if (opening.startsWith('${')) return '}';
  if (opening.startsWith('$[')) return ']';
  return /^["`]/.exec(opening)?.[0] ?? ')';
}

function startsWithSubshell(node: Subshell): boolean {
  const [first] = node.body.commands;
  return first !== undefined && first.pos === node.pos + 1 && firstCommand(first.command).type === 'Subshell';
}

function firstCommand(node: SyntaxNode): SyntaxNode {
  switch (node.type) {
    case 'AndOr':
    case 'Pipeline':
      return node.commands[0] === undefined ? node : firstCommand(node.commands[0]);
    case 'Redirected':
      return node.command;
    default:
      return node;
  }
}

const UNCLASSIFIED = 'the parser could not classify a part';

function syntaxIn(text: string): string | undefined {
  return /['"`\s;&|<>()]|\$[({['"\w]/.test(withoutEscapes(text)) || text.includes('$\\\n')
    ? `unexpected syntax in a plain word: ${text}`
    : undefined;
}

function expansionIn(text: string): string | undefined {
  return /`|\$[({[]/.test(withoutEscapes(text)) || text.includes('$\\\n')
    ? `an expansion in plain text: ${text}`
    : undefined;
}

function withoutEscapes(text: string): string {
  return text.replace(/\\[\s\S]/g, '');
}

/** A word's fixed text, with a blank for each part that is inserted at run time. */
function literalText(word: Word): string {
  return word.parts === undefined ? word.value : word.parts.map(literalPart).join('');
}

function literalPart(part: WordPart): string {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value;
    case 'DoubleQuoted':
      return part.parts.map(literalPart).join('');
    default:
      return ' ';
  }
}
