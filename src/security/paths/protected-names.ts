// Names inside a workspace that decide what runs on the host or what agents do (S7). Compared case-insensitively,
// as on some file systems.

/** `host`: programs on this machine act on it. `agents`: it controls agents and CI. */
interface ProtectedName {
  readonly tier: 'host' | 'agents';
  /** The part of the path that a rule must contain. */
  readonly name: string;
}

/** Files that programs on this machine act on. The sandbox mounts each of them read-only. */
export const runsOnHost: readonly string[] = [
  '.git',
  '.rondo',
  '.vscode',
  '.idea',
  '.envrc',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  '.cargo/config',
  '.cargo/config.toml',
  '.mcp.json',
  '.devcontainer',
  '.zed',
  '.mise.toml',
  'mise.toml',
  'rondo.json',
];

/** Their programs also read these names with other extensions. */
const openEnded: readonly string[] = ['.yarnrc', '.cargo/config'];

export const steersAgents: readonly string[] = [
  'agents.md',
  'claude.md',
  'gemini.md',
  '.claude',
  '.cursor',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
  '.opencode',
  'opencode.json',
  'opencode.jsonc',
  '.codex',
  '.gemini',
  '.agents',
  'claude.local.md',
  '.github/copilot-instructions.md',
  'skills',
  '.github/workflows',
  '.gitlab-ci.yml',
  '.circleci',
  '.travis.yml',
  'jenkinsfile',
  'azure-pipelines.yml',
];

/** `relative` is a path inside a root, with forward slashes. */
export function protectedNameIn(relative: string): ProtectedName | undefined {
  const parts = relative.split(/[\\/]/);
  for (const [index, name] of parts.entries()) {
    const rest = parts.slice(index).join('/').toLowerCase();
    const isAt = (one: string) => rest === one || rest.startsWith(`${one}/`);
    if (runsOnHost.some(isAt) || openEnded.some((one) => rest.startsWith(one))) return { tier: 'host', name };
    if (steersAgents.some(isAt)) return { tier: 'agents', name };
  }
  return undefined;
}
