import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';

import { RequestError } from '@agentclientprotocol/sdk';

/** The real paths of folders that an editor adds to a session. Throws the client's error response. */
export async function additionalDirectories(
  given: readonly string[] | null | undefined,
): Promise<readonly string[]> {
  return await Promise.all(
    (given ?? []).map(async (folder) => {
      if (!path.isAbsolute(folder)) throw invalid(folder, 'it must be absolute');
      try {
        const real = await realpath(folder);
        if ((await stat(real)).isDirectory()) return real;
      } catch {
        throw invalid(folder, "it doesn't exist");
      }
      throw invalid(folder, "it isn't a folder");
    }),
  );
}

function invalid(folder: string, why: string): RequestError {
  return RequestError.invalidParams(undefined, `Additional directory ${folder}: ${why}.`);
}
