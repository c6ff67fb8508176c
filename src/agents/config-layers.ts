/**
 * The configuration of a folder: defaults < the user's files for other agents < user < project < flags < managed
 * policy, each value with its origin.
 *
 * 1. Without a file, nothing is parsed and no schema is loaded.
 * 2. An untrusted project contributes only what `keepHarmless` keeps, and its `${NAME}`s are never replaced.
 * 3. Invalid files return all problems of all files. Nothing is half loaded, except to read and stop sessions.
 */
import path from 'node:path';

import type { Rule } from '../kernel/rule.ts';
import { readAdoptedServers } from './adopted-servers.ts';
import { findUserAgentFiles, readAgentFile, type AgentFile } from './agent-files.ts';
import { readConfigFile } from './config-file.ts';
import { ruleProblems } from './config-rules.ts';
import { layerFromFile, layerFromValue, readBeside, type ConfigLayer } from './config-layer.ts';
import { problemAt, wholeFile, type ConfigProblem } from './config-problem.ts';
import { checkAgentReferences, checkReferences, knownNames, type KnownNames } from './config-references.ts';
import type { Config } from './config-schema.ts';
import { defaultConfig } from './default-config.ts';
import { loadManaged, managedLayer, type ManagedPlace, type ManagedPolicy } from './managed-policy.ts';
import { mergeLayers, originOf, type MergedConfig } from './merge-layers.ts';
import { readOwnRules } from './own-rules.ts';
import type { ProjectFiles } from './project-files.ts';
import { readProjectLayer, type ProjectLayer, type ProjectSources } from './project-layer.ts';
import { findProject, type Project } from './project.ts';
import type { TrustVerdict } from './trust.ts';
import type { Ignored } from './untrusted-config.ts';

/** `home` is `$RONDO_HOME`. */
export interface ConfigSources extends ProjectSources {
  readonly flags?: Config;
  /** Built-in agents besides `assistant`. */
  readonly otherAgents?: readonly string[];
  /** `everything`: also check files that are otherwise read on demand, such as agent files. */
  readonly check?: 'everything';
  /** `left-out`: problems of the user's and the project's files are warnings, and what is wrong is left out. */
  readonly broken?: 'left-out';
  /** The managed policy's location, for tests. */
  readonly managed?: ManagedPlace;
}

export interface LoadedConfig extends MergedConfig {
  /** Standing rules: the `default` policies in layer order. */
  readonly rules: readonly Rule[];
  readonly agentFiles: readonly AgentFile[];
  /** A trusted project's verbs, rules and prompt pieces, by path. */
  readonly intentFiles: ProjectFiles['files'];
  /** All files of a trusted project's configuration, by path: its commands and skills among them. */
  readonly projectFiles: ProjectFiles['files'];
  readonly names: KnownNames;
  readonly project: Project;
  readonly trust: TrustVerdict;
  /** Settings of an untrusted project that were ignored. */
  readonly ignored: readonly Ignored[];
  /** The administrator's policy, if there is one. */
  readonly managed?: ManagedPolicy;
  /** Something in a file is wrong and was left out, such as the name of the store. */
  readonly isPartial?: true;
  /** Valid settings that are probably mistakes. */
  readonly warnings: readonly ConfigProblem[];
}

export type LoadConfig =
  | { readonly type: 'loaded'; readonly config: LoadedConfig }
  | {
      readonly type: 'invalid';
      readonly problems: readonly ConfigProblem[];
      readonly intentFiles?: ProjectFiles['files'];
    };

