/** Renames a text file: reads it, writes the new one, deletes the old one. It never overwrites. */
import { namedPath } from '../offline-request.ts';
import { failedCall } from '../failed-call.ts';
import { readAll } from '../find-named.ts';
import { code } from '../markdown.ts';
import { callTool, type Plan, type PlanEnd } from '../plan.ts';
import { pathFrom } from '../quoted.ts';
import type { OfflineSkill } from '../skill.ts';

export const renameFile: OfflineSkill = {
  name: 'rename a file',
  does: 'rename or move a text file',
  examples: ['rename notes.txt to todo.txt', 'move a.md to docs/a.md'],
  plan(request) {
    const match =
      /^(?:rename|move|mv)\s+(?:the\s+)?(?:file\s+)?("[^"]+"|`[^`]+`|\S+)\s+(?:to|into|as|->|→)\s+("[^"]+"|`[^`]+`|\S+)$/i.exec(
        request.words,
      );
    const from = namedPath(match?.[1] ?? '', request);
    const text = pathFrom(match?.[2] ?? '');
    if (match === null || from === undefined || !/[./]/.test(from + text)) return undefined;
    const to = text.endsWith('/') ? `${text}${from.slice(from.lastIndexOf('/') + 1)}` : text;
    return rename(from, to);
  },
};

function* rename(from: string, to: string): Plan<PlanEnd> {
  const page = yield* readAll(from);
  if ('ok' in page) return page;
  const there = yield* callTool('read', { path: to, limit: 1 });
  if (there.outcome === 'success')
    return { ok: false, text: `**Not done:** ${code(to)} exists already, and I overwrite nothing.` };
  if (there.outcome !== 'error' || !/does not exist/.test(there.text))
    return failedCall(there, `writing ${code(to)}`);
  if (page.isLossy) {
    return {
      ok: false,
      text: `**Not done:** ${code(from)} would not stay the same byte for byte if I wrote it again. Say ${code(`run \`mv ${from} ${to}\``)} instead.`,
    };
  }
  const content = page.lines.length === 0 ? '' : `${page.lines.join('\n')}\n`;
  const written = yield* callTool('write', { path: to, content });
  if (written.outcome !== 'success') return failedCall(written, `writing ${code(to)}`);
  const deleted = yield* callTool('delete', { path: from });
  if (deleted.outcome === 'success') return { ok: true, text: `✓ Renamed ${code(from)} to ${code(to)}.` };
  const why = failedCall(deleted, `deleting ${code(from)}`).text;
  return {
    ok: false,
    text: `${why}\n\nSo both are there now: ${code(from)} as it was, and its copy ${code(to)}.`,
  };
}
