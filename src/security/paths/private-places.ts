// RepositoryPlaces that no agent may read, whatever the rules allow (S5): Rondo's home with its tokens, the environment of
// other processes, and the files that hold the user's credentials.
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

import { globsOverlap } from './glob-overlap.ts';
import { isBelow } from './is-below.ts';

/** `$RONDO_HOME`, as every part of Rondo resolves it. */
export function rondoHome(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const given = environment['RONDO_HOME'];
  return given === undefined || given === '' ? path.join(homedir(), '.rondo') : path.resolve(given);
}

/**
 * Returns the private place that an absolute path, with or without wildcards, could name. A session whose folder
 * lies in Rondo's home, such as a worktree, may use that folder.
 */
export function privatePlaceOf(pattern: string, roots: readonly string[]): string | undefined {
  return privatePlacesOf(pattern, roots)[0];
}

/** Private places inside a folder, as patterns. A session in the user's home folder contains many. */
export function privatePlacesIn(folder: string, roots: readonly string[]): readonly string[] {
  return privatePlacesOf(`${folder}/**`, roots);
}

function privatePlacesOf(pattern: string, roots: readonly string[]): readonly string[] {
  const homes = bothNames(rondoHome());
  const isOwn = roots.some((root) => isBelow(pattern, root) && homes.some((home) => isBelow(root, home)));
  const places = [
    ...(isOwn ? [] : homes.flatMap((home) => [home, `${home}/**`])),
    ...FIXED,
    ...[...bothNames(homedir()), '/home/*', '/root'].flatMap(credentialsIn),
  ];
  return places.filter((place) => globsOverlap(pattern, place));
}

/** The path as named, and its real path. */
function bothNames(folder: string): readonly string[] {
  try {
    return [...new Set([folder, realpathSync(folder)])];
  } catch {
    return [folder];
  }
}

const FIXED = [
  '/proc/*/environ',
  '/proc/*/task/*/environ',
  '/proc/*/mem',
  '/etc/shadow',
  '/etc/gshadow',
  '/etc/sudoers',
];

const CREDENTIALS = [
  '.ssh/**',
  '.gnupg/**',
  '.aws/**',
  '.azure/**',
  '.kube/config',
  '.docker/config.json',
  '.config/gh/**',
  '.config/gcloud/**',
  '.config/op/**',
  '.password-store/**',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.git-credentials',
  '.cargo/credentials*',
];

function credentialsIn(home: string): readonly string[] {
  return CREDENTIALS.map((name) => `${home}/${name}`);
}
