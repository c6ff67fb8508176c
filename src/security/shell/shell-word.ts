import type { Assignment, CommandExpansionPart, Word, WordPart } from 'unbash';

/**
 * One argument of a command. `static`: `text` is exactly what the program gets. `tilde`: the same, except for a
 * home folder in front. `dynamic`: known only at run time, and `text` is the source.
 */
export type ShellWord = {
  readonly text: string;
  readonly kind: 'static' | 'tilde' | 'dynamic';
};

export function readWord(word: Word): ShellWord {
  if (!isStatic(word.parts ?? [])) return { text: word.value, kind: 'dynamic' };
  return { text: word.value, kind: expandsTilde(word.text) ? 'tilde' : 'static' };
}

/**
 * Reads a word that its command treats only as text. `"$(cat <<'EOF' … EOF)"`, which agents use for multi-line
 * messages, counts as that text. Elsewhere it must not: a function called `cat` could change it. As a command of
 * the line, `cat` is checked like any other.
 */
export function readMessage(word: Word): ShellWord {
  const text = hereTextOf(word);
  return text === undefined ? readWord(word) : { text, kind: 'static' };
}

export function readAssignment(assignment: Assignment): ShellWord {
  const { value } = assignment;
  const sign = assignment.append === true ? '+=' : '=';
  if (assignment.index !== undefined || value.type === 'ArrayValue') {
    return { text: assignment.text, kind: 'dynamic' };
  }
  const read = readWord(value);
  return { text: `${assignment.name}${sign}${read.text}`, kind: read.kind };
}

export function staticWord(text: string): ShellWord {
  return { text, kind: 'static' };
}

/** Joins words into one line in which each stays one word. */
export function joinWords(words: readonly ShellWord[]): string {
  return words.map(quoteWord).join(' ');
}

/** The program's name without its folder. */
export function programName(word: ShellWord | string | undefined): string {
  const text = typeof word === 'string' ? word : (word?.text ?? '');
  return text.slice(text.lastIndexOf('/') + 1);
}

/** Removes `$?` and similar parameters, which are numbers. */
export function withoutStatus(text: string): string {
  return text.replaceAll(/\$\?|\$\{PIPESTATUS\[\d\]\}/g, '0');
}

// Command names that need no quotes despite their characters.
const SYNTAX_NAMES: ReadonlySet<string> = new Set(['[', ']', '[[', '((']);

function quoteWord(word: ShellWord): string {
  if (word.kind !== 'static') return /\s/.test(word.text) ? `"${word.text}"` : word.text;
  if (SYNTAX_NAMES.has(word.text) || /^[^\s'"\\$`|&;<>()*?[\]#~]+$/.test(word.text)) return word.text;
  return `'${word.text.replaceAll("'", `'\\''`)}'`;
}

function isStatic(parts: readonly WordPart[]): boolean {
  return parts.every((part) => {
    switch (part.type) {
      case 'Literal':
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        return true;
      case 'DoubleQuoted':
        return isStatic(part.parts);
      default:
        return false;
    }
  });
}

function hereTextOf({ parts = [] }: Word): string | undefined {
  const [quoted, ...others] = parts;
  if (quoted?.type !== 'DoubleQuoted' || others.length > 0) return undefined;
  const [expansion, ...rest] = quoted.parts;
  return expansion?.type === 'CommandExpansion' && rest.length === 0 ? hereText(expansion) : undefined;
}

function hereText({ script }: CommandExpansionPart): string | undefined {
  const [statement, ...others] = script?.commands ?? [];
  if (statement === undefined || others.length > 0 || statement.background === true) return undefined;
  const { command } = statement;
  if (command.type !== 'Command' || command.name?.text !== 'cat') return undefined;
  if (command.args.length > 0 || command.prefix.length > 0 || command.redirects.length > 1) return undefined;
  const [here] = command.redirects;
  if (here?.type !== 'HereDoc' || here.operator !== '<<' || here.delimiter?.quoted !== true) return undefined;
  // The shell removes trailing newlines from the output of a substitution.
  return here.descriptor === undefined ? here.body.text.replace(/\n+$/, '') : undefined;
}

// Also after `=` and `:`, where bash expands it in assignments.
function expandsTilde(source: string): boolean {
  return /(?:^|[=:])~/.test(source);
}
