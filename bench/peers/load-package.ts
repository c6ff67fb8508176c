import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A package out of a peer's own node_modules. A module that lies there asks for it, so that it is resolved as
 * a program of its users would have it. What it exports is what the caller says: peers are pinned.
 */
export async function loadPackage<Exports>(folder: string, name: string): Promise<Exports> {
  const loader = path.join(folder, 'load.mjs');
  if (!existsSync(loader)) writeFileSync(loader, 'export const load = (name) => import(name);\n');
  const { load } = (await import(pathToFileURL(loader).href)) as { load(name: string): Promise<unknown> };
  return (await load(name)) as Exports;
}
