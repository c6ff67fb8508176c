/**
 * The paths that the user wants left alone, as far as the words name any: a path, or a group of files with a
 * standard location. Anything else they name ("the public API") remains an instruction to the model.
 */
import { findPaths } from './paths.ts';

/** Paths and patterns, in the order of the text. `entries`: names in the session's folder that count as paths. */
export function sparedPaths(words: string, entries: ReadonlySet<string> = new Set()): readonly string[] {
  const paths = [...findPaths(words)];
  for (const piece of words.split(/[,;]|\s+(?:and|or|nor)\s+/i)) {
    const name = piece
      .trim()
      .replaceAll(/^(?:anything (?:in|inside|under) )?(?:(?:the|my|our|any|all|of|existing) )*|["'`.:!?]/gi, '')
      .replace(/ (?:folder|directory|files?)$/i, '')
      .trim();
    const group = groups.find(({ shape }) => shape.test(name));
    if (group !== undefined) paths.push(...group.places);
    else if (entries.has(name) && !paths.includes(name)) paths.push(name);
  }
  return [...new Set(paths)];
}

/** The usual locations of tests and their fixtures. */
export const testPlaces: readonly string[] = [
  '**/test/**',
  '**/tests/**',
  '**/__tests__/**',
  '**/spec/**',
  '**/fixtures/**',
  '**/*.test.*',
  '**/*.spec.*',
  '**/*_test.*',
  '**/test_*.py',
];

const groups: readonly { readonly shape: RegExp; readonly places: readonly string[] }[] = [
  { shape: /^(?:unit |integration )?(?:tests?|specs?|test suite)$/i, places: testPlaces },
  { shape: /^(?:docs|documentation)$/i, places: ['**/docs/**', '**/doc/**'] },
  { shape: /^readmes?$/i, places: ['**/README*'] },
  { shape: /^changelog$/i, places: ['**/CHANGELOG*'] },
  {
    shape: /^lock ?files?$/i,
    places: [
      'package-lock.json',
      'npm-shrinkwrap.json',
      'pnpm-lock.yaml',
      'yarn.lock',
      'bun.lock',
      'Cargo.lock',
    ].map((name) => `**/${name}`),
  },
  { shape: /^migrations?$/i, places: ['**/migrations/**'] },
];
