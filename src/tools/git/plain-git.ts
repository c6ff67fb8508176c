import { parseCommand } from '../../security/shell/parse-command.ts';
import type { SandboxProfile } from '../../security/paths/protected-paths.ts';
import type { Segment } from '../../security/shell/segment.ts';
import { programName } from '../../security/shell/shell-word.ts';

interface PlainGit {
  readonly profile: SandboxProfile;
  readonly skipsHooks: boolean;
}

/** A line of only plain git commands may write to the repository. In any other line, git may only read it. */
export function plainGit(command: string, shell: 'bash' | 'sh'): PlainGit {
  const parsed = parseCommand(command, { shell });
  const segments = (parsed.type === 'parsed' ? parsed.segments : []).filter((segment) => !isMessageText(segment));
  const all = segments.length > 0 && segments.every(isPlain);
  const does = (commands: ReadonlySet<string>) =>
    all && segments.some(({ words }) => commands.has(words[1] ?? ''));
  const profile = does(CHECKING_OUT) ? 'checkouts' : does(COMMITTING) ? 'commits' : 'work';
  return { profile, skipsHooks: segments.some(skipsHooks) };
}

const COMMITTING: ReadonlySet<string> = new Set('add commit branch tag'.split(' '));
const CHECKING_OUT: ReadonlySet<string> = new Set(
  'switch checkout stash merge restore rm mv reset revert cherry-pick rebase'.split(' '),
);
const LOOKING: ReadonlySet<string> = new Set('status log diff show rev-parse ls-files'.split(' '));

function isPlain(segment: Segment): boolean {
  const { words, opaque, dynamic, assignments, redirects } = segment;
  if (opaque || dynamic.length > 0 || assignments.length > 0 || redirects.length > 0) return false;
  if (programName(words[0]) !== 'git') return false;
  const [, command = '', ...rest] = words;
  return (
    [COMMITTING, CHECKING_OUT, LOOKING].some((one) => one.has(command)) &&
    !rest.some((word) => /^(?:--exec|-x)/.test(word))
  );
}

/** The `cat` of `git commit -m "$(cat <<'EOF' … EOF)"`. */
function isMessageText({ words, via, input, redirects, assignments, dynamic }: Segment): boolean {
  const isSubstituted = via.length === 1 && via[0] === 'command-substitution';
  const isBare = redirects.length === 0 && assignments.length === 0 && dynamic.length === 0;
  return isSubstituted && isBare && input !== undefined && words.length === 1 && words[0] === 'cat';
}

function skipsHooks({ words }: Segment): boolean {
  if (programName(words[0]) !== 'git') return false;
  return (
    words.includes('--no-verify') ||
    (words.includes('commit') && words.some((word) => /^-[a-z]*n[a-z]*$/.test(word)))
  );
}
