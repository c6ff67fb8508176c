import type { ParsedCommand, Segment } from '../security/segment.ts';
import { programName } from '../security/shell-word.ts';
import { isReadOnly } from './read-only-commands.ts';

/**
 * The rules "allow for this session" adds for a command line: for each segment as wide as a person
 * would expect from what was shown, and no wider. Nothing where a part cannot be told beforehand.
 */
export function shellGrants(parsed: ParsedCommand): readonly string[] {
  if (parsed.type === 'unparsed') return [];
  const texts: string[] = [];
  for (const segment of parsed.segments) {
    if (segment.opaque) return [];
    if (segment.text === '') continue;
    const pattern = grantPattern(segment);
    if (pattern === undefined) return [];
    texts.push(`shell(${pattern})`);
  }
  return [...new Set(texts)];
}

function grantPattern(segment: Segment): string | undefined {
  const [first = '', ...rest] = segment.words;
  const program = programName(first);
  if (first !== program || segment.dynamic.includes(0)) return exactly(segment);
  const wide = WIDE.get(program);
  if (wide !== undefined) {
    const words = rest.slice(0, program === 'git' ? 1 : rest[0] === 'run' ? 2 : 1);
    const plain = words.length > 0 && words.every((word) => /^[A-Za-z][\w:.-]*$/.test(word));
    return plain && wide(words[0] ?? '') ? `${[program, ...words].join(' ')} *` : exactly(segment);
  }
  return isReadOnly(segment) ? `${program} *` : exactly(segment);
}

// A star in the text itself would make the rule wider than what was shown.
function exactly(segment: Segment): string | undefined {
  return /[*?\n]/.test(segment.text) ? undefined : segment.text;
}

const any = (): boolean => true;
const NARROW_GIT: ReadonlySet<string> = new Set([
  'push',
  'reset',
  'clean',
  'checkout',
  'restore',
  'rebase',
  'config',
  'filter-branch',
  'gc',
  'reflog',
  'update-ref',
  'worktree',
  'submodule',
  'remote',
]);
const packages = (command: string): boolean =>
  !['exec', 'publish', 'x', 'dlx', 'config', 'login', 'token', 'unpublish'].includes(command);

/** Programs whose first word says what they do, and for which of those words the rest may vary. */
const WIDE: ReadonlyMap<string, (command: string) => boolean> = new Map([
  ['git', (command: string) => !NARROW_GIT.has(command)],
  ...['npm', 'pnpm', 'yarn', 'bun'].map((name): [string, (command: string) => boolean] => [name, packages]),
  ...[
    'cargo',
    'go',
    'make',
    'dotnet',
    'gradle',
    'mvn',
    'bundle',
    'rake',
    'poetry',
    'uv',
    'just',
    'turbo',
    'nx',
  ].map((name): [string, (command: string) => boolean] => [name, any]),
]);
