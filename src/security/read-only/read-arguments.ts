/** The options that a table lists for a program. Any other option makes the whole command unknown. */
export interface Reader {
  readonly flags?: string;
  /** Letters whose value is the rest of the word or the next word. */
  readonly values?: string;
  /** Long options without a value. */
  readonly long?: string;
  /** Long options with `=value`. */
  readonly longValues?: string;
  /** Long options whose value may also be the next word. */
  readonly longNext?: string;
  /** Short options of another shape, such as `-20` or `-M90%`. */
  readonly others?: RegExp;
}

interface ReadArguments {
  readonly options: readonly string[];
  /** Operands before `--`, or all if there is none. */
  readonly operands: readonly string[];
  /** Words after `--`. */
  readonly after: readonly string[];
}

/** Accepts options anywhere among the operands, as GNU programs and git do. */
export function readArguments(words: readonly string[], reader: Reader): ReadArguments | undefined {
  const options: string[] = [];
  const operands: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--') return { options, operands, after: words.slice(index + 1) };
    if (!/^-./.test(word)) {
      operands.push(word);
      continue;
    }
    const taken = reader.others?.test(word) === true ? 'complete' : readOption(word, reader);
    if (taken === undefined) return undefined;
    options.push(word);
    if (taken === 'wants-value') {
      const value = words[index + 1];
      if (value === undefined) return undefined;
      options.push(value);
      index += 1;
    }
  }
  return { options, operands, after: [] };
}

type Taken = 'complete' | 'wants-value' | undefined;

function readOption(word: string, reader: Reader): Taken {
  if (!word.startsWith('--')) return readCluster(word, reader);
  const [, name = '', value] = /^--([^=]*)(=.*)?$/s.exec(word) ?? [];
  const isIn = (names: string | undefined) => names?.split(' ').includes(name) === true;
  if (value !== undefined) return isIn(reader.longValues) || isIn(reader.longNext) ? 'complete' : undefined;
  return isIn(reader.long) ? 'complete' : isIn(reader.longNext) ? 'wants-value' : undefined;
}

function readCluster(word: string, { flags = '', values = '' }: Reader): Taken {
  for (let index = 1; index < word.length; index += 1) {
    const letter = word.charAt(index);
    if (values.includes(letter)) return index === word.length - 1 ? 'wants-value' : 'complete';
    if (!flags.includes(letter)) return undefined;
  }
  return 'complete';
}
