/** How far commands may reach, as a person configures it. */
import type { SandboxLevel } from './sandbox.ts';

export type SandboxSetting =
  | 'none'
  | 'workspace'
  | 'workspace-no-network'
  /** With `network` only these hosts can be reached: `example.org`, `*.example.org`, each with an optional `:port`. */
  | {
      readonly level: 'none' | 'workspace' | 'workspace-no-network';
      readonly network?: readonly string[];
    };

export interface SandboxReach {
  readonly level: SandboxLevel;
  readonly hosts: readonly string[];
}

export function reachOf(setting: SandboxSetting): SandboxReach {
  if (typeof setting === 'string') return { level: setting, hosts: [] };
  const { level, network } = setting;
  return network === undefined ? { level, hosts: [] } : { level: 'workspace-allow-list', hosts: network };
}

/** In words, for `doctor` and `policy explain`. */
export function reachText({ level, hosts }: SandboxReach): string {
  switch (level) {
    case 'none':
      return 'not in a sandbox';
    case 'workspace':
      return "in a sandbox: writes only in the session's folder, the network is open";
    case 'workspace-allow-list':
      return `in a sandbox: writes only in the session's folder, the network only to ${hosts.join(', ')}`;
    case 'workspace-no-network':
      return "in a sandbox: writes only in the session's folder, no network";
  }
}
