/**
 * Preloaded into a Rondo that runs from its sources, makes it pretend to be the next release: it reads and writes
 * another version of events and has newer functions in the database.
 */
import { registerHooks } from 'node:module';

type Change = readonly [file: string, before: RegExp, after: (version: string) => string];

const next = (version: string) => String(Number(version) + 1);

/** The first group of each pattern is the current version. */
const changes: readonly Change[] = [
  ['journal/reader-version.ts', /(?<=readerVersion = )(\d+)(?=;)/, next],
  // It follows the version in the file, which has been raised by then.
  ['journal/reader-version.ts', /(?<=readerVersion = )(\d+)(;[^]*?: LeastReaders = \{)(?=[ }])/, String],
  ['journal/postgres/migrate.ts', /(?<=functionsVersion = )(\d+)(?=;)/, next],
];

function textOf(source: unknown): string {
  return typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString('utf8');
}

registerHooks({
  load(url, context, follow) {
    const loaded = follow(url, context);
    const own = changes.filter(([file]) => url.endsWith(`/src/${file}`));
    if (own.length === 0) return loaded;
    const source = own.reduce((text, [file, before, after]) => {
      if (!before.test(text)) throw new Error(`${file} has changed: it lacks ${before}.`);
      return text.replace(before, (_, version: string, rest: string | number) => {
        const kinds = typeof rest === 'string' ? `${rest} 'title-changed': ${version},` : '';
        return `${after(version)}${kinds}`;
      });
    }, textOf(loaded.source));
    return { ...loaded, source };
  },
});
