/** Why a platform has no sandbox, as text for `rondo doctor`. Undefined if it can have one. */
export function missingOn(platform: NodeJS.Platform): string | undefined {
  switch (platform) {
    case 'linux':
      return undefined;
    case 'darwin':
      return 'there is no sandbox on macOS yet, so commands are asked about';
    case 'win32':
      return 'there is no sandbox on Windows, so commands are asked about; use WSL2';
    default:
      return `there is no sandbox on ${platform}, so commands are asked about`;
  }
}
