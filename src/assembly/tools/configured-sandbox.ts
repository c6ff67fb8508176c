import path from 'node:path';

import { identityFile, outerGitDirs } from '../../git/sandboxed-git.ts';
import { sharedObjects } from '../../git/shared-objects.ts';
import { optional } from '../../kernel/optional.ts';
import { type ClosableSandbox, withAllowList } from '../../security/sandbox/allow-list-sandbox.ts';
import { createBubblewrap } from '../../security/sandbox/bubblewrap.ts';
import type { CommandSandbox } from '../../security/sandbox/command-sandbox.ts';
import { REGISTRY_HOSTS } from '../../security/sandbox/package-registries.ts';
import { reachOf, type SandboxSetting } from '../../security/sandbox/sandbox-setting.ts';

export interface ConfiguredSandbox extends CommandSandbox {
  readonly port: ClosableSandbox;
}

/** Where commands run, by configuration. `home`: Rondo's own folder, hidden from every command. */
export function configuredSandbox(
  setting: SandboxSetting | undefined,
  home: string | undefined,
): ConfiguredSandbox {
  const { level, hosts } = reachOf(setting ?? 'auto');
  const state = home === undefined ? undefined : path.join(home, 'sandbox');
  const bubblewrap = createBubblewrap(home === undefined ? {} : { rondoHome: home });
  const listed = withAllowList(bubblewrap, hosts);
  const registries = withAllowList(bubblewrap, REGISTRY_HOSTS);
  return {
    port: {
      wrap: listed.wrap,
      async [Symbol.asyncDispose]() {
        await Promise.all([listed[Symbol.asyncDispose](), registries[Symbol.asyncDispose]()]);
      },
    },
    // An explicit host list already decides which registries it includes.
    ...(hosts.length === 0 && { registries }),
    level,
    hasHosts: hosts.length > 0,
    gitDirsOf: outerGitDirs,
    ...(home !== undefined && {
      readableFor: (root: string) => sharedObjects(root, path.join(home, 'repositories')),
    }),
    gitConfig: () => identityFile(state),
    ...optional({ state }),
  };
}
