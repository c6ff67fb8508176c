import { innerCode, type InnerCommand, joinedCode, type Unwrapped } from './inner-command.ts';
import { readOptions } from './read-options.ts';
import type { ShellWord } from './shell-word.ts';

// Programs that run a command with arguments from elsewhere. The inserted words are dynamic, so the ordinary rules
// make a command or code built from them opaque.

export function unwrapXargs(words: readonly ShellWord[]): Unwrapped {
  const read = readOptions(words, 1, XARGS_OPTIONS);
  const doubt = read.doubt === undefined ? {} : { doubt: read.doubt };
  const rest = words.slice(read.next);
  if (rest.length === 0) return { inner: [], ...doubt };
  const replace = read.options.findLast((option) => ['-I', '-i', '--replace', '-J'].includes(option.name));
  const mark = replace?.value?.text ?? '{}';
  const filled =
    replace === undefined
      ? [...rest, INPUT]
      : rest.map((word) => (word.text.includes(mark) ? dynamic(word) : word));
  return { inner: [{ type: 'argv', via: 'xargs', words: filled, assignments: [] }], ...doubt };
}

export function unwrapFind(words: readonly ShellWord[]): Unwrapped {
  const inner: InnerCommand[] = [];
  for (let index = 1; index < words.length; index += 1) {
    const action = words[index]?.text ?? '';
    if (!FIND_EXEC.has(action)) continue;
    const length = words
      .slice(index + 1)
      .findIndex((word, place, all) => word.text === ';' || (word.text === '+' && all[place - 1]?.text === '{}'));
    const end = length === -1 ? words.length : index + 1 + length;
    const command = words.slice(index + 1, end).map((word) => (word.text.includes('{}') ? dynamic(word) : word));
    if (command.length > 0) inner.push({ type: 'argv', via: `find ${action}`, words: command, assignments: [] });
    index = end;
  }
  return { inner };
}

export function unwrapParallel(words: readonly ShellWord[]): Unwrapped {
  const separator = words.findIndex((word) => word.text.startsWith(':::'));
  const read = readOptions(words.slice(0, separator === -1 ? words.length : separator), 1, PARALLEL_OPTIONS);
  const template = words.slice(read.next, separator === -1 ? undefined : separator);
  const doubt = { doubt: 'parallel builds command lines from its input' };
  if (template.length > 0)
    return {
      inner: [
        joinedCode(
          'parallel',
          template.map((word) => (/\{.*\}/.test(word.text) ? dynamic(word) : word)),
          'sh',
        ),
      ],
      ...doubt,
    };
  const inputs = separator === -1 ? [] : words.slice(separator + 1);
  return { inner: inputs.map((input) => innerCode('parallel', input, 'sh')), ...doubt };
}

function dynamic(word: ShellWord): ShellWord {
  return { text: word.text, kind: 'dynamic' };
}

const INPUT: ShellWord = { text: '{}', kind: 'dynamic' };

const FIND_EXEC = new Set(['-exec', '-execdir', '-ok', '-okdir']);

const XARGS_OPTIONS = {
  flags: '0oprtx',
  values: 'aEILnPRsdJS',
  attached: 'eil',
  longFlags: [
    'null',
    'interactive',
    'no-run-if-empty',
    'verbose',
    'exit',
    'open-tty',
    'show-limits',
    'replace',
    'eof',
    'max-lines',
  ],
  longValues: ['arg-file', 'delimiter', 'max-args', 'max-procs', 'max-chars', 'process-slot-var'],
};

const PARALLEL_OPTIONS = {
  flags: '0kmqtuvXr',
  values: 'aCdIjLnNSPs',
  longFlags: [
    'null',
    'keep-order',
    'bar',
    'dry-run',
    'line-buffer',
    'ungroup',
    'tag',
    'verbose',
    'will-cite',
    'halt-on-error',
  ],
  longValues: ['arg-file', 'colsep', 'delimiter', 'jobs', 'max-args', 'halt', 'timeout', 'retries', 'joblog'],
};
