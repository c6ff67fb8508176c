import type { ShellWord } from './shell-word.ts';

/** The options of a program that precede its operands, as far as they determine where the operands start. */
export type OptionSpec = {
  /** Letters without a value. */
  readonly flags?: string;
  /** Letters whose value is the rest of the word or the next word. */
  readonly values?: string;
  /** Letters whose value, if any, is attached. */
  readonly attached?: string;
  /** Long names without a value, or whose value is attached with `=`. */
  readonly longFlags?: readonly string[];
  readonly longValues?: readonly string[];
};

export type ReadOptions = {
  readonly options: readonly { readonly name: string; readonly value: ShellWord | undefined }[];
  /** Index of the first operand. */
  readonly next: number;
  readonly doubt?: string;
};

/** Reads options up to the first operand. An option missing from `spec` causes a doubt. */
export function readOptions(words: readonly ShellWord[], start: number, spec: OptionSpec): ReadOptions {
  const options: { name: string; value: ShellWord | undefined }[] = [];
  let doubt: string | undefined;
  let next = start;
  for (; next < words.length; next += 1) {
    const word = words[next];
    if (word === undefined || !/^[-+]./.test(word.text)) break;
    if (word.text === '--') {
      next += 1;
      break;
    }
    if (word.kind === 'dynamic' && !/^--[\w-]+=/.test(word.text)) {
      doubt ??= `an option is known only at run time: ${word.text}`;
      continue;
    }
    const taken = word.text.startsWith('--')
      ? readLong(word, words[next + 1], spec)
      : readShort(word, words[next + 1], spec);
    options.push(...taken.options);
    doubt ??= taken.doubt;
    if (taken.tookNext) next += 1;
  }
  return { options, next, ...(doubt === undefined ? {} : { doubt }) };
}

type Taken = {
  readonly options: { name: string; value: ShellWord | undefined }[];
  readonly tookNext: boolean;
  readonly doubt: string | undefined;
};

function readLong(word: ShellWord, following: ShellWord | undefined, spec: OptionSpec): Taken {
  const equals = word.text.indexOf('=');
  const name = equals === -1 ? word.text : word.text.slice(0, equals);
  const takes = (names: readonly string[] | undefined) => names?.includes(name.slice(2)) ?? false;
  const takesValue = takes(spec.longValues);
  const doubt = takesValue || takes(spec.longFlags) ? undefined : `an unknown option: ${name}`;
  if (equals !== -1) {
    const value: ShellWord = { text: word.text.slice(equals + 1), kind: word.kind };
    return { options: [{ name, value }], tookNext: false, doubt };
  }
  return { options: [{ name, value: takesValue ? following : undefined }], tookNext: takesValue, doubt };
}

function readShort(word: ShellWord, following: ShellWord | undefined, spec: OptionSpec): Taken {
  const options: { name: string; value: ShellWord | undefined }[] = [];
  let doubt: string | undefined;
  for (let index = 1; index < word.text.length; index += 1) {
    const letter = word.text.charAt(index);
    const name = `-${letter}`;
    const rest = word.text.slice(index + 1);
    if (spec.values?.includes(letter) ?? false) {
      const value = rest === '' ? following : { text: rest, kind: word.kind };
      options.push({ name, value });
      return { options, tookNext: rest === '', doubt };
    }
    if (spec.attached?.includes(letter) ?? false) {
      options.push({ name, value: rest === '' ? undefined : { text: rest, kind: word.kind } });
      return { options, tookNext: false, doubt };
    }
    if (!(spec.flags?.includes(letter) ?? false)) doubt ??= `an unknown option: ${name}`;
    options.push({ name, value: undefined });
  }
  return { options, tookNext: false, doubt };
}
