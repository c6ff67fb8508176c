/**
 * Project trust. What a cloned repository brings along (commands, endpoints, allow rules, agents) does
 * nothing until the user has trusted exactly this content; any change asks again. Kept in
 * `$RONDO_HOME/trust.json` by project.
 */
import path from 'node:path';

import { readPrivateJson, updatePrivateJson } from './private-file.ts';
import type { ProjectFiles } from './project-files.ts';
import type { Project } from './project.ts';

export type TrustVerdict =
  | { readonly type: 'nothing-to-trust' }
  | { readonly type: 'trusted' }
  | { readonly type: 'untrusted'; readonly why: 'never-seen' | 'too-large' }
  /** Files that were added, removed or changed since. */
  | { readonly type: 'untrusted'; readonly why: 'changed'; readonly files: readonly string[] };

export interface TrustedProject {
  readonly project: string;
  readonly hash: string;
  readonly at: number;
}

export async function checkTrust(home: string, project: Project, found: ProjectFiles): Promise<TrustVerdict> {
  if (found.tooLarge) return { type: 'untrusted', why: 'too-large' };
  if (found.files.size === 0) return { type: 'nothing-to-trust' };
  const entry = recordsIn(await readPrivateJson(trustFile(home)))[project.identity];
  if (entry === undefined) return { type: 'untrusted', why: 'never-seen' };
  if (entry.hash === found.hash) return { type: 'trusted' };
  const paths = new Set([...Object.keys(entry.files), ...found.files.keys()]);
  const files = [...paths].filter((file) => entry.files[file] !== found.files.get(file)?.hash).toSorted();
  return { type: 'untrusted', why: 'changed', files };
}

/** Trusts what was read, not what is there by now. False where there is too much of it to be trusted. */
export async function trustProject(
  home: string,
  project: Project,
  found: ProjectFiles,
  at: number,
): Promise<boolean> {
  if (found.tooLarge) return false;
  const files = Object.fromEntries([...found.files].map(([file, { hash }]) => [file, hash]));
  await updatePrivateJson(trustFile(home), (value) => {
    const projects = { ...recordsIn(value), [project.identity]: { hash: found.hash, at, files } };
    return { version: 1, projects };
  });
  return true;
}

/** False where the project was not trusted. */
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

/** Entries that are not of our making are no trust. */
function recordsIn(value: unknown): Readonly<Record<string, TrustRecord>> {
  const projects = (value as { projects?: unknown } | undefined)?.projects;
  if (typeof projects !== 'object' || projects === null) return {};
  return Object.fromEntries(
    Object.entries(projects).filter((entry): entry is [string, TrustRecord] => isRecord(entry[1])),
  );
}

function isRecord(value: unknown): value is TrustRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { hash, at, files } = value as Partial<Record<keyof TrustRecord, unknown>>;
  return typeof hash === 'string' && typeof at === 'number' && typeof files === 'object' && files !== null;
}
