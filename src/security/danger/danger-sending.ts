import type { DangerRule } from './danger-rule.ts';
import { gitWords } from '../shell/git-words.ts';
import { runs } from '../shell/segment-facts.ts';
import type { Segment } from '../shell/segment.ts';

/** Commands that publish data outside this machine (S22). They always ask and can't be granted in advance. */
export const SENDING_RULES: readonly DangerRule[] = [
  {
    id: 'git-force-push',
    severity: 'deny',
    reason: 'replaces history on the remote, which may destroy the work of others',
    matches: (segment) =>
      pushWords(segment)?.some((word) => FORCED.test(word)) === true || forcesBySetting(segment),
  },
  {
    id: 'git-push',
    severity: 'ask',
    reason: (segment) => pushText(pushWords(segment) ?? []),
    matches: (segment) => pushWords(segment) !== undefined,
  },
  {
    id: 'publish',
    severity: 'ask',
    reason: (segment) =>
      `publishes with ${segment.words.slice(0, 3).join(' ')}: it becomes public and can't be taken back`,
    matches: isPublication,
  },
];

const FORCED = /^-[a-zA-Z]*f|^--(?:force|mirror)|^\+/;

function pushWords(segment: Segment): readonly string[] | undefined {
  const [command, ...words] = gitWords(segment);
  return command === 'push' || command === 'send-pack' ? words : undefined;
}

/** `git -c remote.origin.push=+main push` */
function forcesBySetting(segment: Segment): boolean {
  return (
    pushWords(segment) !== undefined && segment.words.some((word) => /\.(?:push=\+|mirror=(?!false))/i.test(word))
  );
}

function pushText(words: readonly string[]): string {
  const [remote, ...refs] = words.filter((word) => !word.startsWith('-'));
  const deletes = words.some((word) => /^(?:--delete|--prune|-[a-zA-Z]*d)|^:./.test(word));
  const what = refs.length > 0 ? refs.join(', ') : words.includes('--all') ? 'all branches' : 'the current branch';
  const where = remote ?? 'its default remote';
  return deletes ? `deletes ${what} on ${where}` : `pushes ${what} to ${where}`;
}

const PUBLISHING = /^(?:publish|unpublish|deprecate|dist-tag)$/;

/** The command of a package manager, at any position: `pnpm --filter x publish`, `yarn workspace x npm publish`. */
function packageCommand(words: readonly string[]): string {
  const operands = words.filter(
    (word, index) => !word.startsWith('-') && !VALUED.test(index === 0 ? '' : (words[index - 1] ?? '')),
  );
  const [first = '', ...rest] = operands;
  switch (first) {
    case 'npm':
      return rest[0] ?? '';
    case 'workspace':
    case 'workspaces':
      return rest.find((word) => PUBLISHING.test(word)) ?? '';
    default:
      return first;
  }
}

const VALUED = /^(?:--(?:filter|filter-prod|dir|prefix|workspace|cwd|registry|tag|otp|access)|-[FCw])$/;

function isPublication(segment: Segment): boolean {
  const words = segment.words.slice(1);
  const operands = words.filter((word) => !word.startsWith('-'));
  const [first = '', second = ''] = operands;
  if (runs(segment, 'npm', 'pnpm', 'yarn', 'bun')) return PUBLISHING.test(packageCommand(words));
  if (runs(segment, 'cargo')) return /^(?:publish|yank)$/.test(first);
  if (runs(segment, 'gem')) return first === 'push' || first === 'yank';
  if (runs(segment, 'twine', 'vsce', 'ovsx', 'jsr')) return /^(?:upload|publish)$/.test(first);
  if (runs(segment, 'poetry', 'uv', 'hatch', 'flit', 'mvn', 'dotnet'))
    return /^(?:publish|deploy)$/.test(first) || second === 'push';
  if (runs(segment, 'docker', 'podman', 'helm')) return first === 'push' || second === 'push';
  if (runs(segment, 'gh', 'glab'))
    return (
      /^(?:create|comment|merge|close|edit|delete|upload|review|reopen|run)$/.test(second) ||
      (first === 'api' && /-X|--method|-f|-F|--field|--input/.test(words.join(' ')))
    );
  return false;
}
