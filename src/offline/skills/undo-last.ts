/**
 * Undoes the last request that changed something, if this is exact: reverses edits and deletes created files.
 * `rewind` covers the rest.
 */
import type { Deed } from '../facts.ts';
import { failedCall } from '../failed-call.ts';
import { readAll } from '../find-named.ts';
import { bullets, code } from '../markdown.ts';
import { callTool, tell, type Plan, type PlanEnd } from '../plan.ts';
import type { OfflineSkill } from '../skill.ts';

export const undoLast: OfflineSkill = {
  name: 'undo',
  does: 'take back the last change of this session',
  examples: ['undo that', 'undo the last change'],
  plan({ words, deeds }) {
    const asks =
      /^(?:undo|revert|take back|roll back)(?:\s+(?:that|this|it|them|everything|what you (?:just )?did|(?:the|your|my) (?:last|previous|latest) (?:change|changes|edit|edits|step)|(?:the|your|those|these) changes))?[.!]*$/i.test(
        words,
      );
    if (!asks) return undefined;
    const done = deeds.filter(({ tool, outcome }) => changing.has(tool) && outcome === 'success');
    const last = done.at(-1)?.prompt;
    if (last === undefined)
      return tell({
        ok: false,
        text: `Nothing was changed in this session, so there is nothing to undo.\n\n${rewind}`,
      });
    return undo(done.filter(({ prompt }) => prompt === last).toReversed());
  },
};

const changing = new Set(['write', 'edit', 'delete', 'git_commit', 'shell']);
const rewind =
  'To bring the files back as they were before an earlier prompt: `/rewind` in the chat, or `rondo rewind SESSION`.';

function* undo(deeds: readonly Deed[]): Plan<PlanEnd> {
  const lines: string[] = [];
  for (const deed of deeds) {
    const undone = yield* undoOne(deed);
    lines.push(`${undone.ok ? '✓' : '✗'} ${undone.text}`);
    if (!undone.ok) return { ok: false, text: `${bullets(lines, 40)}\n\n${rewind}` };
  }
  return { ok: true, text: bullets(lines, 40) };
}

function* undoOne({ tool, args, result, about }: Deed): Plan<PlanEnd> {
  if (tool === 'write' && / was created /.test(result)) {
    const deleted = yield* callTool('delete', { path: about });
    if (deleted.outcome !== 'success') return failedCall(deleted, `deleting ${code(about)}`);
    return { ok: true, text: `Deleted ${code(about)}, which was created.` };
  }
  const edits = tool === 'edit' ? editsIn(args) : undefined;
  if (edits === undefined) return { ok: false, text: `I can't take back ${code(tool)} ${code(about)} exactly.` };
  const page = yield* readAll(about);
  if ('ok' in page) return page;
  const places = Number(/(\d+) places? replaced/.exec(result)?.[1] ?? 0);
  const [only] = edits;
  // Not exact if the new text existed before or was changed since.
  const isExact =
    only !== undefined && edits.length === 1 && countOf(page.lines.join('\n'), only.new_text) === places;
  if (!isExact)
    return { ok: false, text: `${code(about)} has changed in between, or has the new text elsewhere too.` };
  const back = [{ old_text: only.new_text, new_text: only.old_text, ...(places > 1 && { replace_all: true }) }];
  const edited = yield* callTool('edit', { path: about, edits: back });
  if (edited.outcome !== 'success') return failedCall(edited, `changing ${code(about)}`);
  return { ok: true, text: edited.text };
}

interface Edit {
  readonly old_text: string;
  readonly new_text: string;
}

/** Undefined if the arguments were cut, or if an edit can't reverse the call. */
function editsIn(args: string): readonly Edit[] | undefined {
  try {
    const { edits } = JSON.parse(args) as { readonly edits?: readonly Edit[] };
    return edits?.every(({ new_text }) => new_text !== '') === true ? edits : undefined;
  } catch {
    return undefined;
  }
}

function countOf(text: string, piece: string): number {
  return piece === '' ? 0 : text.split(piece).length - 1;
}
