import type { RecordedRepository } from './recorded-turn.ts';
import { husky } from './turns/husky.ts';
import { lfs } from './turns/lfs.ts';
import { linkedWorktree } from './turns/linked-worktree.ts';
import { monorepo } from './turns/monorepo.ts';
import { python } from './turns/python.ts';

export const repositories: readonly RecordedRepository[] = [husky, lfs, linkedWorktree, python, monorepo];
