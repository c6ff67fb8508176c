import type { Operations } from './operations.ts';
import { done, type OperationOutcome } from './outcome.ts';

/** The folder of a call: the session's, or the server's. */
export async function folderOf(
  { operations, cwd }: { readonly operations: Operations; readonly cwd: string },
  session: string | undefined,
): Promise<OperationOutcome<string>> {
  if (session === undefined) return done(cwd);
  const outcome = await operations.find(session);
  return outcome.type === 'error' ? outcome : done((await outcome.value.status()).cwd);
}
