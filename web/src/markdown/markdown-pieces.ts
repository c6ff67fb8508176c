/**
 * Splits streaming Markdown into pieces: paragraphs, list items, table rows and code. Only the last piece can still
 * change, and a split continues where the last one stopped, so that the work per update is bounded by one piece.
 */
export interface Piece {
  readonly kind: 'text' | 'code' | 'item' | 'table' | 'row';
  readonly text: string;
  /** It starts a list; later items join it. */
  readonly isFirst?: boolean;
}

interface Split {
  readonly settled: readonly Piece[];
  readonly open: Piece | undefined;
  readonly cursor: Cursor;
}

/** Where the open piece starts, and the list or table that the pieces before it opened. */
export interface Cursor {
  readonly offset: number;
  readonly list?: string | undefined;
  readonly isTable?: boolean;
}

export const atStart: Cursor = { offset: 0 };

interface Draft {
  kind: Piece['kind'];
  from: number;
  lines: number;
  list?: string;
  isFirst?: boolean;
  /** How far an item's own lines are indented. */
  indent: number;
  fence?: string | undefined;
  isAfterBlank: boolean;
}

export function splitMarkdown(text: string, cursor: Cursor): Split {
  const settled: Piece[] = [];
  let { list, isTable = false } = cursor;
  let draft: Draft | undefined;
  let offset = cursor.offset;

  function settle(to: number): void {
    if (draft === undefined) return;
    settled.push(pieceOf(draft, text, to));
    list = draft.list;
    isTable = draft.kind === 'table' || draft.kind === 'row';
    draft = undefined;
  }
  for (let newline = text.indexOf('\n', offset); newline !== -1; newline = text.indexOf('\n', offset)) {
    const line = text.slice(offset, newline);
    if (draft !== undefined && !belongs(draft, line)) settle(offset);
    if (draft === undefined) {
      if (line.trim() === '') isTable = false;
      else draft = started(line, offset, { list, isTable });
    }
    if (draft !== undefined) {
      const wasFenced = draft.fence !== undefined;
      grow(draft, line);
      if (draft.kind === 'text' && draft.lines === 2 && isHead(text.slice(draft.from, newline)))
        draft.kind = 'table';
      const isClosed = draft.kind === 'code' && wasFenced && draft.fence === undefined;
      if (isClosed || draft.kind === 'row' || draft.kind === 'table') settle(newline + 1);
    }
    offset = newline + 1;
  }
  // The last line may still become anything, so it settles nothing.
  const rest = text.slice(offset);
  if (draft === undefined && rest.trim() !== '') draft = started(rest, offset, { list, isTable });
  return {
    settled,
    open: draft === undefined ? undefined : pieceOf(draft, text, text.length),
    cursor: {
      offset: draft?.from ?? offset,
      list,
      isTable,
    },
  };
}

function pieceOf({ kind, from, isFirst }: Draft, text: string, to: number): Piece {
  const piece = { kind, text: text.slice(from, to) };
  return kind === 'item' ? { ...piece, isFirst: isFirst ?? false } : piece;
}

const fenceMark = /^ {0,3}(`{3,}|~{3,})/;
const itemMark = /^( {0,3})([-*+]|\d{1,9}[.)])( +|$)/;
const rule = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const heading = /^ {0,3}#{1,6}(?: |$)/;

function started(line: string, from: number, before: Pick<Cursor, 'list' | 'isTable'>): Draft {
  const draft = { from, lines: 0, indent: 0, isAfterBlank: false };
  if (before.isTable === true && !startsBlock(line)) return { ...draft, kind: 'row' };
  if (fenceMark.test(line)) return { ...draft, kind: 'code' };
  const mark = rule.test(line) ? null : itemMark.exec(line);
  if (mark === null) return { ...draft, kind: 'text' };
  const list = listOf(mark[2] ?? '');
  const indent = (mark[1] ?? '').length + (mark[2] ?? '').length + 1;
  return { ...draft, kind: 'item', indent, list, isFirst: list !== before.list };
}

/** Items join a list if their marks end alike: `1.` and `2.`, but not `-` and `*`. */
function listOf(mark: string): string {
  return mark.at(-1) ?? '';
}

function belongs(draft: Draft, line: string): boolean {
  if (draft.fence !== undefined) return true;
  const isBlank = line.trim() === '';
  if (draft.kind === 'item') {
    if (isBlank || indentOf(line) >= draft.indent) return true;
    return !draft.isAfterBlank && !startsBlock(line);
  }
  return draft.kind === 'text' && !isBlank && !(draft.lines > 0 && interrupts(line));
}

function interrupts(line: string): boolean {
  if (fenceMark.test(line) || heading.test(line)) return true;
  // A number other than 1 doesn't start a list in a paragraph.
  return !rule.test(line) && /^ {0,3}(?:[-*+]|1[.)]) /.test(line);
}

function startsBlock(line: string): boolean {
  return (
    fenceMark.test(line) || heading.test(line) || rule.test(line) || itemMark.test(line) || /^ {0,3}>/.test(line)
  );
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function grow(draft: Draft, line: string): void {
  draft.lines += 1;
  draft.isAfterBlank = line.trim() === '';
  if (draft.kind !== 'code' && draft.kind !== 'item') return;
  const inner = draft.kind === 'item' ? line.slice(Math.min(draft.indent, indentOf(line))) : line;
  const mark = fenceMark.exec(inner)?.[1];
  if (mark === undefined) return;
  if (draft.fence === undefined) draft.fence = mark;
  else if (mark.startsWith(draft.fence) && inner.trim() === mark) draft.fence = undefined;
}

/** Two lines: the names of the columns, and the dashes below them. */
function isHead(lines: string): boolean {
  const [head = '', dashes = ''] = lines.split('\n');
  return (
    head.includes('|') &&
    dashes.includes('-') &&
    /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/.test(dashes)
  );
}
