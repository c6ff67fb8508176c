/** What a project adds to the configuration: all of it where it is trusted, else what is harmless. */
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
import { agentFileReason, keepHarmless, type Ignored } from './untrusted-config.ts';

export interface ProjectSources {
  readonly home: string;
  readonly cwd: string;
  readonly env: Environment;
  /** `--config`: in place of the project's file. A file of the project's still needs the project's trust. */
  readonly file?: string;
  /** `this-run`: the caller vouches for the project, this once. */
  readonly trust?: 'recorded' | 'this-run';
}

export type ProjectLayer =
  | {
      readonly type: 'read';
      readonly layers: readonly ConfigLayer[];
      readonly agentFiles: readonly AgentFile[];
      readonly ignored: readonly Ignored[];
      readonly trust: TrustVerdict;
    }
  | { readonly type: 'invalid'; readonly problems: readonly ConfigProblem[] };

/** `user` is what holds without the project; `userAgents` are the names of the user's agent files. */
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
  const files = findProjectAgentFiles(found);
  if (trust.type !== 'untrusted') {
    return { type: 'read', layers: own.type === 'read' ? [own.layer] : [], agentFiles: files, ignored: [], trust };
  }
  const ignored = files.map(({ file }): Ignored => ({
    path: path.relative(found.folder, file),
    file,
    line: 0,
    column: 0,
    reason: agentFileReason,
  }));
  if (own.type === 'absent') return { type: 'read', layers: [], agentFiles: [], ignored, trust };
  if (own.isNamedByUser) return { type: 'read', layers: [own.layer], agentFiles: [], ignored, trust };
  const harmless = keepHarmless(own.layer, user, userAgents);
  return {
    type: 'read',
    layers: [{ ...own.layer, config: harmless.config }],
    agentFiles: [],
    ignored: [...harmless.ignored, ...ignored],
    trust,
  };
}

type OwnConfig =
  | { readonly type: 'absent' }
  | { readonly type: 'read'; readonly layer: ConfigLayer; readonly isNamedByUser: boolean }
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
  // naming a file that came with no project is vouching for it
  const read = await readConfigFile(file, { from: sources.env });
  if (read.type === 'invalid') return read;
  if (read.type === 'absent') {
    const message = 'there is no such file; --config names the configuration to use.';
    return { type: 'invalid', problems: [problemAt({ file, ...wholeFile }, [], 'unreadable', message)] };
  }
  return { type: 'read', layer: layerFromFile('project', read.file, readBeside(file)), isNamedByUser: true };
}

function isOfProject(relative: string): boolean {
  return relative === 'rondo.json' || relative.startsWith('.rondo/');
}

function asOwn(read: ReadConfigFile, found: ProjectFiles): OwnConfig {
  if (read.type !== 'read') return read;
  const folder = path.relative(found.folder, path.dirname(read.file.file));
  // only what was hashed: a prompt's file must be one of the project's configuration files
  const readText = async (relative: string) => found.files.get(path.posix.join(folder, relative))?.text;
  return { type: 'read', layer: layerFromFile('project', read.file, readText), isNamedByUser: false };
}
