/** A project's part of the configuration: everything if trusted, otherwise the harmless part. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';

import { findProjectAgentFiles, type AgentFile } from './agent-files.ts';
import { readConfigFile, type ReadConfigFile, type Variables } from './config-file.ts';
import { layerFromFile, readBeside, type ConfigLayer } from './config-layer.ts';
import { problemAt, wholeFile, type ConfigProblem } from './config-problem.ts';
import type { MergedConfig } from './merge-layers.ts';
import { readOtherTools } from './other-tools-config.ts';
import { readProjectConfig } from './project-config.ts';
import { readProjectFiles, type ProjectFiles } from './project-files.ts';
import type { Project } from './project.ts';
import { checkTrust, type TrustVerdict } from './trust.ts';
import {
  agentFileReason,
  intentFileReason,
  keepHarmless,
  textFileReason,
  type Ignored,
} from './untrusted-config.ts';
import type { Environment } from '../ports/environment.ts';

export interface ProjectSources {
  readonly home: string;
  readonly cwd: string;
  readonly env: Environment;
  /** `--config`: replaces the project's file. A file inside the project still needs the project's trust. */
  readonly file?: string;
  /** `this-run`: the caller trusts the project for this run. */
  readonly trust?: 'recorded' | 'this-run';
}

export type ProjectLayer =
  | {
      readonly type: 'read';
      /** Problems of a file that could be read; `layers` holds the rest. */
      readonly problems: readonly ConfigProblem[];
      readonly layers: readonly ConfigLayer[];
      readonly agentFiles: readonly AgentFile[];
      readonly intentFiles: ProjectFiles['files'];
      /** All files of a trusted project's configuration. */
      readonly files: ProjectFiles['files'];
      readonly warnings: readonly ConfigProblem[];
      readonly ignored: readonly Ignored[];
      readonly trust: TrustVerdict;
    }
  | { readonly type: 'invalid'; readonly problems: readonly ConfigProblem[] };

/** `user` is the configuration without the project; `userAgents` are the names of the user's agent files. */
export async function readProjectLayer(
  sources: ProjectSources,
  project: Project,
  user: MergedConfig,
  userAgents: ReadonlySet<string>,
): Promise<ProjectLayer> {
  const projectFiles = await readProjectFiles(project);
  const recorded = await checkTrust(sources.home, project, projectFiles);
  const isVouchedFor = recorded.type === 'untrusted' && sources.trust === 'this-run';
  const trust: TrustVerdict = isVouchedFor ? { type: 'trusted' } : recorded;
  const own = await readOwnConfig(sources, projectFiles, trust);
  if (own.type === 'invalid') return own;
  const problems = own.type === 'read' ? own.problems : [];
  const files = findProjectAgentFiles(projectFiles);
  const variables = variablesUnder(trust, sources);
  const { layers: others, warnings } = await readOtherTools(projectFiles, variables, await realpath(sources.cwd));
  const intentFiles = new Map([...projectFiles.files].filter(([file]) => file.startsWith('.rondo/intent/')));
  if (trust.type !== 'untrusted') {
    const layers = [...others, ...(own.type === 'read' ? [own.layer] : [])];
    const trusted = { agentFiles: files, intentFiles, files: projectFiles.files, warnings, ignored: [], trust };
    return { type: 'read', problems, layers, ...trusted };
  }
  const ignored = [
    ...files.map(({ file }) => ignoredFile(projectFiles, file, agentFileReason)),
    ...[...intentFiles.keys()].map((file) =>
      ignoredFile(projectFiles, path.join(projectFiles.folder, file), intentFileReason),
    ),
    ...[...projectFiles.files.keys()]
      .filter((file) => /^\.\w+\/(?:commands?|skills?)\/.*\.(?:md|toml)$/s.test(file))
      .map((file) => ignoredFile(projectFiles, path.join(projectFiles.folder, file), textFileReason)),
  ];
  const none = { agentFiles: [], intentFiles: new Map(), files: new Map() };
  const inert = { type: 'read', problems, ...none, warnings, trust } as const;
  const judged = [...others, ...(own.type === 'read' && !own.isNamedByUser ? [own.layer] : [])].map((layer) => ({
    layer,
    harmless: keepHarmless(layer, user, userAgents),
  }));
  const named = own.type === 'read' && own.isNamedByUser ? [own.layer] : [];
  return {
    ...inert,
    layers: [...judged.map(({ layer, harmless }) => ({ ...layer, config: harmless.config })), ...named],
    ignored: [...judged.flatMap(({ harmless }) => harmless.ignored), ...ignored],
  };
}

/** Variables of the environment reach only what was trusted. */
function variablesUnder(trust: TrustVerdict, { env }: Pick<ProjectSources, 'env'>): Variables {
  return trust.type === 'trusted' ? { from: env } : 'left-alone';
}

function ignoredFile({ folder }: ProjectFiles, file: string, reason: string): Ignored {
  return { path: path.relative(folder, file), file, line: 0, column: 0, reason };
}

type OwnConfig =
  | { readonly type: 'absent' }
  | {
      readonly type: 'read';
      readonly layer: ConfigLayer;
      readonly problems: readonly ConfigProblem[];
      readonly isNamedByUser: boolean;
    }
  | { readonly type: 'invalid'; readonly problems: readonly ConfigProblem[] };

async function readOwnConfig(
  sources: ProjectSources,
  projectFiles: ProjectFiles,
  trust: TrustVerdict,
): Promise<OwnConfig> {
  const variables = variablesUnder(trust, sources);
  if (sources.file === undefined) return asOwn(await readProjectConfig(projectFiles, variables), projectFiles);
  const named = path.resolve(await realpath(sources.cwd), sources.file);
  const file = await realpath(named).catch(() => named);
  const ofProject = [named, file]
    .map((at) => path.relative(projectFiles.folder, at).replaceAll(path.sep, '/'))
    .find(isOfProject);
  if (ofProject !== undefined)
    return asOwn(await readProjectConfig(projectFiles, variables, ofProject), projectFiles);
  // naming a file outside any project means trusting it
  const read = await readConfigFile(file, { from: sources.env });
  if (read.type === 'absent') {
    const message = 'file not found; --config names the configuration to use.';
    return { type: 'invalid', problems: [problemAt({ file, ...wholeFile }, [], 'unreadable', message)] };
  }
  return ownLayer(read, readBeside(file), true);
}

function isOfProject(relative: string): boolean {
  return relative === 'rondo.json' || relative.startsWith('.rondo/');
}

function asOwn(read: ReadConfigFile, projectFiles: ProjectFiles): OwnConfig {
  if (read.type === 'absent') return read;
  const place = read.type === 'read' ? read.file.file : (read.rest?.file ?? projectFiles.folder);
  const folder = path.relative(projectFiles.folder, path.dirname(place));
  // only hashed content: a prompt's file must be among the project's configuration files
  const readText = async (relative: string) => projectFiles.files.get(path.posix.join(folder, relative))?.text;
  return ownLayer(read, readText, false);
}

function ownLayer(
  read: Exclude<ReadConfigFile, { type: 'absent' }>,
  readText: ConfigLayer['readText'],
  isNamedByUser: boolean,
): OwnConfig {
  const file = read.type === 'read' ? read.file : read.rest;
  if (file === undefined) return { type: 'invalid', problems: read.type === 'invalid' ? read.problems : [] };
  const problems = read.type === 'invalid' ? read.problems : [];
  return { type: 'read', layer: layerFromFile('project', file, readText), problems, isNamedByUser };
}
