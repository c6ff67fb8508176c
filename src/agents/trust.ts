/**
 * Project trust. A cloned repository's commands, endpoints, allow rules and agents have no effect until the user
 * trusts exactly this content. Any change asks again. Stored in `$RONDO_HOME/trust.json` by project.
 */
import path from 'node:path';

import { fieldsOf } from '../kernel/json-object.ts';
import { readPrivateJson, updatePrivateJson } from './private-file.ts';
import type { ProjectFiles } from './project-files.ts';
import type { Project } from './project.ts';

export type TrustVerdict =
  | { readonly type: 'nothing-to-trust' }
  | { readonly type: 'trusted' }
  | { readonly type: 'untrusted'; readonly why: 'never-seen' | 'too-large' }
  /** Files added, removed or changed since. */
  | { readonly type: 'untrusted'; readonly why: 'changed'; readonly files: readonly string[] };

interface TrustedProject {
  readonly project: string;
  readonly hash: string;
  readonly at: number;
}

export async function checkTrust(home: string, project: Project, sources: ProjectFiles): Promise<TrustVerdict> {
  if (sources.tooLarge) return { type: 'untrusted', why: 'too-large' };
  if (sources.files.size === 0) return { type: 'nothing-to-trust' };
  const entry = recordsIn(await readPrivateJson(trustFile(home)))[project.identity];
  if (entry === undefined) return { type: 'untrusted', why: 'never-seen' };
  if (entry.hash === sources.hash) return { type: 'trusted' };
  const paths = new Set([...Object.keys(entry.files), ...sources.files.keys()]);
  const files = [...paths].filter((file) => entry.files[file] !== sources.files.get(file)?.hash).toSorted();
  return { type: 'untrusted', why: 'changed', files };
}

/** Trusts the content that was read, not what is on disk now. False if it is too large to trust. */
export async function trustProject(
  home: string,
  project: Project,
  sources: ProjectFiles,
  at: number,
): Promise<boolean> {
  if (sources.tooLarge) return false;
  const files = Object.fromEntries([...sources.files].map(([file, { hash }]) => [file, hash]));
  await updatePrivateJson(trustFile(home), (value) => {
    const projects = { ...recordsIn(value), [project.identity]: { hash: sources.hash, at, files } };
    return { version: 1, projects };
  });
  return true;
}

/** False if the project wasn't trusted. */
export async function revokeTrust(home: string, identity: string): Promise<boolean> {
  if (recordsIn(await readPrivateJson(trustFile(home)))[identity] === undefined) return false;
  await updatePrivateJson(trustFile(home), (value) => {
    const { [identity]: _revoked, ...projects } = recordsIn(value);
    return { version: 1, projects };
  });
  return true;
}

export async function listTrusted(home: string): Promise<readonly TrustedProject[]> {
  const records = recordsIn(await readPrivateJson(trustFile(home)));
  return Object.entries(records)
    .map(([project, { hash, at }]) => ({ project, hash, at }))
    .toSorted((a, b) => (a.project < b.project ? -1 : 1));
}

interface TrustRecord {
  readonly hash: string;
  readonly at: number;
  readonly files: Readonly<Record<string, string>>;
}

function trustFile(home: string): string {
  return path.join(home, 'trust.json');
}

/** Entries in an unknown format grant no trust. */
function recordsIn(value: unknown): Readonly<Record<string, TrustRecord>> {
  const projects = (value as { projects?: unknown } | undefined)?.projects;
  if (typeof projects !== 'object' || projects === null) return {};
  return Object.fromEntries(
    Object.entries(projects).filter((entry): entry is [string, TrustRecord] => isRecord(entry[1])),
  );
}

function isRecord(value: unknown): value is TrustRecord {
  const { hash, at, files } = fieldsOf(value);
  return typeof hash === 'string' && typeof at === 'number' && typeof files === 'object' && files !== null;
}
