/**
 * Words that a pattern needs in order to match, derived from its first group: at the start of a clause if the
 * pattern is anchored, anywhere if it starts with a word boundary. Undefined if they can't be derived. Never
 * excludes a pattern that could have matched.
 */
interface Openings {
  readonly at: 'start' | 'anywhere';
  readonly words: readonly string[];
}

export function openingsOf(pattern: string): Openings | undefined {
  const at = pattern.startsWith('^') ? 'start' : pattern.startsWith('\\b') ? 'anywhere' : undefined;
  if (at === undefined) return undefined;
  let from = at === 'start' ? 1 : 2;
  while (pattern.startsWith('(?!', from)) {
    const end = closingOf(pattern, from);
    if (end === -1) return undefined;
    from = end + 1;
  }
  if (!pattern.startsWith('(?:', from)) {
    const word = hasOuterChoice(pattern, from) ? undefined : literalOpening(pattern.slice(from));
    return word === undefined ? undefined : { at, words: [word] };
  }
  const end = closingOf(pattern, from);
  const after = pattern[end + 1];
  if (end === -1 || after === '?' || after === '*' || after === '{' || hasOuterChoice(pattern, end + 1))
    return undefined;
  const words = choicesOf(pattern.slice(from + 3, end)).map(literalOpening);
  return words.every((word) => word !== undefined) ? { at, words } : undefined;
}

/** At least one letter. Omits the last one if the following syntax may make it optional. */
function literalOpening(text: string): string | undefined {
  const letters = /^[a-z<>' -]*/.exec(text)?.[0] ?? '';
  const next = text[letters.length];
  const opening = next === '?' || next === '*' || next === '{' ? letters.slice(0, -1) : letters;
  return opening === '' ? undefined : opening;
}

function choicesOf(text: string): readonly string[] {
  if (!/[([\\]/.test(text)) return text.split('|');
  const choices: string[] = [];
  let from = 0;
  for (let at = nextOuter(text, 0); at !== -1; at = nextOuter(text, at + 1)) {
    choices.push(text.slice(from, at));
    from = at + 1;
  }
  return [...choices, text.slice(from)];
}

function hasOuterChoice(text: string, from: number): boolean {
  return text.includes('|', from) && nextOuter(text, from) !== -1;
}

/** The next `|` outside any group and class. */
function nextOuter(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '|') return at;
    if (char === '\\') at += 1;
    else if (char === '(') {
      const end = closingOf(text, at);
      if (end === -1) return -1;
      at = end;
    } else if (char === '[') at = text.indexOf(']', at);
  }
  return -1;
}

/** The position where the group that opens at `from` closes. */
function closingOf(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '[') at = text.indexOf(']', at);
    else if (char === '(') depth += 1;
    else if (char === ')') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}
