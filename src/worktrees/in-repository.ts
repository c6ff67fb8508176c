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
  return {
    type: 'failed',
    message: `Checkpoint ${checkpoint.label} of session ${checkpoint.session} was kept ${
      checkpoint.kept.type === 'git' ? 'in a git repository' : 'as copies of files'
    }, and ${root} is ${checkpoint.kept.type === 'git' ? 'in none' : 'now in one'}: it cannot be used there.`,
  };
}
