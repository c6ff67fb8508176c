import { innerCode, type Shell, type Unwrapped } from './inner-command.ts';
import { readOptions } from './read-options.ts';
import { programName, type ShellWord } from './shell-word.ts';

/** A command's standard input, as far as the command line shows it. */
export type Stdin =
  | { readonly type: 'inherited' }
  | { readonly type: 'fed' }
  | { readonly type: 'text'; readonly text: ShellWord };

export function isShell(name: string): boolean {
  return SHELLS.has(name);
}

/** `bash -c CODE`, or a shell that reads its program from standard input. */
export function unwrapShell(name: string, words: readonly ShellWord[], stdin: Stdin): Unwrapped {
  const shell = SHELLS.get(name) ?? 'other';
  const read = readOptions(words, 1, SHELL_OPTIONS);
  const doubt = read.doubt === undefined ? {} : { doubt: read.doubt };
  const operand = words[read.next];
  if (read.options.some((option) => option.name === '-c' || option.name === '--command')) {
    if (operand === undefined) return { inner: [], doubt: `${name} -c has no command` };
    return { inner: [innerCode(`${name} -c`, operand, shell)], ...doubt };
  }
  const readsStdin =
    operand === undefined || operand.text === '-' || read.options.some((option) => option.name === '-s');
  if (readsStdin) {
    if (stdin.type === 'text') return { inner: [innerCode(`${name} <<`, stdin.text, shell)], ...doubt };
    return { inner: [], doubt: `${name} reads its program from standard input` };
  }
  if (isUnknownFile(operand)) return { inner: [], doubt: `${name} runs a file known only at run time` };
  return { inner: [], ...doubt };
}

/** A program in another language is visible if the words contain it, but not if it comes from standard input. */
export function unwrapInterpreter(words: readonly ShellWord[], stdin: Stdin): Unwrapped {
  const name = programName(words[0]);
  const rest = words.slice(1);
  if (rest.some((word) => INLINE_PROGRAM.test(word.text))) return { inner: [] };
  const file = rest.find((word) => /^[^-].*[./]|^[.~/]/.test(word.text));
  if (file === undefined) {
    return stdin.type === 'inherited' && !rest.some((word) => word.kind === 'dynamic')
      ? { inner: [] }
      : { inner: [], doubt: `${name} may read its program from standard input` };
  }
  return isUnknownFile(file) ? { inner: [], doubt: `${name} runs a file known only at run time` } : { inner: [] };
}

export function isUnknownFile(word: ShellWord): boolean {
  return word.kind === 'dynamic' || /^\/(?:dev|proc)\//.test(word.text);
}

// `python -c`, `-m`; `node -e`, `-p`; `perl -ne`; `php -r`; or an option that runs nothing.
const INLINE_PROGRAM = /^-(?:[a-zA-Z]?[cmepr]|[0-9a-zA-Z]{1,4}e|V|v)$|^--(?:eval|print|version|help|test|run)\b/;

const SHELLS: ReadonlyMap<string, Shell> = new Map<string, Shell>([
  ['bash', 'bash'],
  ['rbash', 'bash'],
  ['sh', 'sh'],
  ['dash', 'sh'],
  ['ash', 'sh'],
  ['zsh', 'other'],
  ['ksh', 'other'],
  ['mksh', 'other'],
  ['fish', 'other'],
  ['csh', 'other'],
  ['tcsh', 'other'],
  ['elvish', 'other'],
  ['nu', 'other'],
  ['xonsh', 'other'],
]);

const SHELL_OPTIONS = {
  flags: 'abcefhiklmnprstuvxBCDEHPT',
  values: 'oO',
  longFlags: [
    'login',
    'noprofile',
    'norc',
    'posix',
    'restricted',
    'verbose',
    'version',
    'help',
    'debugger',
    'noediting',
    'command',
  ],
  longValues: ['rcfile', 'init-file'],
};
