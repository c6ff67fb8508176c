/**
 * The configuration that holds in a folder: defaults < user < project < flags, every value with its
 * origin.
 *
 * 1. Where there is no file, nothing is parsed and no schema is loaded.
 * 2. An untrusted project gives only what `keepHarmless` keeps, and its `${NAME}`s are never replaced.
 * 3. A file that cannot be used is an answer, with all its problems; nothing is half loaded.
 */
import path from 'node:path';

import type { Rule } from '../kernel/rule.ts';
import { findUserAgentFiles, type AgentFile } from './agent-files.ts';
import { readConfigFile, ruleProblems } from './config-file.ts';
import { layerFromFile, layerFromValue, readBeside, type ConfigLayer } from './config-layer.ts';
import { problemAt, wholeFile, type ConfigProblem } from './config-problem.ts';
import { checkReferences, knownNames, type KnownNames } from './config-references.ts';
import type { Config } from './config-schema.ts';
import { defaultConfig } from './default-config.ts';
import { mergeLayers, originOf, type MergedConfig } from './merge-layers.ts';
import { readProjectLayer, type ProjectLayer, type ProjectSources } from './project-layer.ts';
import { findProject, type Project } from './project.ts';
import type { TrustVerdict } from './trust.ts';
import type { Ignored } from './untrusted-config.ts';

/** `home` is `$RONDO_HOME`. */
export interface ConfigSources extends ProjectSources {
  readonly flags?: Config;
  /** Agents that exist without configuration, besides `assistant`. */
  readonly otherAgents?: readonly string[];
}

export interface LoadedConfig extends MergedConfig {
  /** Standing rules: of the policies called `default`, in order of layers. */
  readonly rules: readonly Rule[];
  readonly agentFiles: readonly AgentFile[];
  readonly names: KnownNames;
  readonly project: Project;
  readonly trust: TrustVerdict;
  /** What an untrusted project asked for and did not get. */
  readonly ignored: readonly Ignored[];
}

export type LoadConfig =
  | { readonly type: 'loaded'; readonly config: LoadedConfig }
  | { readonly type: 'invalid'; readonly problems: readonly ConfigProblem[] };

export async function loadConfig(sources: ConfigSources): Promise<LoadConfig> {
  const { home, env } = sources;
  const userFile = path.join(home, 'config.json');
  const [project, user, userAgents] = await Promise.all([
    findProject(sources.cwd, home),
    readConfigFile(userFile, { from: env }),
    findUserAgentFiles(home),
  ]);
  if (user.type === 'invalid') return user;
  const layers = [layerFromValue('default', 'the defaults', defaultConfig(home))];
  if (user.type === 'read') layers.push(layerFromFile('user', user.file, readBeside(userFile)));

  const own =
    project.parts.length === 0 && sources.file === undefined
      ? nothingOwn
      : await readProjectLayer(sources, project, mergeLayers(layers), new Set(userAgents.map(({ name }) => name)));
  if (own.type === 'invalid') return own;
  layers.push(...own.layers);
  if (sources.flags !== undefined) layers.push(layerFromValue('flag', 'the command line', sources.flags));

  const merged = mergeLayers(layers);
  const agentFiles = [...userAgents, ...own.agentFiles];
  const names = knownNames(merged.config, merged.policies, [
    ...agentFiles.map((agent) => agent.name),
    ...(sources.otherAgents ?? []),
  ]);
  const place = (at: readonly (string | number)[]) =>
    originOf(merged, at) ?? { file: 'the configuration', ...wholeFile };
  const problems = [
    ...ruleProblems(sources.flags ?? {}, 'the command line', () => wholeFile),
    ...agentsDefinedTwice(layers, agentFiles),
    ...checkReferences(merged.config, names, place),
  ];
  if (problems.length > 0) return { type: 'invalid', problems };
  const rules = (merged.policies['default'] ?? []).map(({ rule }) => rule);
  return {
    type: 'loaded',
    config: { ...merged, rules, agentFiles, names, project, trust: own.trust, ignored: own.ignored },
  };
}

const nothingOwn: ProjectLayer = {
  type: 'read',
  layers: [],
  agentFiles: [],
  ignored: [],
  trust: { type: 'nothing-to-trust' },
};

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
