/** Shows a file, or some of its lines. */
import type { OfflineRequest } from '../offline-request.ts';
import { readNamed } from '../find-named.ts';
import { code, codeBlock } from '../markdown.ts';
import { counted } from '../../wording/counted.ts';
import type { Plan, PlanEnd } from '../plan.ts';
import type { OfflineSkill } from '../skill.ts';

const shownLines = 60;

export const readFile: OfflineSkill = {
  name: 'read a file',
  does: 'show a file or some of its lines',
  examples: ['show src/app.ts', 'read README.md lines 10-20', 'show the first 5 lines of package.json'],
  plan(request) {
    const { path, words, verb } = request;
    if (path === undefined || path.endsWith('/')) return undefined;
    const asksToSee =
      verb === 'read' ||
      /^(?:read|show|cat|print|open|view|display|see|what(?:'s| is) (?:in|inside))\b/i.test(words) ||
      words === request.paths[0];
    return asksToSee ? show(path, rangeIn(request)) : undefined;
  },
};

type Range =
  | { readonly type: 'from'; readonly first: number; readonly count: number }
  | { readonly type: 'last'; readonly count: number };

function rangeIn({ words, paths }: OfflineRequest): Range {
  const between =
    /\blines?\s+(\d+)(?:\s*(?:-|–|to|until|through|\.\.)\s*(\d+))?/i.exec(words) ??
    /:(\d+)(?:-(\d+))?$/.exec(paths[0] ?? '');
  if (between !== null) {
    const first = Math.max(1, Number(between[1]));
    const last = Math.max(first, Number(between[2] ?? first));
    return { type: 'from', first, count: Math.min(last - first + 1, 200) };
  }
  const edge = /\b(first|last|top|bottom)\s+(\d+)\s+lines?\b/i.exec(words);
  const count = Math.min(200, Math.max(1, Number(edge?.[2] ?? shownLines)));
  return /last|bottom/i.test(edge?.[1] ?? '') ? { type: 'last', count } : { type: 'from', first: 1, count };
}

function* show(path: string, range: Range): Plan<PlanEnd> {
  const target = range.type === 'from' ? { offset: range.first, limit: range.count } : {};
  let match = yield* readNamed(path, target);
  if (match.type === 'none') return match.end;
  const { total, next } = match.page;
  if (range.type === 'last' && next !== undefined && total !== undefined) {
    match = yield* readNamed(match.path, { offset: Math.max(1, total - range.count + 1) });
    if (match.type === 'none') return match.end;
  }
  const { page } = match;
  const skipped = range.type === 'last' ? Math.max(0, page.lines.length - range.count) : 0;
  const lines = page.lines.slice(skipped);
  if (lines.length === 0) return { ok: true, text: `${code(match.path)} is empty.` };
  const first = page.from + skipped;
  const last = first + lines.length - 1;
  return {
    ok: true,
    text: [
      `${code(match.path)}, ${placeText(first, last, page.total)}`,
      codeBlock(lines.join('\n'), { language: languageOf(match.path), lines: 200, characters: 8_000 }),
      ...(page.next !== undefined && range.type === 'from'
        ? [
            `Continue with: \`show ${match.path} lines ${page.next}-${Math.min(page.next + shownLines - 1, page.total ?? Infinity)}\``,
          ]
        : []),
    ].join('\n\n'),
  };
}

function placeText(first: number, last: number, total: number | undefined): string {
  if (first === 1 && last === total) return counted(last, 'line');
  const lines = first === last ? `line ${first}` : `lines ${first}–${last}`;
  return total === undefined || total <= last ? lines : `${lines} of ${total}`;
}

function languageOf(path: string): string {
  const ending = /\.(\w+)$/.exec(path)?.[1] ?? '';
  return ending === 'txt' ? '' : ending;
}
