// Programs that only read, with the options for which that is certain. Any other command needs approval as usual.
//
// 1. The table lists every allowed option in full: no abbreviation, and no option that writes, follows a file,
//    reads a list of files or runs a program.
// 2. For a `file`, its content is read. For a `tree`, the content of everything in it. For a `place`, only names
//    and figures.
// 3. Read-only git commands are in `git-looks.ts`. They run through the single git runner.
import { readArguments, type Reader } from './read-arguments.ts';
import { SECRET_FOLDERS, SECRET_NAMES } from '../secrets/secret-names.ts';

/** A command parsed by the table: the arguments to pass, and which of them name files. */
interface ReadOnlyCommand {
  readonly options: readonly string[];
  readonly operands: readonly Operand[];
  /** Puts `--` between options and operands. Programs without it read operands that start with a dash as options. */
  readonly hasSeparator: boolean;
  /**
   * True if the output doesn't depend on the folder. The command then runs outside it, so that it reads nothing
   * there.
   */
  readonly isElsewhere?: true;
}

export interface Operand {
  readonly word: string;
  readonly is: 'file' | 'tree' | 'place' | 'text';
}

/** `words` start with the program's bare name. Undefined if it isn't certain that the command only reads. */
export function readOnlyCommand(words: readonly string[]): ReadOnlyCommand | undefined {
  const [program = '', ...rest] = words;
  if (VERSIONED.has(program) && rest.length === 1 && rest[0] === '--version') {
    return { options: rest, operands: [], hasSeparator: false, isElsewhere: true };
  }
  const special = SPECIAL.get(program);
  if (special !== undefined) return special(rest);
  const reader = READERS.get(program);
  return reader === undefined ? undefined : byTable(rest, reader);
}

interface TableReader extends Reader {
  readonly operands: Operand['is'];
  readonly most?: number;
}

function byTable(words: readonly string[], reader: TableReader): ReadOnlyCommand | undefined {
  const read = readArguments(words, reader);
  const given = read === undefined ? [] : [...read.operands, ...read.after];
  if (read === undefined || given.length > (reader.most ?? Infinity)) return undefined;
  const operands = given.map((word) => ({ word, is: reader.operands }));
  return { options: read.options, operands, hasSeparator: true };
}

const DIGITS = '0123456789';

const READERS: ReadonlyMap<string, TableReader> = new Map<string, TableReader>([
  [
    'ls',
    {
      flags: `laAhtrSR1dFpisknogGcuXUvx`,
      long: 'all almost-all human-readable group-directories-first recursive directory classify color reverse',
      longValues: 'color sort time-style',
      operands: 'place',
    },
  ],
  ['cat', { flags: 'nAbEsTvet', operands: 'file' }],
  ['head', { flags: `qv${DIGITS}`, values: 'nc', longValues: 'lines bytes', operands: 'file' }],
  ['tail', { flags: `qv${DIGITS}`, values: 'nc', longValues: 'lines bytes', operands: 'file' }],
  ['wc', { flags: 'lwcmL', long: 'lines words bytes chars', operands: 'file' }],
  ['pwd', { flags: 'LP', operands: 'text', most: 0 }],
  ['true', { operands: 'text' }],
  ['date', { operands: 'text', most: 0 }],
  ['stat', { flags: 't', values: 'c', longValues: 'format printf', operands: 'place' }],
  ['realpath', { flags: 'emqsz', operands: 'place' }],
  ['basename', { flags: 'az', values: 's', operands: 'text' }],
  ['dirname', { flags: 'z', operands: 'text' }],
  [
    'du',
    {
      flags: 'ashckmbxS',
      values: 'dBt',
      long: 'all summarize human-readable total',
      longValues: 'max-depth exclude block-size',
      operands: 'place',
    },
  ],
  ['cut', { flags: 'sn', values: 'dfcb', longValues: 'delimiter fields characters', operands: 'file' }],
  ['tr', { flags: 'cdst', operands: 'text', most: 2 }],
  ['nl', { flags: 'p', values: 'bdfhilnsvw', operands: 'file' }],
  ['uniq', { flags: 'cdDiuz', values: 'fsw', operands: 'file', most: 1 }],
  ['sort', { flags: 'nrufbgVh', values: 'kt', longValues: 'key field-separator', operands: 'file' }],
  [
    'diff',
    {
      flags: `uwbBiqyaceps${DIGITS}`,
      values: 'UC',
      long: 'unified brief ignore-all-space side-by-side',
      longValues: 'unified color',
      operands: 'file',
      most: 2,
    },
  ],
  ['cmp', { flags: 'bls', values: 'in', operands: 'file', most: 2 }],
  ['sha256sum', { flags: 'bt', operands: 'file' }],
  ['which', { flags: 'a', operands: 'text' }],
]);

