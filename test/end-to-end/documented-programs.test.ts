// The programs that README and guides print, compiled as a user's would be.
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const pages = globSync(['README.md', 'docs/{guides,operate}/*.md', 'examples/**/*.md'], { cwd: root }).map(
  (file) => ({
    file,
    text: readFileSync(path.join(root, file), 'utf8'),
  }),
);

test('every program on a page compiles', { timeout: 120_000 }, () => {
  // Within the package, so that `rondo` is this one.
  mkdirSync(path.join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(path.join(root, '.cache/documented-'));
  try {
    const programs = pages.flatMap(({ file, text }) =>
      [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = '']) => ({ file, code })),
    );
    programs.forEach(({ code }, index) => {
      const stands = code.includes('render(') ? 'declare function render(update: unknown): void;\n' : '';
      writeFileSync(path.join(folder, `program-${index}.ts`), `${code}${stands}export {};\n`);
    });
    const settings = {
      extends: path.join(root, 'tsconfig.json'),
      compilerOptions: { noUnusedLocals: false },
      files: programs.map((_, index) => `program-${index}.ts`),
      include: [],
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(settings));
    expect(programs.length).toBeGreaterThan(5);
    const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
    let said = '';
    try {
      execFileSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
    } catch (error) {
      said = (error as { readonly stdout: string }).stdout;
    }
    const named = said.replaceAll(/\S*program-(\d+)\.ts/g, (_, index) => programs[Number(index)]?.file ?? '');
    expect(named).toBe('');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