export async function loadConfig(sources: ConfigSources): Promise<LoadConfig> {
  const { home, env } = sources;
  const userFile = path.join(home, 'config.json');
  const managed = await loadManaged(sources.managed);
  if (managed.type === 'invalid') return managed;
  const findingProject = findProject(sources.cwd, home);
  const [project, user, userAgents, adopted, ownRules] = await Promise.all([
    findingProject,
    readConfigFile(userFile, { from: env }),
    findUserAgentFiles(home),
    findingProject.then((own) => readAdoptedServers(home, env, own)),
    readOwnRules(env),
  ]);
  const problems: ConfigProblem[] = user.type === 'invalid' ? [...user.problems] : [];
  const layers = [
    layerFromValue('default', 'the defaults', defaultConfig(home)),
    ...adopted.layers,
    ...ownRules.layers,
  ];
  const ownFile = user.type === 'invalid' ? user.rest : user.type === 'read' ? user.file : undefined;
  if (ownFile !== undefined) layers.push(layerFromFile('user', ownFile, readBeside(userFile)));

  const isLenient = sources.broken === 'left-out';
  const read =
    project.parts.length === 0 && sources.file === undefined
      ? nothingOwn
      : await readProjectLayer(
          sources,
          project,
          mergeLayers(layers),
          new Set(userAgents.map(({ name }) => name)),
        ).catch((error: unknown): ProjectLayer => {
          if (!isLenient) throw error;
          const at = { file: project.folder, ...wholeFile };
          const message = error instanceof Error ? error.message : String(error);
          return { type: 'invalid', problems: [problemAt(at, [], 'unreadable', message)] };
        });
  if (read.type === 'invalid' && !isLenient) return { type: 'invalid', problems: [...problems, ...read.problems] };
  const own = read.type === 'invalid' ? { ...nothingOwn, problems: read.problems } : read;
  problems.push(...own.problems);
  layers.push(...own.layers);
  if (sources.flags !== undefined) layers.push(layerFromValue('flag', 'the command line', sources.flags));

  if (managed.type === 'loaded') layers.push(managedLayer(managed.managed, mergeLayers(layers)));

  const merged = mergeLayers(layers);
  const isDefined = ({ name, layer }: AgentFile) =>
    layers.some((other) => other.name === layer && other.config.agents?.[name] !== undefined);
  const agentFiles = [
    ...userAgents,
    ...own.agentFiles.filter((file) => file.isAdopted !== true || !isDefined(file)),
  ];
  const names = knownNames(merged.config, merged.policies, [
    ...agentFiles.map((agent) => agent.name),
    ...(sources.otherAgents ?? []),
  ]);
  const place = (at: readonly (string | number)[]) =>
    originOf(merged, at) ?? { file: 'the configuration', ...wholeFile };
  problems.push(
    ...ruleProblems(sources.flags ?? {}, 'the command line', () => wholeFile, ['deny', 'ask', 'allow']),
    ...agentsDefinedTwice(layers, agentFiles),
  );
  // The names that an unreadable file defines are unknown.
  const isAllKnown = user.type !== 'invalid' || user.rest !== undefined;
  if (isAllKnown) problems.push(...checkReferences(merged.config, names, place));
  if (sources.check === 'everything') problems.push(...(await agentFileProblems(agentFiles, names, env)));
  if (problems.length > 0 && !isLenient) return { type: 'invalid', problems, intentFiles: own.intentFiles };
  const rules = (merged.policies['default'] ?? []).map(({ rule }) => rule);
  return {
    type: 'loaded',
    config: {
      ...merged,
      rules,
      agentFiles,
      intentFiles: own.intentFiles,
      projectFiles: own.files,
      names,
      project,
      trust: own.trust,
      ignored: own.ignored,
      ...(problems.length > 0 && { isPartial: true as const }),
      ...(managed.type === 'loaded' && { managed: managed.managed }),
      warnings: [
        ...problems,
        ...adopted.warnings,
        ...ownRules.warnings,
        ...own.warnings,
        ...layers.flatMap(({ config, file, placeOf }) => ruleProblems(config, file, placeOf, ['allow'])),
      ],
    },
  };
}

const nothingOwn: Extract<ProjectLayer, { type: 'read' }> = {
  type: 'read',
  problems: [],
  layers: [],
  agentFiles: [],
  intentFiles: new Map(),
  files: new Map(),
  warnings: [],
  ignored: [],
  trust: { type: 'nothing-to-trust' },
};

async function agentFileProblems(
  files: readonly AgentFile[],
  names: KnownNames,
  env: ConfigSources['env'],
): Promise<readonly ConfigProblem[]> {
  const all = await Promise.all(
    files.map(async (file) => {
      const read = await readAgentFile(file, { from: env });
      if (read.type === 'invalid') return read.problems;
      const place = (path: readonly (string | number)[]) => ({ file: file.file, ...read.placeOf(path) });
      return checkAgentReferences(read.entry, [], names, place);
    }),
  );
  return all.flat();
}

function agentsDefinedTwice(layers: readonly ConfigLayer[], files: readonly AgentFile[]): ConfigProblem[] {
  return files.flatMap(({ name, layer, file }) =>
    layers
      .filter((other) => other.name === layer && other.config.agents?.[name] !== undefined)
      .map((other) => {
        const at = { file: other.file, ...other.placeOf(['agents', name], 'key') };
        return problemAt(at, ['agents', name], 'defined-twice', `the agent "${name}" is also defined by ${file}.`);
      }),
  );
}
