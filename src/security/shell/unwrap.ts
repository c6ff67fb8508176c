import { innerCode, type InnerCommand, joinedCode, type Unwrapped } from './inner-command.ts';
import { type ReadOptions, readOptions } from './read-options.ts';
import { argumentThatRuns } from './running-arguments.ts';
import type { AssignmentFact } from './segment.ts';
import { programName, type ShellWord } from './shell-word.ts';
import { UNWRAP_BUILTINS } from './unwrap-builtins.ts';
import { unwrapGit } from './unwrap-git.ts';
import { unwrapFind, unwrapParallel, unwrapXargs } from './unwrap-inputs.ts';
import { isShell, type Stdin, unwrapInterpreter, unwrapShell } from './unwrap-shells.ts';
import { INTERPRETERS, OPAQUE_PROGRAMS, type Wrapper, WRAPPERS } from './wrapper-table.ts';

/** Returns the commands that a command runs because of its arguments or its standard input. */
export function unwrap(words: readonly ShellWord[], stdin: Stdin): Unwrapped {
  const name = programName(words[0]);
  if (isShell(name)) return unwrapShell(name, words, stdin);
  if (INTERPRETERS.has(name)) return unwrapInterpreter(words, stdin);
  if (OPAQUE_PROGRAMS.has(name)) return { inner: [], doubt: `${name} can run other programs` };
  const running = argumentThatRuns(name, words);
  if (running !== undefined) return { inner: [], doubt: `${name} runs a command given by ${running}` };
  const special = UNWRAP_BUILTINS.get(name) ?? UNWRAP_PROGRAMS.get(name);
  if (special !== undefined) return special(words);
  const subcommand = `${name} ${words[1]?.text ?? ''}`;
  const nested = WRAPPERS.get(subcommand);
  if (nested !== undefined) return unwrapByTable(subcommand, nested, words, 2);
  const wrapper = WRAPPERS.get(name);
  return wrapper === undefined ? { inner: [] } : unwrapByTable(name, wrapper, words, 1);
}

const UNWRAP_PROGRAMS: ReadonlyMap<string, (words: readonly ShellWord[]) => Unwrapped> = new Map([
  ['find', unwrapFind],
  ['xargs', unwrapXargs],
  ['parallel', unwrapParallel],
  ['git', unwrapGit],
]);

function unwrapByTable(via: string, wrapper: Wrapper, words: readonly ShellWord[], start: number): Unwrapped {
  const read = readOptions(words, start, wrapper);
  const doubt = read.doubt ?? doubtAboutOptions(read);
  const because = doubt === undefined ? {} : { doubt };
  if (read.options.some((option) => wrapper.inert?.includes(option.name) ?? false))
    return { inner: [], ...because };
  const code = codeInOptions(via, wrapper, read);
  let next = read.next;
  const assignments: AssignmentFact[] = [];
  for (; wrapper.assignments === true && next < words.length; next += 1) {
    const fact = assignmentFact(words[next]);
    if (fact === undefined) break;
    assignments.push(fact);
  }
  next += wrapper.operands ?? 0;
  // BSD also accepts options after the host or the file: `ssh host -p 1 command`.
  const after = wrapper.operands === undefined ? { options: [], next } : readOptions(words, next, wrapper);
  const rest = words.slice(after.next);
  const argv: InnerCommand[] =
    rest.length === 0
      ? []
      : [wrapper.joins === true ? joinedCode(via, rest, 'sh') : { type: 'argv', via, words: rest, assignments }];
  return { inner: [...code, ...codeInOptions(via, wrapper, after), ...argv], ...because };
}

function codeInOptions(via: string, wrapper: Wrapper, read: ReadOptions): readonly InnerCommand[] {
  return read.options.flatMap(({ name, value }): InnerCommand[] =>
    value !== undefined && (wrapper.code?.includes(name) ?? false)
      ? [innerCode(`${via} ${name}`, value, 'sh')]
      : [],
  );
}

// `-o ProxyCommand=…` and similar options start other programs.
function doubtAboutOptions(read: ReadOptions): string | undefined {
  const risky = read.options.find(({ value }) => /^\w*command[= ]/i.test(value?.text ?? ''));
  return risky === undefined ? undefined : `${risky.name} ${risky.value?.text ?? ''} runs a program`;
}

function assignmentFact(word: ShellWord | undefined): AssignmentFact | undefined {
  const match = /^([A-Za-z_][\w%]*)=([\s\S]*)$/.exec(word?.text ?? '');
  if (match === null) return undefined;
  return { name: match[1] ?? '', value: match[2] ?? '', dynamic: word?.kind !== 'static' };
}