const GREP: TableReader = {
  flags: `rnilLcvwxEFohHsqaIy${DIGITS}`,
  values: 'eABCm',
  long:
    'recursive line-number ignore-case files-with-matches files-without-match count invert-match word-regexp ' +
    'line-regexp extended-regexp fixed-strings only-matching no-filename with-filename no-messages quiet color',
  longValues:
    'regexp include exclude exclude-dir context after-context before-context max-count color binary-files',
  operands: 'tree',
};

const RG: TableReader = {
  flags: 'niSslcvwxFohHINp',
  values: 'eABCmgtTM',
  long:
    'line-number ignore-case smart-case case-sensitive files-with-matches count invert-match word-regexp ' +
    'fixed-strings only-matching no-filename with-filename files no-heading heading multiline sort-files stats',
  longValues:
    'regexp glob iglob type type-not context after-context before-context max-count color sort max-columns',
  operands: 'tree',
};

type Special = (words: readonly string[]) => ReadOnlyCommand | undefined;

const text = (word: string): Operand => ({ word, is: 'text' });

const SPECIAL: ReadonlyMap<string, Special> = new Map<string, Special>([
  ['echo', (words) => ({ options: [], operands: words.map(text), hasSeparator: false })],
  ['sed', readSed],
  ['find', readFind],
  ['grep', (words) => readSearch(words, GREP, grepLeavesOut)],
  ['rg', (words) => readSearch(words, RG, rgLeavesOut)],
]);

/** `sed -n N,Mp`, which only prints lines. */
function readSed(words: readonly string[]): ReadOnlyCommand | undefined {
  const [quiet, script = '', ...files] = words;
  if (quiet !== '-n' || !/^(?:\d+|\$)(?:,(?:\d+|\$))?p$/.test(script)) return undefined;
  if (files.some((file) => file.startsWith('-'))) return undefined;
  return { options: [quiet, script], operands: files.map((word) => ({ word, is: 'file' })), hasSeparator: true };
}

function readFind(words: readonly string[]): ReadOnlyCommand | undefined {
  const start = words.findIndex((word) => /^[-!(]/.test(word));
  const places = start === -1 ? words : words.slice(0, start);
  const expression = start === -1 ? [] : words.slice(start);
  for (let index = 0; index < expression.length; index += 1) {
    const word = expression[index] ?? '';
    if (FIND_TESTS.has(word)) {
      index += 1;
      if (expression[index] === undefined) return undefined;
    } else if (!FIND_WORDS.has(word)) return undefined;
  }
  // The expression follows the places, and find has no separator for them.
  const operands = [...places.map((word): Operand => ({ word, is: 'place' })), ...expression.map(text)];
  return {
    options: [],
    operands: places.length === 0 ? [{ word: '.', is: 'place' }, ...operands] : operands,
    hasSeparator: false,
  };
}

const FIND_TESTS: ReadonlySet<string> = new Set(
  '-name -iname -path -ipath -type -maxdepth -mindepth -size -mtime -mmin'.split(' '),
);
const FIND_WORDS: ReadonlySet<string> = new Set('-print -not ! -o -or -a -and ( ) -empty -prune'.split(' '));

function readSearch(
  words: readonly string[],
  reader: Reader,
  leaveOut: readonly string[],
): ReadOnlyCommand | undefined {
  const read = readArguments(words, reader);
  if (read === undefined) return undefined;
  const hasPattern = read.options.some((option) => /^-[a-zA-Z]*e|^--regexp=|^--files$/.test(option));
  const operands = [...read.operands, ...read.after];
  const [pattern, ...rest] = operands;
  if (!hasPattern && pattern === undefined) return undefined;
  const files = hasPattern ? operands : rest;
  const given = hasPattern ? read.options : [...read.options, '-e', pattern ?? ''];
  return {
    options: [...given, ...leaveOut],
    operands: files.map((word) => ({ word, is: 'tree' })),
    hasSeparator: true,
  };
}

// The last match wins, so these come after the given options.
const grepLeavesOut: readonly string[] = [
  '--devices=skip',
  ...SECRET_NAMES.map((name) => `--exclude=${name}`),
  ...SECRET_FOLDERS.map((name) => `--exclude-dir=${name}`),
];
const rgLeavesOut: readonly string[] = [
  '--no-config',
  '--no-follow',
  ...[...SECRET_NAMES, ...SECRET_FOLDERS].flatMap((name) => ['--iglob', `!${name}`]),
];

/** Programs that print their version without reading anything. */
const VERSIONED: ReadonlySet<string> = new Set(
  'node npm git python python3 gcc g++ clang make cmake bash java perl ruby rg grep sed'.split(' '),
);
