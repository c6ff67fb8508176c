/** Facts from a project's own files: installation, version, dependencies. */
import { fieldsOf } from '../../kernel/json-object.ts';
import { bullets, code, codeBlock } from '../markdown.ts';
import type { Plan, PlanEnd } from '../plan.ts';
import { jsonFieldsIn, readThose, sectionOf, topLevelNames, type NamedLines } from '../project-files.ts';
import type { OfflineSkill } from '../skill.ts';

export const howToInstall: OfflineSkill = {
  name: 'how to install',
  does: 'tell how this project is installed',
  examples: ['how do I install it?', 'how do I set this up?'],
  plan({ words, paths }) {
    const asks =
      /^(?:how (?:do|can|should|would) (?:i|we|you|one)|how to|what do i (?:need|have) to do to|tell me how to|steps to)\b.*\b(?:install|set (?:it |this |the project )?up|setup|get (?:it |this )?(?:started|running))\b/i.test(
        words,
      ) || /^(?:install(?:ation)?|setup|getting started)(?: instructions| steps| guide)?[.?!]*$/i.test(words);
    return asks && paths.length === 0 && !/\b(?:model|rondo|ollama)\b/i.test(words) ? install() : undefined;
  },
};

export const whichVersion: OfflineSkill = {
  name: 'which version',
  does: 'tell the version of this project or of a dependency',
  examples: ['which version is this?', 'which version of zod do we use?'],
  plan({ words }) {
    const request =
      /^(?:(?:what|which)(?:'s| is)?(?: the)? (?:current )?version|version)\b(?:\s+of\s+(?<name>[@\w./-]+))?/i.exec(
        words,
      );
    if (request === null) return undefined;
    const name = request.groups?.['name']?.replace(/[.?!]+$/, '');
    const isThis = name === undefined || /^(?:this|it|the|our|my|project|package)$/i.test(name);
    return isThis ? version() : versionOf(name);
  },
};

export const whichDependencies: OfflineSkill = {
  name: 'which dependencies',
  does: 'list what this project depends on',
  examples: ['which dependencies are there?', 'what does this project depend on?'],
  plan({ words }) {
    const asks =
      /^(?:(?:what|which|list|show|how many)\b.*\b(?:dependenc(?:y|ies)|packages|libraries)\b|dependencies\b|what (?:does|do) (?:it|this|we|the project|this project) depend on)/i.test(
        words,
      ) && !/\b(?:outdated|unused|update|upgrade|vulnerab\w*|add|remove)\b/i.test(words);
    return asks ? dependencies() : undefined;
  },
};

const described = (name: string) =>
  /^(?:package\.json|pyproject\.toml|Cargo\.toml|go\.mod|requirements\.txt|setup\.cfg|composer\.json|Gemfile)$/.test(
    name,
  );

/** The first lock file found decides. */
const installers: readonly (readonly [RegExp, string])[] = [
  [/^pnpm-lock\.yaml$/, 'pnpm install'],
  [/^yarn\.lock$/, 'yarn install'],
  [/^bun\.lockb?$/, 'bun install'],
  [/^package-lock\.json$/, 'npm ci'],
  [/^package\.json$/, 'npm install'],
  [/^uv\.lock$/, 'uv sync'],
  [/^poetry\.lock$/, 'poetry install'],
  [/^requirements\.txt$/, 'pip install -r requirements.txt'],
  [/^pyproject\.toml$/, 'pip install -e .'],
  [/^Cargo\.toml$/, 'cargo build'],
  [/^go\.mod$/, 'go mod download'],
  [/^Gemfile$/, 'bundle install'],
  [/^pom\.xml$/, 'mvn install'],
  [/^composer\.json$/, 'composer install'],
];

function* install(): Plan<PlanEnd> {
  const names = yield* topLevelNames();
  if ('ok' in names) return names;
  const [readme] = yield* readThose(names, (name) => /^readme(?:\.\w+)?$/i.test(name));
  const section = readme === undefined ? [] : installSection(readme.lines);
  const match = installers.find(([file]) => names.some((name) => file.test(name)));
  const file = names.find((name) => match?.[0].test(name) === true);
  if (section.length === 0 && match === undefined) {
    return {
      ok: false,
      text: 'Nothing here says how it is installed: no README section about it, and no file of a package manager that I know.',
    };
  }
  return {
    ok: true,
    text: [
      ...(match === undefined ? [] : [`${code(match[1])}, because of ${code(file ?? '')}.`]),
      ...(section.length === 0
        ? []
        : [
            `What ${code(readme?.name ?? '')} says:`,
            codeBlock(section.join('\n').trim(), { language: 'md', lines: 40 }),
          ]),
    ].join('\n\n'),
  };
}

function installSection(lines: readonly string[]): readonly string[] {
  const opening = /^#{1,4}\s+.*\b(?:install\w*|set ?up|getting started|quick ?start|run it)\b/i;
  const at = lines.findIndex((line) => opening.test(line));
  const level = /^#+/.exec(lines[at] ?? '')?.[0].length ?? 1;
  return at === -1 ? [] : sectionOf(lines, opening, new RegExp(`^#{1,${level}}\\s`));
}

function* version(): Plan<PlanEnd> {
  const files = yield* describing();
  if ('ok' in files) return files;
  const match = files.flatMap((file) => {
    const text = versionIn(file);
    return text === undefined ? [] : [`${code(text)}, says ${code(file.name)}`];
  });
  if (match.length === 0) return { ok: false, text: 'No file at the top of this project names its version.' };
  return { ok: true, text: match.length === 1 ? `Version ${match[0] ?? ''}.` : bullets(match) };
}

function versionIn(file: NamedLines): string | undefined {
  const json = file.name.endsWith('.json') ? jsonFieldsIn(file)['version'] : undefined;
  if (typeof json === 'string') return json;
  if (!file.name.endsWith('.toml')) return undefined;
  const table = sectionOf(file.lines, /^\[(?:project|package|tool\.poetry)\]/, /^\[/);
  return table.map((line) => /^version\s*=\s*["']([^"']+)["']/.exec(line)?.[1]).find((text) => text !== undefined);
}

function* versionOf(name: string): Plan<PlanEnd> {
  const files = yield* describing();
  if ('ok' in files) return files;
  const match = files.flatMap((file) =>
    dependenciesIn(file)
      .filter((each) => each.name.toLowerCase() === name.toLowerCase())
      .map(({ wanted: target, kind }) => `${code(target)} (among the ${kind} in ${code(file.name)})`),
  );
  return match.length === 0
    ? {
        ok: false,
        text: `${code(name)} isn't among the dependencies of this project. \`which dependencies are there?\` lists them.`,
      }
    : { ok: true, text: `${code(name)}: ${match.join(', ')}` };
}

function* dependencies(): Plan<PlanEnd> {
  const files = yield* describing();
  if ('ok' in files) return files;
  const blocks = files.flatMap((file) => {
    const all = dependenciesIn(file);
    if (all.length === 0) return [];
    return [...Map.groupBy(all, ({ kind }) => kind)].map(
      ([kind, each]) =>
        `**${each.length} ${kind}** in ${code(file.name)}:\n\n${bullets(
          each.map(({ name, wanted: target }) => `${code(name)} ${target}`.trimEnd()),
          60,
        )}`,
    );
  });
  return blocks.length === 0
    ? { ok: true, text: 'No dependencies are named at the top of this project.' }
    : { ok: true, text: blocks.join('\n\n') };
}

function* describing(): Plan<readonly NamedLines[] | PlanEnd> {
  const names = yield* topLevelNames();
  return 'ok' in names ? names : yield* readThose(names, described);
}

interface Dependency {
  readonly name: string;
  readonly wanted: string;
  readonly kind: string;
}

function dependenciesIn(file: NamedLines): readonly Dependency[] {
  switch (file.name) {
    case 'package.json':
    case 'composer.json': {
      const json = jsonFieldsIn(file);
      return jsonKinds.flatMap(([key, kind]) =>
        Object.entries(fieldsOf(json[key])).map(([name, target]) => ({
          name,
          wanted: String(target),
          kind,
        })),
      );
    }
    case 'requirements.txt':
      return file.lines.flatMap((line) => dependency(/^([A-Za-z][\w.[\]-]*)\s*(.*)$/, line, 'dependencies'));
    case 'Cargo.toml':
      return ['dependencies', 'dev-dependencies'].flatMap((table) =>
        sectionOf(file.lines, new RegExp(`^\\[${table}\\]`), /^\[/).flatMap((line) =>
          dependency(
            /^([\w-]+)\s*=\s*(.+)$/,
            line,
            table === 'dependencies' ? 'dependencies' : 'development dependencies',
          ),
        ),
      );
    case 'go.mod':
      return file.lines.flatMap((line) =>
        dependency(/^(?:require\s+|\t)([\w./-]+)\s+(v\S+)/, line, 'dependencies'),
      );
    case 'pyproject.toml':
      return sectionOf(file.lines, /^dependencies\s*=\s*\[/, /^\]/).flatMap((line) =>
        dependency(/^\s*["']([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*([^"']*)["']/, line, 'dependencies'),
      );
    case 'Gemfile':
      return file.lines.flatMap((line) =>
        dependency(/^\s*gem\s+["']([\w-]+)["'](?:,\s*["']([^"']+)["'])?/, line, 'dependencies'),
      );
    default:
      return [];
  }
}

const jsonKinds = [
  ['dependencies', 'dependencies'],
  ['require', 'dependencies'],
  ['devDependencies', 'development dependencies'],
  ['peerDependencies', 'peer dependencies'],
  ['optionalDependencies', 'optional dependencies'],
] as const;

function dependency(shape: RegExp, line: string, kind: string): readonly Dependency[] {
  const match = shape.exec(line);
  return match === null || line.trimStart().startsWith('#')
    ? []
    : [{ name: match[1] ?? '', wanted: (match[2] ?? '').trim(), kind }];
}
