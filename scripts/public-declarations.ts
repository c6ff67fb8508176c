/**
 * The public API as declarations: the compiler's output for the package's entry points and every file they name.
 * Used by the report in docs/api, and shipped by the build.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** Sources relative to `src/`, by import specifier. */
export const entryPoints = {
  rondo: 'rondo.ts',
  'rondo/client': 'client/client.ts',
  'rondo/hosting': 'hosting.ts',
  'rondo/testing': 'testing/testing.ts',
  'rondo/testing/contracts': 'testing/contracts/contracts.ts',
} as const;
export type EntryPoint = keyof typeof entryPoints;

/** Texts by path relative to `src/` (`session/session.d.ts`), only of files that an entry point reaches. */
export function publicDeclarations(): ReadonlyMap<string, string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rondo-declarations-'));
  try {
    emitInto(folder);
    const reached = new Map<string, string>();
    for (const source of Object.values(entryPoints)) reach(declarationOf(source), folder, reached);
    return reached;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function declarationOf(source: string): string {
  return source.replace(/\.ts$/, '.d.ts');
}

function emitInto(folder: string): void {
  const config = path.join(folder, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    // `npm run types` does the checking; here it would take four times as long.
    noCheck: true,
    rootDir: path.join(root, 'src'),
    outDir: folder,
    typeRoots: [path.join(root, 'node_modules/@types')],
  };
  const files = Object.values(entryPoints).map((source) => path.join(root, 'src', source));
  const settings = { extends: path.join(root, 'tsconfig.json'), compilerOptions, files, include: [] };
  writeFileSync(config, JSON.stringify(settings));
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', config], { stdio: ['ignore', 'inherit', 'inherit'] });
}

function reach(file: string, folder: string, reached: Map<string, string>): void {
  if (reached.has(file)) return;
  const text = readFileSync(path.join(folder, file), 'utf8');
  reached.set(file, text);
  for (const [, specifier = ''] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g)) {
    reach(fileNamed(specifier, file), folder, reached);
  }
}

/** The declaration file that `from './x.ts'` refers to in `file`. */
export function fileNamed(specifier: string, file: string): string {
  return declarationOf(path.posix.join(path.posix.dirname(file), specifier));
}
