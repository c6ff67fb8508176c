/** The configured reach of commands. */
import type { SandboxLevel } from './sandbox.ts';

/**
 * `auto`: sandboxed without network if this machine has a working sandbox, otherwise unsandboxed. `container`: the
 * machine's owner declares that it is a container that holds nothing else. The other levels are mandatory.
 */
type SandboxChoice = 'auto' | 'container' | 'none' | 'workspace' | 'workspace-no-network';

export type SandboxSetting =
  | SandboxChoice
  /** With `network`, only these hosts are reachable, on port 443: `example.org`, `*.example.org`. */
  | { readonly level: SandboxChoice; readonly network?: readonly string[] };

export interface SandboxReach {
  readonly level: SandboxLevel | 'auto' | 'container';
  readonly hosts: readonly string[];
}

export function reachOf(setting: SandboxSetting): SandboxReach {
  if (typeof setting === 'string') return { level: setting, hosts: [] };
  const { level, network } = setting;
  if (network === undefined) return { level, hosts: [] };
  return { level: level === 'auto' ? 'auto' : 'workspace-allow-list', hosts: network };
}

/** Describes the reach for `doctor` and `policy explain`. */
export function reachText({ level, hosts }: SandboxReach): string {
  switch (level) {
    case 'none':
      return 'without a sandbox';
    case 'container':
      return 'without a sandbox: the configuration declares this machine a container';
    case 'auto':
      return `in a sandbox: writes only in the session's folder, ${hosts.length === 0 ? 'no network' : `the network only to ${hosts.join(', ')}`}`;
    case 'workspace':
      return "in a sandbox: writes only in the session's folder, the network is open";
    case 'workspace-allow-list':
      return `in a sandbox: writes only in the session's folder, the network only to ${hosts.join(', ')}`;
    case 'workspace-no-network':
      return "in a sandbox: writes only in the session's folder, no network";
  }
}
