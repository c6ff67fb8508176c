/**
 * Facts about a project from its files: languages, frameworks, current state. Checks a few known names in parallel.
 * It walks no folders and runs nothing. Unreadable files contribute nothing.
 */
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

import { fieldsOf, jsonIn } from '../../kernel/json-object.ts';

export interface ProjectFacts {
  readonly languages: readonly string[];
  readonly frameworks: readonly string[];
  readonly worldStates: readonly WorldState[];
}

type WorldState =
  | 'failing_tests'
  | 'diagnostics'
  | 'large_refactor'
  | 'security_issues'
  | 'new_files'
  | 'high_churn';

/** The two kinds of disk access. Tests replace them with memory. */
export interface FactFiles {
  /** Names in a folder. Empty if it doesn't exist. */
  names(folder: string): Promise<readonly string[]>;
  /** A file's text. Undefined if it can't be read. */
  text(file: string): Promise<string | undefined>;
}

const diskFiles: FactFiles = {
  names: (folder) => readdir(folder).catch(() => []),
  text: (file) => readFile(file, 'utf8').catch(() => undefined),
};

export async function readProjectFacts(folder: string, files: FactFiles = diskFiles): Promise<ProjectFacts> {
  const names = new Set(await files.names(folder));
  const read = async (name: string): Promise<string> =>
    names.has(name.split('/')[0] ?? '') ? ((await files.text(path.join(folder, name))) ?? '') : '';
  const [node, python, ruby, maven, gradle, composer, worldStates] = await Promise.all([
    read('package.json'),
    Promise.all(['pyproject.toml', 'requirements.txt', 'setup.cfg', 'Pipfile'].map(read)).then((texts) =>
      texts.join('\n'),
    ),
    read('Gemfile'),
    read('pom.xml'),
    Promise.all(['build.gradle', 'build.gradle.kts'].map(read)).then((texts) => texts.join('\n')),
    read('composer.json'),
    findWorldStates(read),
  ]);
  const packages = dependenciesOf(node);
  return {
    languages: findLanguages(names, packages),
    frameworks: [
      ...nodeFrameworks.filter(([name]) => packages.has(name)).map(([, framework]) => framework),
      ...pythonFrameworks.filter((name) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'i').test(python)),
      ...(/['"]rails['"]/.test(ruby) ? ['rails'] : []),
      ...(/spring-boot|springframework/.test(`${maven}${gradle}`) ? ['spring'] : []),
      ...(/laravel\/framework/.test(composer) ? ['laravel'] : []),
    ],
    worldStates,
  };
}

const markers: readonly (readonly [language: string, marker: RegExp])[] = [
  ['typescript', /^tsconfig(?:\..+)?\.json$/],
  ['python', /^(?:pyproject\.toml|requirements.*\.txt|setup\.(?:py|cfg)|Pipfile|tox\.ini)$/],
  ['go', /^go\.(?:mod|work)$/],
  ['rust', /^Cargo\.toml$/],
  ['java', /^(?:pom\.xml|build\.gradle(?:\.kts)?)$/],
  ['ruby', /^(?:Gemfile|Rakefile|.+\.gemspec)$/],
  ['php', /^composer\.json$/],
  ['csharp', /\.(?:csproj|sln|slnx)$/],
  ['cpp', /^(?:CMakeLists\.txt|meson\.build|configure\.ac|.+\.vcxproj)$/],
];
const nodeFrameworks: readonly (readonly [name: string, framework: string])[] = [
  ['react', 'react'],
  ['next', 'next'],
  ['vue', 'vue'],
  ['svelte', 'svelte'],
  ['express', 'express'],
  ['@nestjs/core', 'nest'],
  ['vitest', 'vitest'],
  ['jest', 'jest'],
];
const pythonFrameworks: readonly string[] = ['django', 'flask', 'fastapi', 'pytest'];

function findLanguages(names: ReadonlySet<string>, packages: ReadonlySet<string>): readonly string[] {
  const matches = markers
    .filter(([, marker]) => [...names].some((name) => marker.test(name)))
    .map(([language]) => language);
  const isTyped = matches.includes('typescript') || packages.has('typescript');
  if (isTyped && !matches.includes('typescript')) matches.unshift('typescript');
  if (names.has('package.json') && !isTyped) matches.unshift('javascript');
  return matches;
}

function dependenciesOf(manifest: string): ReadonlySet<string> {
  const { dependencies, devDependencies, peerDependencies } = fieldsOf(jsonIn(manifest));
  return new Set(
    [dependencies, devDependencies, peerDependencies].flatMap((group) => Object.keys(fieldsOf(group))),
  );
}

/** Reads what test runners store about their last run. */
async function findWorldStates(read: (name: string) => Promise<string>): Promise<readonly WorldState[]> {
  const [pytest, vitest, playwright] = await Promise.all([
    read('.pytest_cache/v/cache/lastfailed'),
    read('node_modules/.vite/vitest/results.json'),
    read('test-results/.last-run.json'),
  ]);
  const isFailing =
    /"[^"]+"\s*:\s*true/.test(pytest) ||
    /"failed"\s*:\s*true/.test(vitest) ||
    /"status"\s*:\s*"failed"/.test(playwright);
  return isFailing ? ['failing_tests'] : [];
}
