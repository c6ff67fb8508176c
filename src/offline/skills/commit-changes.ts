/** Commits all changes with the given message or one that names the files. */
import { failedCall } from '../failed-call.ts';
import { code } from '../markdown.ts';
import { counted } from '../../wording/counted.ts';
import { callTool, type Plan, type PlanEnd } from '../plan.ts';
import { unquoted } from '../quoted.ts';
import type { OfflineSkill } from '../skill.ts';

export const commitChanges: OfflineSkill = {
  name: 'commit',
  does: 'commit what is changed',
  examples: ['commit this', 'commit my changes with the message "Fix the total"'],
  takesAll: true,
  plan({ words }) {
    const match =
      /^(?:git\s+)?commit(?:\s+(?:this|it|that|them|all|everything|my\s+work|(?:all\s+)?(?:of\s+)?(?:the|my|these|our)\s+changes|changes))*(?:,?\s+(?:with(?:\s+the)?\s+message|as|saying|:|-m)\s*:?\s*(?<message>[\s\S]+))?[.!]?$/i.exec(
        words,
      );
    if (match === null) return undefined;
    const message = match.groups?.['message'];
    return commit(message === undefined ? undefined : unquoted(message));
  },
};

function* commit(given: string | undefined): Plan<PlanEnd> {
  const status = yield* callTool('git_status', {});
  if (status.outcome !== 'success') return failedCall(status, 'reading the state of git');
  const changes = status.text.split('\n').flatMap((line) => {
    const match = /^(.)(.) (.+)$/.exec(line);
    return match === null || line.startsWith('##')
      ? []
      : [{ kind: kindOf(match[1] ?? '', match[2] ?? ''), path: match[3] ?? '' }];
  });
  if (changes.length === 0) return { ok: false, text: 'Nothing has changed, so there is nothing to commit.' };
  // Skips names that git had to quote.
  const names = changes.flatMap(({ path }) => path.split(' -> '));
  const paths = names.some((name) => name.startsWith('"')) || names.length > 200 ? ['.'] : names;
  const message = given ?? messageFor(changes);
  const result = yield* callTool('git_commit', { message, paths });
  if (result.outcome !== 'success') return failedCall(result, 'committing');
  return { ok: true, text: `✓ Committed ${counted(changes.length, 'file')} as ${code(message)}.` };
}

interface Change {
  readonly kind: 'Add' | 'Delete' | 'Rename' | 'Update';
  readonly path: string;
}

function kindOf(staged: string, unstaged: string): Change['kind'] {
  const mark = staged === ' ' ? unstaged : staged;
  if (mark === '?' || mark === 'A') return 'Add';
  return mark === 'D' ? 'Delete' : mark === 'R' ? 'Rename' : 'Update';
}

function messageFor(changes: readonly Change[]): string {
  const kinds = new Set(changes.map(({ kind }) => kind));
  const [kind = 'Update'] = kinds.size === 1 ? kinds : ['Update'];
  const names = changes.map(({ path }) => path.split(' -> ').at(-1)?.split('/').at(-1) ?? path);
  const [first = '', second = '', third] = names;
  if (names.length === 1) return `${kind} ${first}`;
  return third === undefined
    ? `${kind} ${first} and ${second}`
    : `${kind} ${first} and ${names.length - 1} more files`;
}
