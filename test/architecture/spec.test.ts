import { globSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');

/** The ids of the rules, in page order. */
function rulesOf(spec: string): readonly string[] {
  return [...spec.matchAll(/^- \*\*([A-Z]\d+)\*\*/gm)].map(([, id = '']) => id);
}

/** Rules that no test names, as `[T3]` or `T3:`. */
function uncited(rules: readonly string[], tests: string): readonly string[] {
  const cited = new Set([...tests.matchAll(/\[([A-Z]\d+)\]|\b([A-Z]\d+):/g)].map(([, a, b]) => a ?? b));
  return rules.filter((id) => !cited.has(id));
}

const rules = rulesOf(read('docs/SPEC.md'));
const tests = globSync('{src,test}/**/*.test.ts', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file !== 'test/architecture/spec.test.ts')
  .map(read);

test('every rule of docs/SPEC.md is cited by a test', () => {
  expect(rules.length).toBeGreaterThan(0);
  expect(uncited(rules, tests.join('\n'))).toEqual([]);
});

test('no rule of docs/SPEC.md has the number of another', () => {
  expect(rules.filter((id, index) => rules.indexOf(id) !== index)).toEqual([]);
});

test('every invariant in the kernel is a rule of docs/SPEC.md', () => {
  const kernel = globSync('src/kernel/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const named = kernel.flatMap((file) =>
    [...read(file).matchAll(/'([A-Z]\d+)(?::[^']*)?'/g)].map(([, id = '']) => id),
  );

  expect([...new Set(named)].filter((id) => !rules.includes(id))).toEqual([]);
});

test('the check finds a rule that is not cited', () => {
  const spec = '- **T1** One.\n- **T2** Two.\n- **T3** Three.\nSee **T9**.';

  expect(uncited(rulesOf(spec), "test('[C1][T1] one'); invariant(x, 'T3: three')")).toEqual(['T2']);
});
