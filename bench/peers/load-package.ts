import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Loads a package from a peer's own node_modules. A module in that folder imports it, so that it resolves as in a
 * user's program. The caller states the types of its exports: peers are pinned.
 */
export async function loadPackage<Exports>(folder: string, name: string): Promise<Exports> {
  const loader = path.join(folder, 'load.mjs');
  if (!existsSync(loader)) writeFileSync(loader, 'export const load = (name) => import(name);\n');
  const { load } = (await import(pathToFileURL(loader).href)) as { load(name: string): Promise<unknown> };
  return (await load(name)) as Exports;
}
