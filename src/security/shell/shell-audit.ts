// A second opinion on the parser's tree, by other means: text that the tree calls plain must not
// hold anything a shell would act on. Where the two disagree the line counts as unparsed.
//
// 1. Unquoted plain text holds no unescaped expansion, quote, operator or blank.
// 2. Double-quoted plain text and the plain text of a here-document hold no unescaped expansion.
// 3. Single quotes do not protect for certain inside `${…}`, a subscript, arithmetic or a
//    here-document: it depends on what stands around those.
// 4. An array subscript in quoted text is code wherever bash evaluates arithmetic; so is any quoted
//    substitution once the same line does arithmetic, as subscripts can be put together from pieces.
// 5. Between the words of a command there is nothing but blanks.
// 6. Bash prints a substitution anew before it runs it, and puts the texts of several here-documents
//    in the wrong places: their lines can become commands.
// 7. Everything the parser did not classify is suspect.
import type { Subshell, SyntaxNode, Word, WordPart } from 'unbash';

export type Surrounding = 'command' | 'expansion' | 'regular-expression';

export function suspicionAbout(node: SyntaxNode, inside: Surrounding): string | undefined {
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
      if (/[$`(\n]/.test(node.delimiter.text)) return 'a here-document with code for a delimiter';
      return node.delimiter.quoted || node.body.parts !== undefined ? undefined : expansionIn(node.body.text);
    case 'ArithmeticWord':
      return node.parts === undefined ? expansionIn(node.value) : undefined;
    case 'ArithmeticCommand':
      return node.expression === undefined && node.body.trim() !== '' ? UNCLASSIFIED : undefined;
    case 'ArithmeticExpansion':
      return node.expression === undefined && /[$`]/.test(node.text.slice(1)) ? UNCLASSIFIED : undefined;
    case 'Subshell':
      return startsWithSubshell(node) ? 'it is not certain whether (( begins arithmetic' : undefined;
    case 'CommandExpansion':
      if (node.text.startsWith('$((')) return 'it is not certain whether $(( begins arithmetic';
      if (node.text.startsWith('`') && node.text.includes('\\"')) return 'an escaped quote in backticks';
      return node.script === undefined ? UNCLASSIFIED : undefined;
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      return node.script === undefined ? UNCLASSIFIED : undefined;
    case 'Redirect':
      // Bash expands the target of `>&` and `<&` twice, so that quotes do not protect it.
      if (node.operator.endsWith('&') && /[$`]/.test(node.target?.text ?? ''))
        return 'the target of >& can run as code';
      return node.target === undefined ? 'a redirection has no target' : undefined;
    case 'HereString':
      return node.target === undefined ? 'a redirection has no target' : undefined;
    case 'Transform':
      return node.operand.value.includes('P') ? 'a prompt expansion runs what a variable holds' : undefined;
    case 'Unknown':
      return UNCLASSIFIED;
    default:
      return undefined;
  }
}

/** Text of a command that is in none of its words. `source` is what the node's positions refer to. */
export function leavesOutText(node: SyntaxNode, source: string): string | undefined {
  if (node.type !== 'Command') return undefined;
  const words = [...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix];
  let place = node.pos;
  for (const word of words.toSorted((one, other) => one.pos - other.pos)) {
    const between = source.slice(place, word.pos);
    if (!/^(?:\s|\\\n)*$/.test(between)) return `the parser left out ${JSON.stringify(between)}`;
    place = word.end;
  }
  const rest = source.slice(place, node.end);
  return /^(?:\s|\\\n)*$/.test(rest) ? undefined : `the parser left out ${JSON.stringify(rest)}`;
}

/** Bash computes with what it finds here, and follows variables to do so. */
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

/** A substitution that stands in quotes and so is not carried out, for now. */
export function quotesCode(node: SyntaxNode): boolean {
  return node.type === 'Word' && /\$\(|`/.test(literalText(node));
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

/** A word's fixed text, with a blank where something is put in when it is run. */
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
