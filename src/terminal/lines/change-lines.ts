/** A call's planned or completed change, as signed lines. */
import { argumentsOf } from '../../views/call-arguments.ts';
import { changesIn } from '../../views/call-changes.ts';
import type { DiffLine } from '../../kernel/line-diff.ts';
import type { Look } from './look.ts';

/** The change that a call's arguments describe. Empty if it isn't a text change. */
export function changedLines(tool: string, args: string): readonly DiffLine[] {
  return changesIn(tool, argumentsOf(args)).flatMap(({ lines }, index): readonly DiffLine[] =>
    index === 0 ? lines : [{ type: 'hunk', text: '⋯' }, ...lines],
  );
}

/** Parses output that is a patch. Undefined if it isn't one. */
export function patchIn(output: string): readonly DiffLine[] | undefined {
  if (!/^(diff --git |--- )/m.test(output) || !/^@@ /m.test(output)) return undefined;
  return output.split('\n').map((line): DiffLine => {
    const isHead = /^(diff --git |index |--- |\+\+\+ |@@ )/.test(line);
    if (isHead) return { type: 'hunk', text: line };
    const type = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same';
    return { type, text: line.slice(1) };
  });
}

export function changeLine({ type, text }: DiffLine, { paint }: Pick<Look, 'paint'>): string {
  switch (type) {
    case 'added':
      return paint.done(`+ ${text}`);
    case 'removed':
      return paint.fail(`- ${text}`);
    case 'hunk':
      return paint.ink3(text);
    case 'same':
      return `  ${text}`;
  }
}
