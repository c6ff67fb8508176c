import { withLineEnds } from './text-file.ts';

interface TextEdit {
  readonly old_text: string;
  readonly new_text: string;
  readonly replace_all?: boolean | undefined;
}

type EditedText =
  | {
      readonly type: 'edited';
      readonly text: string;
      readonly replaced: number;
      readonly lines: readonly number[];
    }
  | { readonly type: 'refused'; readonly code: 'no-match' | 'ambiguous' | 'no-change'; readonly message: string };

/** Applies all edits in order, or returns why the first invalid one was refused. */
export function applyEdits(text: string, edits: readonly TextEdit[], lineEnd: '\n' | '\r\n'): EditedText {
  let current = text;
  let replaced = 0;
  const lines: number[] = [];
  for (const [index, edit] of edits.entries()) {
    const name = edits.length === 1 ? 'old_text' : `old_text of edit ${index + 1}`;
    const wanted = spelling(current, edit.old_text, lineEnd);
    const replacement =
      wanted === edit.old_text && lineEnd === '\n' ? edit.new_text : withLineEnds(edit.new_text, lineEnd);
    if (wanted === replacement) {
      return {
        type: 'refused',
        code: 'no-change',
        message: `${name} and new_text are identical. Nothing was changed.`,
      };
    }
    const places = placesOf(current, wanted);
    const numbers = places.map((at) => lineOf(current, at));
    if (places.length === 0) {
      return {
        type: 'refused',
        code: 'no-match',
        message: `${name} is not in the file. ${nearest(current, edit.old_text)} Nothing was changed.`,
      };
    }
    if (places.length > 1 && edit.replace_all !== true) {
      const where = numbers.slice(0, 10).join(', ');
      return {
        type: 'refused',
        code: 'ambiguous',
        message: `${name} occurs ${places.length} times (lines ${where}). Include more of the surrounding text, or set replace_all. Nothing was changed.`,
      };
    }
    current = current.split(wanted).join(replacement);
    replaced += places.length;
    lines.push(...numbers.slice(0, 20));
  }
  return { type: 'edited', text: current, replaced, lines };
}

// Models write \n, but the file may use \r\n.
function spelling(text: string, wanted: string, lineEnd: '\n' | '\r\n'): string {
  return text.includes(wanted) ? wanted : withLineEnds(wanted, lineEnd);
}

function placesOf(text: string, wanted: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

function lineOf(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) line += 1;
  return line;
}

const MOST_LINES_COMPARED = 20_000;

/** Points at lines that resemble the first line of the wanted text. */
function nearest(text: string, wanted: string): string {
  const sought =
    wanted
      .split(/\r?\n/)
      .find((line) => line.trim() !== '')
      ?.trim() ?? '';
  const lines = text.split(/\r?\n/, MOST_LINES_COMPARED);
  const exact = lines.flatMap((line, index) => (line.trim() === sought ? [index] : []));
  if (exact.length > 0) {
    const where = exact.slice(0, 3).map((index) => index + 1);
    return `Its first line occurs at line ${where.join(', ')}, but with different white space or different lines after it.`;
  }
  const pairs = pairsOf(sought);
  const ranked = lines
    .map((line, index) => ({ index, line, score: likeness(pairs, pairsOf(line.trim().slice(0, 200))) }))
    .filter(({ score }) => score > 0.5)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 3);
  if (ranked.length === 0) return 'No line is similar. Read the file again.';
  return `The nearest lines are ${ranked.map(({ index, line }) => `${index + 1}: ${JSON.stringify(line.slice(0, 200))}`).join('; ')}.`;
}

function pairsOf(line: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < line.length; at += 1) pairs.add(line.slice(at, at + 2));
  return pairs;
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return a.size + b.size === 0 ? 0 : (2 * a.intersection(b).size) / (a.size + b.size);
}
