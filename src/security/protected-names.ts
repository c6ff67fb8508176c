// Names inside a workspace that decide what runs on the host or what agents do (S7). Compared without
// regard to case: some file systems do so too.

/** `host`: programs on this machine act on it. `agents`: it steers agents and CI. */
export interface ProtectedName {
  readonly tier: 'host' | 'agents';
  /** The part of the path that a rule must state. */
  readonly name: string;
}

/** `relative` is a path inside a root, with forward slashes. */
export function protectedNameIn(relative: string): ProtectedName | undefined {
  const parts = relative.split(/[\\/]/);
  for (const [index, part] of parts.entries()) {
    const folded = part.toLowerCase();
    if (HOST.test(folded)) return { tier: 'host', name: part };
    if (folded === '.cargo' && /^config/i.test(parts[index + 1] ?? '')) return { tier: 'host', name: part };
    if (AGENTS.test(folded)) return { tier: 'agents', name: part };
    if (folded === '.github' && /^workflows$/i.test(parts[index + 1] ?? '')) return { tier: 'agents', name: part };
  }
  return undefined;
}

const HOST =
  /^(?:\.git|\.rondo|rondo\.json|\.vscode|\.idea|\.envrc|\.npmrc|\.yarnrc.*|\.pnpmfile\.cjs|\.mcp\.json)$/;
const AGENTS =
  /^(?:agents\.md|claude\.md|gemini\.md|\.claude|\.cursor|\.cursorrules|skills|\.gitlab-ci\.yml|\.circleci)$/;
