import type { CallArguments } from './call-summary.ts';
import { lineDiff, withContext, type DiffLine } from './line-diff.ts';

export interface CallChange {
  readonly path: string;
  readonly lines: readonly DiffLine[];
}

/** The changes to files that a call's arguments spell out. */
export function changesIn(tool: string, args: CallArguments): readonly CallChange[] {
  const path = typeof args['path'] === 'string' ? args['path'] : '';
  if (tool === 'write' && typeof args['content'] === 'string')
    return [{ path, lines: lineDiff('', args['content']) }];
  if (tool !== 'edit' || !Array.isArray(args['edits'])) return [];
  return args['edits'].flatMap((edit: unknown): readonly CallChange[] => {
    const { old_text: before, new_text: after } = (edit ?? {}) as Readonly<Record<string, unknown>>;
    return typeof before === 'string' && typeof after === 'string'
      ? [{ path, lines: withoutNumbers(before, after) }]
      : [];
  });
}

/** Where in the file the text stands is not known before the call has run. */
function withoutNumbers(before: string, after: string): readonly DiffLine[] {
  return withContext(lineDiff(before, after)).map(({ type, text }) => ({ type, text }));
}
