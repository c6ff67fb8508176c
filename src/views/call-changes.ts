import type { CallArguments } from './call-arguments.ts';
import { changeCounts, lineDiff, type DiffLine } from '../kernel/line-diff.ts';
import { withContext } from './line-diff.ts';
import type { CallItem } from './transcript-item.ts';

export interface CallChange {
  readonly path: string;
  readonly lines: readonly DiffLine[];
}

/**
 * The file changes that a call's arguments describe. `before` is the file's content, if known. Without it, the
 * position of an edit and the text that a write replaces are unknown. A hosted agent describes its changes itself.
 * `around`: lines of context.
 */
export function changesIn(
  tool: string,
  args: CallArguments | undefined,
  before?: string,
  around?: number,
): readonly CallChange[] {
  if (tool !== 'write' && tool !== 'edit') return [];
  if (Array.isArray(args?.['changes'])) return args['changes'].flatMap(readChange);
  const path = typeof args?.['path'] === 'string' ? args['path'] : '';
  if (tool === 'write' && typeof args?.['content'] === 'string') {
    const lines = lineDiff(before ?? '', args['content']);
    return [{ path, lines: before === undefined ? lines : withContext(lines, around) }];
  }
  if (!Array.isArray(args?.['edits'])) return [];
  const edits = args['edits'].flatMap(readEdit);
  const after = before === undefined ? undefined : edited(before, edits);
  if (before !== undefined && after !== undefined)
    return [{ path, lines: withContext(lineDiff(before, after), around) }];
  return edits.map(({ old, fresh }) => ({ path, lines: withoutNumbers(old, fresh) }));
}

/** A call that wrote a file that wasn't there. */
export function hasCreated({ tool, state }: Pick<CallItem, 'tool' | 'state'>): boolean {
  return tool === 'write' && resultOf(state)['created'] === true;
}

/**
 * How many lines a call changed. The arguments of a write don't say what was in the file before: its result does. A
 * result without counts, of a binary file or an earlier version, adds nothing.
 */
export function linesChanged(
  { tool, state }: Pick<CallItem, 'tool' | 'state'>,
  args: CallArguments | undefined,
): ReturnType<typeof changeCounts> {
  const { created, added, removed } = resultOf(state);
  if (tool !== 'write' || created !== false)
    return changeCounts(changesIn(tool, args).flatMap(({ lines }) => lines));
  return typeof added === 'number' && typeof removed === 'number' ? { added, removed } : { added: 0, removed: 0 };
}

function resultOf(state: CallItem['state']): CallArguments {
  return state.type === 'succeeded' ? ((state.data ?? {}) as CallArguments) : {};
}

/** The file as an edit call would leave it. Undefined if one of its edits doesn't fit. */
export function afterEdits(before: string, { edits }: CallArguments): string | undefined {
  return Array.isArray(edits) ? edited(before, edits.flatMap(readEdit)) : undefined;
}

/** A hosted agent's change of one file, as it describes it. */
function readChange(change: unknown): readonly CallChange[] {
  const { path, before, after } = (change ?? {}) as CallArguments;
  if (typeof path !== 'string' || typeof after !== 'string') return [];
  if (typeof before !== 'string') return [{ path, lines: lineDiff('', after) }];
  return [{ path, lines: withoutNumbers(before, after) }];
}

interface Edit {
  readonly old: string;
  readonly fresh: string;
  readonly all: boolean;
}

function readEdit(edit: unknown): readonly Edit[] {
  const { old_text: old, new_text: fresh, replace_all: all } = (edit ?? {}) as CallArguments;
  return typeof old === 'string' && typeof fresh === 'string' ? [{ old, fresh, all: all === true }] : [];
}

/** The file after a call of `edit`. Undefined if an edit doesn't fit, which the tool will reject. */
export function editedText(before: string, args: CallArguments): string | undefined {
  return Array.isArray(args['edits']) ? edited(before, args['edits'].flatMap(readEdit)) : undefined;
}

function edited(before: string, edits: readonly Edit[]): string | undefined {
  let text = before;
  for (const { old, fresh, all } of edits) {
    const pieces = old === '' ? [] : text.split(old);
    if (pieces.length < 2 || (pieces.length > 2 && !all)) return undefined;
    text = pieces.join(fresh);
  }
  return text;
}

function withoutNumbers(before: string, after: string): readonly DiffLine[] {
  return withContext(lineDiff(before, after)).map(({ type, text }) => ({ type, text }));
}
