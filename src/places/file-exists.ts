import { access } from 'node:fs/promises';

/** False for a link that leads nowhere. */
export async function fileExists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
