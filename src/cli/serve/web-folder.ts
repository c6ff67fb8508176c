import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the web app lies that was built: beside the published files, or in a clone. */
export function findWebFolder(): string | undefined {
  const places = ['./web/', '../../../web/dist/'].map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return places.find((folder) => existsSync(`${folder}index.html`));
}
