/** Worktrees as configured in their repository. Default: in the user's own folder. */
import { createHash } from 'node:crypto';
import path from 'node:path';

import type { LoadedConfig } from '../../agents/config-layers.ts';
import { isDead, ownIdentity } from '../../journal/process-identity.ts';
import { optional } from '../../kernel/optional.ts';
import type { Repository } from '../../worktrees/repository.ts';
import type { WorktreeSettings } from '../../worktrees/worktree.ts';
import { createWorktrees, type Worktrees } from '../../worktrees/worktrees.ts';

export interface WorktreesPlace {
  readonly home: string;
  /** A folder's configuration. An untrusted project's configuration omits worktrees, so nothing of it runs. */
  config(cwd: string): Promise<LoadedConfig>;
  /** Aborted when this process must exit. */
  readonly signal?: AbortSignal;
}

export function configuredWorktrees({ home, config, signal }: WorktreesPlace): Worktrees {
  const self = ownIdentity();
  return createWorktrees({
    ...optional({ signal }),
    holders: {
      self,
      // After a reboot of this machine, no earlier process runs.
      isDead: (other) =>
        isDead(other, self) || (other.host === self.host && isEarlierBoot(other.bootId, self.bootId)),
    },
    async settings(repository) {
      const { worktrees = {} } = (await config(repository.root)).config;
      return settingsFrom(worktrees, repository, home);
    },
  });
}

type Entry = NonNullable<LoadedConfig['config']['worktrees']>;

function settingsFrom(entry: Entry, repository: Repository, home: string): WorktreeSettings {
  const main =
    path.basename(repository.commonDir) === '.git' ? path.dirname(repository.commonDir) : repository.commonDir;
  const hash = createHash('sha256').update(repository.commonDir).digest('hex').slice(0, 8);
  const own = path.join(home, 'worktrees', `${path.basename(main).replace(/\.git$/, '')}-${hash}`);
  return {
    folder: entry.folder === undefined ? own : path.resolve(main, entry.folder),
    branchPrefix: entry.branchPrefix ?? 'rondo/',
    copy: entry.copy ?? [],
    setUp: entry.setUp ?? [],
  };
}

/**
 * The first part names the boot, the second the namespace. A process in another namespace of this boot may still
 * run.
 */
function isEarlierBoot(one: string, other: string): boolean {
  return one.split(' ')[0] !== other.split(' ')[0];
}
