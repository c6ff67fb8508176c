/**
 * Loads a project's verbs, configs, prompt atoms and routing rules from `.rondo/intent/`: `verbs.json`,
 * `configs.json`, `atoms.json` and any `*.mg`. Everything is checked on load. A problem names the file and the
 * position. The texts are those that were hashed for trust.
 */
import { problemAt, wholeFile, type ConfigProblem } from '../../agents/config-problem.ts';
import type { ConfigDocument } from '../../agents/config-document.ts';
import { suggestName } from '../../kernel/nearest-name.ts';
import { parseJsonc } from '../../agents/parse-jsonc.ts';
import type { ProjectFiles } from '../../agents/project-files.ts';
import { parseRule } from '../../kernel/rule.ts';
import type { ConfigPolicy } from '../words/config-atom.ts';
import type { ProgramProblem } from '../datalog/program.ts';
import { shippedSources, type IntentSources } from '../turn/intent-sources.ts';
import { loadRouting, shippedPersonas, type RoutingText } from '../routing/load-routing.ts';
import type { PromptAtom } from '../words/prompt-atom.ts';
import { selectAtoms } from '../turn/select-atoms.ts';
import { toolAccess } from '../words/tool-access.ts';
import type { Verb } from '../words/verb.ts';
import { indexPatterns } from '../meaning/index-patterns.ts';
import { optional } from '../../kernel/optional.ts';

export type LoadedExtensions =
  | { readonly type: 'loaded'; readonly sources: IntentSources }
  | { readonly type: 'invalid'; readonly problems: readonly ConfigProblem[] };

const folder = '.rondo/intent/';

/** `tools` are those in addition to the built-in ones. */
export async function loadExtensions(
  { files }: Pick<ProjectFiles, 'files'>,
  { tools = [] }: { readonly tools?: readonly string[] } = {},
): Promise<LoadedExtensions> {
  // Verbs come first: configs and atoms may refer to the project's verbs.
  const isVerbs = (name: string) => name === `${folder}verbs.json`;
  const entries = [...files]
    .filter(([name]) => name.startsWith(folder))
    .toSorted(([one], [other]) => Number(isVerbs(other)) - Number(isVerbs(one)));
  if (entries.length === 0) return { type: 'loaded', sources: shippedSources };
  const problems: ConfigProblem[] = [];
  const routing: RoutingText[] = [];
  let documents = shippedSources;
  for (const [file, { text }] of entries) {
    const kind = file.slice(folder.length);
    if (text === undefined) {
      problems.push(
        problemAt({ file, ...wholeFile }, [], 'unreadable', "can't read the file; it must be a plain text file."),
      );
    } else if (kind.endsWith('.mg')) {
      routing.push({ file, text });
    } else if (kind === 'verbs.json' || kind === 'configs.json' || kind === 'atoms.json') {
      documents = await addDocument(documents, kind, { file, text }, tools, problems);
    } else {
      const message = 'is ignored; use verbs.json, configs.json, atoms.json and *.mg.';
      problems.push(problemAt({ file, ...wholeFile }, [], 'unknown-key', message));
    }
  }
  if (problems.length > 0) return { type: 'invalid', problems };
  const { verbs, configs } = documents;
  const loaded = loadRouting({ verbs, configs, tools, extensions: routing });
  return loaded.type === 'loaded'
    ? { type: 'loaded', sources: { ...documents, routing: loaded.program } }
    : { type: 'invalid', problems: loaded.problems.map(routingProblem) };
}

async function addDocument(
  sources: IntentSources,
  kind: 'verbs.json' | 'configs.json' | 'atoms.json',
  { file, text }: { readonly file: string; readonly text: string },
  tools: readonly string[],
  problems: ConfigProblem[],
): Promise<IntentSources> {
  const parsed = await parseJsonc(text, file);
  if (parsed.type === 'invalid') {
    problems.push(...parsed.problems);
    return sources;
  }
  const { document } = parsed;
  const { verbsSchema, configsSchema, atomsSchema } = await import('./extension-schema.ts');
  const schema = { 'verbs.json': verbsSchema, 'configs.json': configsSchema, 'atoms.json': atomsSchema }[kind];
  const checked = schema.safeParse(document.value);
  if (!checked.success) {
    for (const { path, message } of checked.error.issues)
      wrong(document, path as (string | number)[], `${message}.`, problems);
    return sources;
  }
  const value = checked.data;
  if ('verbs' in value) return addVerbs(sources, value, document, problems);
  if ('configs' in value) return addConfigs(sources, value.configs, document, tools, problems);
  return addAtoms(sources, value.atoms as readonly PromptAtom[], document, problems);
}

