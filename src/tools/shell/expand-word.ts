import { physicalPath } from '../../security/paths/physical-path.ts';
import { homedir } from 'node:os';
import type { Argument } from '../../security/shell/segment-facts.ts';

/**
 * The path a word could stand for, absolute, before anything is run (S5): `~` and known variables are
 * replaced, what a program or an unknown variable puts in counts as a wildcard over everything. Undefined
 * where the word is no path, or nothing at all is known of where it begins.
 */
export interface ExpandedWord {
  readonly pattern: string;
  readonly isWild: boolean;
  /** The shell puts in a part of it, such as a home folder. */
  readonly isExpanded: boolean;
}

export function expandWord({ text, dynamic }: Argument, cwd: string): ExpandedWord | undefined {
  const word = valueOf(text);
  const known = dynamic ? withVariables(word, cwd) : word;
  if (known.startsWith('**')) return undefined;
  const isPath = known.startsWith('/') || dynamic || known.includes('/') || known.startsWith('.');
  if (!isPath || known === '' || known.includes('://') || known.includes('\0')) return undefined;
  return { pattern: physicalPath(cwd, known), isWild: dynamic && /[*?]/.test(known), isExpanded: known !== word };
}

/** The value of `--name=value`, `-Ivalue`, `name=value` and `@value`. */
function valueOf(word: string): string {
  const [, value] = /^(?:-{1,2}[\w-]+=|\w+=@?|@|-[A-Za-z](?=[~/]))(.*)$/s.exec(word) ?? [];
  return value ?? word;
}

function withVariables(word: string, cwd: string): string {
  return word
    .replace(/^~(?=\/|$)/, homedir())
    .replace(/^~[\w-]+/, '/home/*')
    .replaceAll(/\$(?:HOME\b|\{HOME\})/g, homedir())
    .replaceAll(/\$(?:PWD\b|\{PWD\})/g, cwd)
    .replaceAll(/\$\([^)]*\)|`[^`]*`|\$\{[^}]*\}|\$\w+|\$[$!?#@*-]/g, '**')
    .replaceAll(/\{[^}]*\}|[@!+?*]\([^)]*\)/g, '**')
    .replaceAll(/\[[^\]]*\]/g, '?');
}
