/** A project's part of the configuration: everything if trusted, otherwise the harmless part. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';

import { findProjectAgentFiles, type AgentFile } from './agent-files.ts';
import { readConfigFile, type ReadConfigFile, type Variables } from './config-file.ts';
import { layerFromFile, readBeside, type ConfigLayer } from './config-layer.ts';
import { problemAt, wholeFile, type ConfigProblem } from './config-problem.ts';
import type { MergedConfig } from './merge-layers.ts';
import { readProjectConfig } from './project-config.ts';
import { readProjectFiles, type ProjectFiles } from './project-files.ts';
import type { Project } from './project.ts';
import type { Environment } from './substitute-variables.ts';
import { checkTrust, type TrustVerdict } from './trust.ts';
import { agentFileReason, intentFileReason, keepHarmless, type Ignored } from './untrusted-config.ts';

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
  const found = await readProjectFiles(project);
  const recorded = await checkTrust(sources.home, project, found);
  const isVouchedFor = recorded.type === 'untrusted' && sources.trust === 'this-run';
  const trust: TrustVerdict = isVouchedFor ? { type: 'trusted' } : recorded;
  const own = await readOwnConfig(sources, found, trust);
  if (own.type === 'invalid') return own;
  const problems = own.type === 'read' ? own.problems : [];
  const files = findProjectAgentFiles(found);
  const intentFiles = new Map([...found.files].filter(([file]) => file.startsWith('.rondo/intent/')));
  if (trust.type !== 'untrusted') {
    const layers = own.type === 'read' ? [own.layer] : [];
    return { type: 'read', problems, layers, agentFiles: files, intentFiles, ignored: [], trust };
  }
  const ignored = [
    ...files.map(({ file }) => ignoredFile(found, file, agentFileReason)),
    ...[...intentFiles.keys()].map((file) => ignoredFile(found, path.join(found.folder, file), intentFileReason)),
  ];
  const inert = { type: 'read', problems, agentFiles: [], intentFiles: new Map(), trust } as const;
  if (own.type === 'absent') return { ...inert, layers: [], ignored };
  if (own.isNamedByUser) return { ...inert, layers: [own.layer], ignored };
  const harmless = keepHarmless(own.layer, user, userAgents);
  return {
    ...inert,
    layers: [{ ...own.layer, config: harmless.config }],
    ignored: [...harmless.ignored, ...ignored],
  };
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
  found: ProjectFiles,
  trust: TrustVerdict,
): Promise<OwnConfig> {
  const variables: Variables = trust.type === 'trusted' ? { from: sources.env } : 'left-alone';
  if (sources.file === undefined) return asOwn(await readProjectConfig(found, variables), found);
  const named = path.resolve(await realpath(sources.cwd), sources.file);
  const file = await realpath(named).catch(() => named);
  const ofProject = [named, file]
    .map((at) => path.relative(found.folder, at).replaceAll(path.sep, '/'))
    .find(isOfProject);
  if (ofProject !== undefined) return asOwn(await readProjectConfig(found, variables, ofProject), found);
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

function asOwn(read: ReadConfigFile, found: ProjectFiles): OwnConfig {
  if (read.type === 'absent') return read;
  const place = read.type === 'read' ? read.file.file : (read.rest?.file ?? found.folder);
  const folder = path.relative(found.folder, path.dirname(place));
  // only hashed content: a prompt's file must be among the project's configuration files
  const readText = async (relative: string) => found.files.get(path.posix.join(folder, relative))?.text;
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
