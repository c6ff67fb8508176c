import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of the built web app: next to the published files, or in a clone. */
export function findWebFolder(): string | undefined {
  const places = ['./web/', '../../../web/dist/'].map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return places.find((folder) => existsSync(`${folder}index.html`));
}
