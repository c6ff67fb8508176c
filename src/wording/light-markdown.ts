/**
 * A reply with light formatting for a terminal, line by line as it streams: headings and bold text are bold, code keeps
 * its own tone, list marks are bullets. A pipe gets the text as it is.
 */
import type { TonePaint } from './terminal-style.ts';

interface LineFormatter {
  /** What to write now: the lines that the text completes. */
  add(text: string): string;
  /** The line that has no end yet. */
  rest(): string;
}

export function createLightMarkdown(paint: TonePaint): LineFormatter {
  let pending = '';
  let fence: string | undefined;

  function formatted(line: string): string | undefined {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
      return undefined;
    }
    if (fence !== undefined) return `  ${paint.accent(line)}`;
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1];
    return heading === undefined ? inline(line.replace(/^(\s*)[-*+]\s+/, '$1• '), paint) : paint.strong(heading);
  }

  return {
    add(text) {
      const lines = `${pending}${text}`.split('\n');
      pending = lines.pop() ?? '';
      return lines
        .flatMap((line) => formatted(line) ?? [])
        .map((line) => `${line}\n`)
        .join('');
    },
    rest() {
      const line = pending;
      pending = '';
      return line === '' ? '' : (formatted(line) ?? '');
    },
  };
}

/** Bold text, code and links. Code is left alone by everything else. */
function inline(line: string, paint: TonePaint): string {
  return line
    .split(/(`[^`]+`)/)
    .map((part) =>
      /^`[^`]+`$/.test(part)
        ? paint.accent(part.slice(1, -1))
        : part
            .replaceAll(/\*\*(\S(?:.*?\S)?)\*\*/g, (_, text: string) => paint.strong(text))
            .replaceAll(/\[([^\]]+)\]\((https?:[^)\s]+)\)/g, '$1 ($2)'),
    )
    .join('');
}
