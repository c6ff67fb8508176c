/**
 * Vim keys for the prompt. Normal mode turns each command into keys that the editor knows, so counts and registers
 * don't exist. Pure: the caller keeps the state.
 */
export interface VimState {
  readonly mode: 'insert' | 'normal';
  /** The first half of a command such as `dd`. */
  readonly pending: string;
}

interface VimStep {
  readonly state: VimState;
  /** The keys passed to the editor. */
  readonly keys: readonly string[];
}

export const insertMode: VimState = { mode: 'insert', pending: '' };
const normalMode: VimState = { mode: 'normal', pending: '' };

const left = '\u001B[D';
const right = '\u001B[C';
const up = '\u001B[A';
const down = '\u001B[B';
const start = '\u0001';
const end = '\u0005';
const wordLeft = '\u001Bb';
const wordRight = '\u001Bf';
const deleteRight = '\u001B[3~';
const deleteWord = '\u001Bd';
const deleteWordLeft = '\u0017';
const toEnd = '\u000B';
const yank = '\u0019';
const undo = '\u001F';
const newLine = '\u001B\r';

const moves: Readonly<Record<string, readonly string[]>> = {
  h: [left],
  l: [right],
  j: [down],
  k: [up],
  w: [wordRight],
  e: [wordRight],
  b: [wordLeft],
  '0': [start],
  '^': [start],
  $: [end],
  x: [deleteRight],
  X: ['\u007F'],
  D: [toEnd],
  u: [undo],
  p: [yank],
  J: [end, deleteRight],
};

/** Commands that end in insert mode. */
const inserts: Readonly<Record<string, readonly string[]>> = {
  i: [],
  a: [right],
  A: [end],
  I: [start],
  o: [end, newLine],
  O: [start, newLine, up],
  C: [toEnd],
  s: [deleteRight],
  S: [start, toEnd],
};

const pairs: Readonly<Record<string, readonly string[]>> = {
  // Its line end goes too, so that the line below moves up.
  dd: [start, toEnd, deleteRight],
  dw: [deleteWord],
  de: [deleteWord],
  db: [deleteWordLeft],
  d$: [toEnd],
  cc: [start, toEnd],
  cw: [deleteWord],
  cb: [deleteWordLeft],
  c$: [toEnd],
};

export function escapeToNormal(): VimState {
  return normalMode;
}

/** Undefined if the key isn't for vim: control keys, Enter and the arrows keep their meaning. */
export function vimKey(state: VimState, key: string): VimStep | undefined {
  if (state.mode === 'insert' || key.length !== 1 || key < ' ' || key === '\u007F') return undefined;
  if (state.pending !== '') {
    const keys = pairs[`${state.pending}${key}`];
    const isChange = state.pending === 'c' && keys !== undefined;
    return { state: isChange ? insertMode : normalMode, keys: keys ?? [] };
  }
  const inserted = inserts[key];
  if (inserted !== undefined) return { state: insertMode, keys: inserted };
  // A slash, `?` or `!` starts a command, as in insert mode: they have no other use in a prompt.
  if (key === 'd' || key === 'c') return { state: { mode: 'normal', pending: key }, keys: [] };
  return { state: normalMode, keys: moves[key] ?? [] };
}
