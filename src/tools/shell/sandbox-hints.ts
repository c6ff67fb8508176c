import type { ChildResult } from '../../processes/child-process.ts';

/** Hints for the model about a command that the sandbox blocked. */
export function sandboxHints({
  outcome,
  stdout,
  stderr,
}: Pick<ChildResult, 'outcome' | 'stdout' | 'stderr'>): readonly string[] {
  if (outcome.type !== 'exited' || outcome.code === 0) return [];
  const text = `${stdout.text}\n${stderr.text}`;
  return HINTS.filter(([pattern]) => pattern.test(text)).map(([, hint]) => hint);
}

const HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /\.git\b[^\n]*Read-only file system/,
    'In the sandbox, git can write only if the whole command line consists of plain git commands.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ENETUNREACH|Could not resolve host|Temporary failure in name resolution|Network is unreachable/,
    'The sandbox has no network. If the command needs it, set unconfined to ask the user for approval.',
  ],
];
