import { readFileSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { fieldsOf, jsonIn } from '../../kernel/json-object.ts';

/** The command that runs a project's tests. */
export interface TestCommand {
  readonly framework: string;
  readonly argv: readonly string[];
}

/** Returns the command for the project in `folder`, based on its marker files. The first match wins. */
export function findTestCommand(folder: string, filter?: string): TestCommand | undefined {
  const has = (name: string): boolean => existsSync(path.join(folder, name));
  const only = filter === undefined ? [] : [filter];
  const script = has('package.json') ? testScript(folder) : undefined;
  if (script !== undefined) {
    const runner = has('pnpm-lock.yaml')
      ? 'pnpm'
      : has('yarn.lock')
        ? 'yarn'
        : has('bun.lock') || has('bun.lockb')
          ? 'bun'
          : 'npm';
    return {
      framework: runner,
      argv:
        runner === 'bun'
          ? ['bun', 'run', 'test', ...only]
          : [runner, 'test', ...(only.length > 0 ? ['--', ...only] : [])],
    };
  }
  if (has('Cargo.toml')) return { framework: 'cargo', argv: ['cargo', 'test', ...only] };
  if (has('go.mod'))
    return { framework: 'go', argv: ['go', 'test', ...(filter === undefined ? [] : ['-run', filter]), './...'] };
  if (['pytest.ini', 'conftest.py', 'tox.ini', 'tests/conftest.py'].some(has) || mentionsPytest(folder)) {
    return {
      framework: 'pytest',
      argv: ['python3', '-m', 'pytest', '-q', ...(filter === undefined ? [] : ['-k', filter])],
    };
  }
  if (has('pom.xml')) {
    return {
      framework: 'maven',
      argv: [has('mvnw') ? './mvnw' : 'mvn', '-q', 'test', ...(filter === undefined ? [] : [`-Dtest=${filter}`])],
    };
  }
  if (has('build.gradle') || has('build.gradle.kts')) {
    return {
      framework: 'gradle',
      argv: [
        has('gradlew') ? './gradlew' : 'gradle',
        'test',
        ...(filter === undefined ? [] : ['--tests', filter]),
      ],
    };
  }
  if (hasMakeTarget(folder)) return { framework: 'make', argv: ['make', 'test'] };
  if (has('setup.py') || hasPythonTests(folder)) {
    return {
      framework: 'unittest',
      argv: [
        'python3',
        '-m',
        'unittest',
        // unittest doesn't search a folder that isn't a package unless it is named.
        ...(hasTestsApart(folder) ? ['discover', '-s', 'tests'] : filter === undefined ? ['discover'] : []),
        ...(filter === undefined ? [] : ['-k', filter]),
      ],
    };
  }
  return undefined;
}

export const TEST_MARKERS =
  'a test script in package.json, Cargo.toml, go.mod, pytest settings, pom.xml, build.gradle or a test target in a Makefile';

function testScript(folder: string): string | undefined {
  const { scripts } = fieldsOf(jsonIn(textOf(path.join(folder, 'package.json'))));
  const { test } = fieldsOf(scripts);
  return typeof test === 'string' && !test.includes('no test specified') ? test : undefined;
}

function mentionsPytest(folder: string): boolean {
  return ['pyproject.toml', 'setup.cfg', 'requirements.txt', 'requirements-dev.txt'].some((name) =>
    /\bpytest\b/.test(textOf(path.join(folder, name))),
  );
}

function hasMakeTarget(folder: string): boolean {
  return ['Makefile', 'makefile', 'GNUmakefile'].some((name) =>
    /^test\s*:/m.test(textOf(path.join(folder, name))),
  );
}

function hasPythonTests(folder: string): boolean {
  return [folder, path.join(folder, 'tests')].some(holdsPythonTests);
}

/** True if tests are only in `tests/`, which isn't a package. */
function hasTestsApart(folder: string): boolean {
  const tests = path.join(folder, 'tests');
  return !holdsPythonTests(folder) && holdsPythonTests(tests) && !existsSync(path.join(tests, '__init__.py'));
}

function holdsPythonTests(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => /^test_.*\.py$/.test(name));
  } catch {
    return false;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
