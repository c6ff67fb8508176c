/** Why a platform has no sandbox, as text for `rondo doctor`. Undefined if it can have one. */
export function missingOn(platform: NodeJS.Platform): string | undefined {
  switch (platform) {
    case 'linux':
      return undefined;
    case 'darwin':
      return 'macOS has no sandbox yet, so commands need approval';
    case 'win32':
      return 'Windows has no sandbox, so commands need approval; use WSL2';
    default:
      return `${platform} has no sandbox, so commands need approval`;
  }
}
