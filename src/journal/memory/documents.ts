import type { Documents } from '../../ports/documents.ts';
import { answerAsProcess, type Seat, type Shared } from './shared.ts';

export function createMemoryDocuments({ documents }: Shared, seat: Seat): Documents {
  return {
    read: (name) => answerAsProcess(seat, () => documents.get(name)),
    write: (name, body, seen) =>
      answerAsProcess(seat, () => {
        if ((documents.get(name)?.version ?? 0) !== seen) return false;
        documents.set(name, { version: seen + 1, body });
        return true;
      }),
  };
}
