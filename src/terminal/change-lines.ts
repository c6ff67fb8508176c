/** What a call would change or did change, as lines with their sign. */
import type { Look } from './look.ts';

export interface Change {
  readonly sign: '+' | '-' | ' ' | '@';
  readonly text: string;
}

/** The change that the arguments of a call describe; none where it is no change of text. */
export function changesIn(tool: string, args: string): readonly Change[] {
  const given = parsed(args);
  if (tool === 'write') return signed('+', text(given['content']));
  if (tool !== 'edit' || !Array.isArray(given['edits'])) return [];
  const edits = given['edits'] as readonly unknown[];
  return edits.flatMap((edit, index) => {
    const { old_text: before, new_text: after } = (edit ?? {}) as Readonly<Record<string, unknown>>;
    const lines = trimmed(signed('-', text(before)), signed('+', text(after)));
    return index === 0 ? lines : [{ sign: '@' as const, text: '' }, ...lines];
  });
}

/** Output that is a patch, by its lines; undefined where it is not. */
export function patchIn(output: string): readonly Change[] | undefined {
  if (!/^(diff --git |--- )/m.test(output) || !/^@@ /m.test(output)) return undefined;
  return output.split('\n').map((line): Change => {
    const isHead = /^(diff --git |index |--- |\+\+\+ |@@ )/.test(line);
    if (isHead) return { sign: '@', text: line };
    const [sign] = line;
    return sign === '+' || sign === '-' ? { sign, text: line.slice(1) } : { sign: ' ', text: line.slice(1) };
  });
}

export function changeLine({ sign, text: words }: Change, { paint }: Pick<Look, 'paint'>): string {
  switch (sign) {
    case '+':
      return paint.good(`+ ${words}`);
    case '-':
      return paint.error(`- ${words}`);
    case '@':
      return paint.accent(words === '' ? '⋯' : words);
    case ' ':
      return `  ${words}`;
  }
}

/** `+3 −1`; empty where nothing changes. */
export function changeCounts(changes: readonly Change[], { paint }: Pick<Look, 'paint'>): string {
  const count = (sign: Change['sign']) => changes.filter((change) => change.sign === sign).length;
  const [added, removed] = [count('+'), count('-')];
  return [added > 0 ? paint.good(`+${added}`) : '', removed > 0 ? paint.error(`−${removed}`) : '']
    .filter((part) => part !== '')
    .join(' ');
}

/** Lines that stand on both sides at the edges are shown once. */
function trimmed(before: readonly Change[], after: readonly Change[]): readonly Change[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head]?.text === after[head]?.text) head += 1;
  let tail = 0;
  while (
    tail < Math.min(before.length, after.length) - head &&
    before[before.length - 1 - tail]?.text === after[after.length - 1 - tail]?.text
  ) {
    tail += 1;
  }
  const same = (changes: readonly Change[]): readonly Change[] =>
    changes.map((change) => ({ sign: ' ', text: change.text }));
  return [
    ...same(before.slice(0, head)),
    ...before.slice(head, before.length - tail),
    ...after.slice(head, after.length - tail),
    ...same(before.slice(before.length - tail)),
  ];
}

function signed(sign: Change['sign'], whole: string): readonly Change[] {
  if (whole === '') return [];
  return whole
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => ({ sign, text: line }));
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function parsed(args: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(args === '' ? '{}' : args) as unknown;
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
