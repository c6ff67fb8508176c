import type { SessionFileChange } from '../../ports/session-changes.ts';
import { counted } from '../../wording/counted.ts';

/** The changed files with their counts, then the patches. */
export function changesLines(changes: readonly SessionFileChange[]): readonly string[] {
  if (changes.length === 0) return ['No changes in this session.'];
  const sum = (count: (change: SessionFileChange) => number) =>
    changes.reduce((all, change) => all + count(change), 0);
  const [added, removed] = [sum((change) => change.added ?? 0), sum((change) => change.removed ?? 0)];
  return [
    `${counted(changes.length, 'file')} changed, +${added} −${removed}`,
    ...changes.map(({ path, status, from, added: plus, removed: minus }) => {
      const counts = plus === undefined || minus === undefined ? '' : `  +${plus} −${minus}`;
      return `  ${status} ${from === undefined ? '' : `${from} → `}${path}${counts}`;
    }),
    ...changes.flatMap(({ patch = '' }) => (patch === '' ? [] : ['', ...patch.trimEnd().split('\n')])),
  ];
}
