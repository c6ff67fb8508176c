/**
 * Preloaded into a Rondo that runs from its sources, makes it pretend to be the next release: it reads and writes
 * another version of events and has newer functions in the database.
 */
import { registerHooks } from 'node:module';

const changes: readonly (readonly [file: string, before: string, after: string])[] = [
  ['journal/reader-version.ts', 'readerVersion = 1;', 'readerVersion = 2;'],
  ['journal/reader-version.ts', 'LeastReaders = {};', "LeastReaders = { 'title-changed': 2 };"],
  ['journal/postgres/migrate.ts', 'functionsVersion = 4;', 'functionsVersion = 5;'],
];

function textOf(source: unknown): string {
  return typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString('utf8');
}

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const own = changes.filter(([file]) => url.endsWith(`/src/${file}`));
    if (own.length === 0) return loaded;
    const source = own.reduce((text, [file, before, after]) => {
      if (!text.includes(before)) throw new Error(`${file} has changed: it lacks "${before}".`);
      return text.replace(before, after);
    }, textOf(loaded.source));
    return { ...loaded, source };
  },
});
