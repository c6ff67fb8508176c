import { physicalPath } from '../../security/paths/physical-path.ts';
import { homedir } from 'node:os';
import type { Argument } from '../../security/shell/segment-facts.ts';

/**
 * The absolute path that a word could refer to, before anything runs (S5). `~` and known variables are replaced.
 * Text from a program or an unknown variable counts as a wildcard over everything. Undefined if the word isn't a
 * path or its beginning is unknown.
 */
export interface ExpandedWord {
  readonly pattern: string;
  readonly isWild: boolean;
  /** True if the shell inserts a part of it, such as a home folder. */
  readonly isExpanded: boolean;
}

export function expandWord({ text, dynamic }: Argument, cwd: string): ExpandedWord | undefined {
  const word = valueOf(text);
  const expanded = dynamic ? withVariables(word, cwd) : word;
  if (expanded.startsWith('**')) return undefined;
  const isPath = expanded.startsWith('/') || dynamic || expanded.includes('/') || expanded.startsWith('.');
  if (!isPath || expanded === '' || expanded.includes('://') || expanded.includes('\0')) return undefined;
  return {
    pattern: physicalPath(cwd, expanded),
    isWild: dynamic && /[*?]/.test(expanded),
    isExpanded: expanded !== word,
  };
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
