/** The lines that a session's own edits changed, for every front end. Others may have changed its folder, too. */
import { argumentsOf } from './call-arguments.ts';
import { linesChanged } from './call-changes.ts';
import type { CallItem, Item } from './transcript-item.ts';

type ChangeCounts = ReturnType<typeof linesChanged>;

/** Restored files keep the edits up to that event. A reverted restore brings the later ones back. */
export function standingChanges(items: readonly Item[]): ChangeCounts {
  const edits: { readonly seq: number; readonly counts: ChangeCounts; stands: boolean }[] = [];
  for (const item of items) {
    if (item.type === 'notice' && item.about.type === 'files-restored') {
      const { to } = item.about;
      for (const edit of edits) edit.stands = edit.seq <= to;
    }
    if (item.type !== 'call' || item.state.type !== 'succeeded' || typeof item.args !== 'string') continue;
    if (item.tool !== 'edit' && item.tool !== 'write') continue;
    edits.push({ seq: Number.parseInt(item.id, 10), counts: countsOf(item), stands: true });
  }
  const standing = edits.filter(({ stands }) => stands).map(({ counts }) => counts);
  return {
    added: standing.reduce((sum, { added }) => sum + added, 0),
    removed: standing.reduce((sum, { removed }) => sum + removed, 0),
  };
}

const counted = new WeakMap<object, ChangeCounts>();

function countsOf(item: CallItem): ChangeCounts {
  const known = counted.get(item);
  if (known !== undefined) return known;
  const changes = linesChanged(item, argumentsOf(item.args));
  counted.set(item, changes);
  return changes;
}
