import { innerCode, type InnerCommand, joinedCode, type Unwrapped } from './inner-command.ts';
import { readOptions } from './read-options.ts';
import type { ShellWord } from './shell-word.ts';
import { isUnknownFile } from './unwrap-shells.ts';

/** Shell builtins that take code or change the meaning of later words. */
export const UNWRAP_BUILTINS: ReadonlyMap<string, (words: readonly ShellWord[]) => Unwrapped> = new Map([
  ['eval', unwrapEval],
  ['trap', unwrapTrap],
  ['alias', unwrapAlias],
  ['source', unwrapSource],
  ['.', unwrapSource],
  ['mapfile', unwrapMapfile],
  ['readarray', unwrapMapfile],
  ['complete', unwrapComplete],
  ['bind', opaqueBuiltin],
  // Its -C, -F and -W run commands. -W does so even from single quotes.
  ['compgen', opaqueBuiltin],
  ['enable', unwrapEnable],
  ['hash', unwrapHash],
]);

function unwrapEval(words: readonly ShellWord[]): Unwrapped {
  const rest = words.slice(words[1]?.text === '--' ? 2 : 1);
  return { inner: rest.length === 0 ? [] : [joinedCode('eval', rest, 'bash')] };
}

function unwrapTrap(words: readonly ShellWord[]): Unwrapped {
  const { next } = readOptions(words, 1, { flags: 'lpP' });
  const action = words[next];
  if (next > 1 && words[next - 1]?.text !== '--') return { inner: [] };
  if (action === undefined || action.text === '' || action.text === '-') return { inner: [] };
  return { inner: [code('trap', action)] };
}

function unwrapAlias(words: readonly ShellWord[]): Unwrapped {
  const inner = words.slice(1).flatMap((word) => {
    const equals = word.text.indexOf('=');
    return equals === -1 ? [] : [code('alias', { text: word.text.slice(equals + 1), kind: word.kind })];
  });
  return { inner };
}

function unwrapSource(words: readonly ShellWord[]): Unwrapped {
  const file = words[words[1]?.text === '--' ? 2 : 1];
  if (file === undefined || !isUnknownFile(file)) return { inner: [] };
  return { inner: [], doubt: 'sources a file known only at run time' };
}

function unwrapMapfile(words: readonly ShellWord[]): Unwrapped {
  const { options } = readOptions(words, 1, { flags: 't', values: 'dnOsuCc' });
  return {
    inner: options.flatMap(({ name, value }) =>
      name === '-C' && value !== undefined ? [code('mapfile -C', value)] : [],
    ),
  };
}

function unwrapComplete(words: readonly ShellWord[]): Unwrapped {
  const { options } = readOptions(words, 1, { flags: 'abcdefgjksuvprDEI', values: 'oAGWFCXPS' });
  return {
    inner: options.flatMap(({ name, value }) =>
      name === '-C' && value !== undefined ? [code('complete -C', value)] : [],
    ),
  };
}

function opaqueBuiltin(words: readonly ShellWord[]): Unwrapped {
  return { inner: [], doubt: `${words[0]?.text ?? ''} can run other commands` };
}

function unwrapEnable(words: readonly ShellWord[]): Unwrapped {
  return words.some((word) => word.text.startsWith('-') && word.text.includes('f'))
    ? { inner: [], doubt: 'enable loads a library' }
    : { inner: [] };
}

function unwrapHash(words: readonly ShellWord[]): Unwrapped {
  return words.some((word) => word.text.startsWith('-') && word.text.includes('p'))
    ? { inner: [], doubt: 'hash changes which program a name runs' }
    : { inner: [] };
}

function code(via: string, word: ShellWord): InnerCommand {
  return innerCode(via, word, 'bash');
}