interface VerbsValue {
  readonly verbs: Readonly<
    Record<
      string,
      Omit<Verb, 'name' | 'closing' | 'shapes'> & {
        readonly closing?: boolean | undefined;
        readonly shapes?: readonly string[] | undefined;
      }
    >
  >;
  readonly aliases: Readonly<Record<string, string>>;
}

function addVerbs(
  sources: IntentSources,
  value: VerbsValue,
  document: ConfigDocument,
  problems: ConfigProblem[],
): IntentSources {
  const verbs = new Map(sources.verbs.verbs);
  for (const [name, { closing, shapes, ...verb }] of Object.entries(value.verbs)) {
    if (!shippedPersonas.includes(verb.persona)) {
      wrong(
        document,
        ['verbs', name, 'persona'],
        `unknown persona "${verb.persona}"${suggestName(verb.persona, shippedPersonas)}`,
        problems,
      );
    }
    for (const [key, expressions] of Object.entries({ patterns: verb.patterns, shapes: shapes ?? [] })) {
      for (const [index, expression] of expressions.entries()) {
        if (!isPattern(expression))
          wrong(document, ['verbs', name, key, index], 'is not a valid regular expression.', problems);
      }
    }
    verbs.set(name, {
      name,
      ...verb,
      synonyms: verb.synonyms.map((synonym) => synonym.toLowerCase()),
      ...optional({ shapes, closing }),
    });
  }
  for (const [alias, verb] of Object.entries(value.aliases)) {
    if (!verbs.has(verb))
      wrong(document, ['aliases', alias], `unknown verb "${verb}"${suggestName(verb, verbs.keys())}`, problems);
  }
  const aliases = new Map([...sources.verbs.aliases, ...Object.entries(value.aliases)]);
  return { ...sources, verbs: { verbs, aliases, index: indexPatterns(verbs.values()) } };
}

interface ConfigValue {
  readonly for: string;
  readonly tools: readonly string[];
  readonly policies: readonly ConfigPolicy[];
  readonly model?: 'fast' | 'strong' | undefined;
  readonly priority: number;
}

function addConfigs(
  sources: IntentSources,
  values: readonly ConfigValue[],
  document: ConfigDocument,
  tools: readonly string[],
  problems: ConfigProblem[],
): IntentSources {
  const names = [...shippedPersonas, ...sources.verbs.verbs.keys()];
  const toolNames = [...toolAccess.keys(), ...tools];
  for (const [index, config] of values.entries()) {
    if (!names.includes(config.for)) {
      wrong(
        document,
        ['configs', index, 'for'],
        `unknown verb or persona "${config.for}"${suggestName(config.for, names)}`,
        problems,
      );
    }
    for (const [at, tool] of config.tools.entries()) {
      if (!toolNames.includes(tool))
        wrong(
          document,
          ['configs', index, 'tools', at],
          `unknown tool "${tool}"${suggestName(tool, toolNames)}`,
          problems,
        );
    }
    for (const [at, { rule, verdict }] of config.policies.entries()) {
      if (parseRule(rule, verdict, 'project') === undefined)
        wrong(document, ['configs', index, 'policies', at, 'rule'], 'is not a valid rule.', problems);
    }
  }
  const added = values.map(({ model, ...rest }) => ({ ...rest, ...optional({ model }) }));
  return { ...sources, configs: [...sources.configs, ...added] };
}

/** An atom with the id of a shipped one replaces it. */
function addAtoms(
  sources: IntentSources,
  added: readonly PromptAtom[],
  document: ConfigDocument,
  problems: ConfigProblem[],
): IntentSources {
  const ids = new Set(added.map(({ id }) => id));
  const atoms = [...sources.atoms.filter(({ id }) => !ids.has(id)), ...added];
  const all = atoms.map(({ id }) => id);
  for (const [index, { dependsOn, conflictsWith }] of added.entries()) {
    for (const [key, list] of Object.entries({ dependsOn, conflictsWith })) {
      for (const [at, id] of list.entries()) {
        if (!all.includes(id))
          wrong(document, ['atoms', index, key, at], `unknown atom "${id}"${suggestName(id, all)}`, problems);
      }
    }
  }
  const selection = selectAtoms(atoms, {});
  if (selection.type === 'invalid' && problems.length === 0)
    wrong(document, ['atoms'], `${selection.problem}.`, problems);
  return { ...sources, atoms };
}

function routingProblem({ file, line, column, message }: ProgramProblem): ConfigProblem {
  return problemAt({ file, line, column }, [], 'dangling', message);
}

function wrong(
  document: ConfigDocument,
  path: readonly (string | number)[],
  message: string,
  problems: ConfigProblem[],
): void {
  problems.push(problemAt({ file: document.file, ...document.placeOf(path) }, path, 'wrong-type', message));
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'm').source !== '';
  } catch {
    return false;
  }
}
