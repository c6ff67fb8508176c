/**
 * The managed policy: a file of the machine's administrator, above every other layer.
 *
 * 1. It only tightens: deny and ask rules, lower limits, a sandbox. No user, project, agent, session or flag can
 *    loosen it.
 * 2. Its location is fixed. No variable or option changes it.
 * 3. The file and all folders above it belong to the administrator, and nobody else can write to them.
 * 4. If the file exists and is invalid, Rondo doesn't start.
 */
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';

import { tighteningLimits, type Limits } from '../kernel/limits.ts';
import { optional } from '../kernel/optional.ts';
import type { Rule } from '../kernel/rule.ts';
import { readConfigFile } from './config-file.ts';
import { layerFromValue, type ConfigLayer } from './config-layer.ts';
import { problemAt, wholeFile, type ConfigProblem } from './config-problem.ts';
import type { Config } from './config-schema.ts';
import { mergeLayers, type MergedConfig } from './merge-layers.ts';

export interface ManagedPolicy {
  readonly file: string;
  readonly rules: readonly Rule[];
  readonly limits: Partial<Limits>;
  readonly sandbox?: Sandbox;
}

type Sandbox = NonNullable<NonNullable<Config['tools']>['sandbox']>;

export interface ManagedPlace {
  readonly file: string;
  /** The required owner's numeric id. Not checked on systems without one. */
  readonly owner: number;
}

type LoadManaged =
  | { readonly type: 'none' }
  | { readonly type: 'loaded'; readonly managed: ManagedPolicy }
  | { readonly type: 'invalid'; readonly problems: readonly ConfigProblem[] };

export function managedPlace(platform: NodeJS.Platform = process.platform): ManagedPlace {
  const folder =
    platform === 'darwin'
      ? '/Library/Application Support/Rondo'
      : platform === 'win32'
        ? 'C:\\Program Files\\Rondo'
        : '/etc/rondo';
  return { file: (platform === 'win32' ? path.win32 : path.posix).join(folder, 'policy.json'), owner: 0 };
}

export async function loadManaged(place: ManagedPlace = managedPlace()): Promise<LoadManaged> {
  const { file } = place;
  const invalid = (message: string): LoadManaged => ({
    type: 'invalid',
    problems: [problemAt({ file, ...wholeFile }, [], 'unreadable', `${message} Rondo doesn't start without it.`)],
  });
  try {
    if ((await lstat(file).catch(unlessMissing)) === undefined) return { type: 'none' };
    const open = await openToOthers(await realpath(file), place.owner);
    if (open !== undefined) return invalid(`users other than the administrator can change ${open}.`);
  } catch (error) {
    return invalid(`it can't be read: ${(error as Error).message}.`);
  }
  const read = await readConfigFile(file, 'left-alone');
  if (read.type === 'absent') return invalid("it can't be read.");
  if (read.type === 'invalid') return { type: 'invalid', problems: read.problems };
  const { config, placeOf } = read.file;
  const problems = loosening(config).map((at) =>
    problemAt(
      { file, ...placeOf(at, 'key') },
      at,
      'unknown-key',
      'a managed policy can only tighten rules; remove this.',
    ),
  );
  if (problems.length > 0) return { type: 'invalid', problems };
  const { policies } = mergeLayers([{ ...layerFromValue('managed', file, config), placeOf }]);
  return {
    type: 'loaded',
    managed: {
      file,
      rules: (policies['default'] ?? []).map(({ rule }) => rule),
      limits: config.limits ?? {},
      ...optional({ sandbox: config.tools?.sandbox }),
    },
  };
}

/** The last layer: tightens the merged others to the managed policy. */
export function managedLayer(managed: ManagedPolicy, others: MergedConfig): ConfigLayer {
  const limits = Object.entries(managed.limits).map(([name, most]) => {
    const wanted = others.config.limits?.[name as keyof Limits] ?? Infinity;
    return [name, Math.min(most, wanted)] as const;
  });
  const texts = (verdict: Rule['verdict']) =>
    managed.rules
      .filter((rule) => rule.verdict === verdict)
      .map(({ tool, pattern }) => (pattern === undefined ? tool : `${tool}(${pattern})`));
  const sandbox = stricter(managed.sandbox, others.config.tools?.sandbox);
  return layerFromValue('managed', managed.file, {
    policies: { default: { deny: texts('deny'), ask: texts('ask') } },
    ...(limits.length > 0 && { limits: Object.fromEntries(limits) }),
    ...(sandbox !== undefined && { tools: { sandbox } }),
  });
}

const levels: readonly string[] = ['none', 'workspace', 'workspace-no-network'];

function stricter(managed: Sandbox | undefined, wanted: Sandbox | undefined): Sandbox | undefined {
  if (managed === undefined || wanted === undefined) return managed;
  return levels.indexOf(levelOf(wanted)) > levels.indexOf(levelOf(managed)) ? wanted : managed;
}

function levelOf(sandbox: Sandbox): string {
  return typeof sandbox === 'string' ? sandbox : sandbox.level;
}

/** Paths of settings that would loosen, or that don't belong in a policy. */
function loosening(config: Config): readonly (readonly string[])[] {
  const { $schema: _, policies = {}, limits = {}, tools = {}, ...others } = config;
  return [
    ...Object.keys(others).map((key) => [key]),
    ...Object.keys(policies).flatMap((name) => {
      if (name !== 'default') return [['policies', name]];
      return policies[name]?.allow === undefined ? [] : [['policies', name, 'allow']];
    }),
    ...Object.keys(limits).flatMap((name) => (tighteningLimits.has(name) ? [] : [['limits', name]])),
    ...Object.keys(tools).flatMap((name) => (name === 'sandbox' ? [] : [['tools', name]])),
  ];
}

/** The file, or the first folder above it, that another user could change. */
async function openToOthers(file: string, owner: number): Promise<string | undefined> {
  if (process.getuid === undefined) return undefined;
  for (let at = file; ; at = path.dirname(at)) {
    const { uid, mode } = await lstat(at);
    // In a sticky folder, users can't rename each other's files.
    const isOpen = (mode & 0o022) !== 0 && (at === file || (mode & 0o1000) === 0);
    if (isOpen || (uid !== owner && uid !== 0)) return at;
    if (path.dirname(at) === at) return undefined;
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}
