import type { Checkpoint } from './checkpoint.ts';
import type { GitFailure } from '../git/git-call.ts';
import { findRepository, type Repository } from './repository.ts';

export async function inPlace<Answer>(
  root: string,
  inRepository: (repository: Repository) => Promise<Answer>,
  elsewhere: () => Promise<Answer>,
): Promise<Answer | GitFailure> {
  try {
    const repository = await findRepository(root);
    switch (repository.type) {
      case 'failed':
        return repository;
      case 'no-repository':
        return await elsewhere();
      case 'repository':
        return await inRepository(repository);
    }
  } catch (error) {
    // A full disk or a read-only folder is an outcome like any other.
    return {
      type: 'failed',
      message: `The checkpoints of ${root}: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

export function otherKind({
  root,
  checkpoint,
}: {
  readonly root: string;
  readonly checkpoint: Checkpoint;
}): GitFailure {
  const isGit = checkpoint.kept.type === 'git';
  const message = isGit
    ? `Checkpoint ${checkpoint.label} is in a git repository, and ${root} is in none.`
    : `Checkpoint ${checkpoint.label} is a copy of files, and ${root} is now in a git repository.`;
  return { type: 'failed', message };
}
