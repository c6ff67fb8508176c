/** Why a platform has no sandbox, in words for `rondo doctor`; undefined where it can have one. */
export function missingOn(platform: NodeJS.Platform): string | undefined {
  switch (platform) {
    case 'linux':
      return undefined;
    case 'darwin':
      return 'no sandbox on macOS yet, so commands need approval';
    case 'win32':
      return 'no sandbox on Windows, so commands need approval; use WSL2';
    default:
      return `no sandbox on ${platform}, so commands need approval`;
  }
}
