import type { Assignment, Word, WordPart } from 'unbash';

/**
 * One argument of a command. `static`: `text` is exactly what the program gets. `tilde`: the same
 * but for a home folder in front. `dynamic`: known only when run, `text` is what was written.
 */
export type ShellWord = {
  readonly text: string;
  readonly kind: 'static' | 'tilde' | 'dynamic';
};

export function readWord(word: Word): ShellWord {
  if (!isStatic(word.parts ?? [])) return { text: word.value, kind: 'dynamic' };
  return { text: word.value, kind: expandsTilde(word.text) ? 'tilde' : 'static' };
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

/** The words as one line in which each stays one word. */
export function joinWords(words: readonly ShellWord[]): string {
  return words.map(quoteWord).join(' ');
}

/** The name a program is known by, whatever folder it is called from. */
export function programName(word: ShellWord | string | undefined): string {
  const text = typeof word === 'string' ? word : (word?.text ?? '');
  return text.slice(text.lastIndexOf('/') + 1);
}

// Names of commands that need no quotes although their letters would.
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

// Also after `=` and `:`, where bash expands it in assignments.
function expandsTilde(source: string): boolean {
  return /(?:^|[=:])~/.test(source);
}
