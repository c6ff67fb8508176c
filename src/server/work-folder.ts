import { realpath } from 'node:fs/promises';
import path from 'node:path';

import { isBelow } from '../security/paths/is-below.ts';
import type { Identity } from './identity.ts';

/**
 * The folder of new work. Only the owner works outside the server's folder. For everybody else links are resolved: an
 * agent could have put one there that leads out. Undefined if it isn't allowed.
 */
export async function workFolder(
  { role }: Pick<Identity, 'role'>,
  cwd: string,
  folder = '.',
): Promise<string | undefined> {
  if (role === 'owner') return path.resolve(cwd, folder);
  const top = await realpath(cwd);
  const place = path.resolve(top, folder);
  const real = await realpath(place).catch(() => place);
  return isBelow(real, top) ? real : undefined;
}
