// Resolves where a path really leads, and whether that is inside the roots of a session.
//
// 1. The result is about the real path. Every symbolic link on the way is followed, even for a target that doesn't
//    exist yet (its deepest existing ancestor is resolved).
// 2. A path is inside only if the real path is a root or below one. The root itself may be a link.
// 3. Only files and folders are inside. Devices, sockets and pipes are refused.
// 4. A path that can't be resolved is outside. The result holds only for the moment; `openInside` checks again on
//    the opened file.
import { lstat, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';

import { isBelow } from './is-below.ts';
import { physicalPath } from './physical-path.ts';
import { privatePlaceOf } from './private-places.ts';

export type PathVerdict =
  | {
      readonly type: 'inside';
      readonly real: string;
      readonly relative: string;
      readonly root: string;
      /** Why this path needs care although it is inside. */
      readonly sensitive?: 'secret' | 'repository' | 'configuration';
    }
  | {
      readonly type: 'outside';
      readonly code: 'SANDBOX_VIOLATION';
      readonly reason: 'nul-byte' | 'outside-roots' | 'symlink-out' | 'special-file' | 'unresolvable' | 'private';
      readonly message: string;
    };

/** Resolves `requested` against the first root (or `from`). */
export async function resolveInside(
  requested: string,
  options: { readonly roots: readonly string[]; readonly from?: string },
): Promise<PathVerdict> {
  if (requested.includes('\0')) return outside('nul-byte', requested, 'contains a NUL byte');
  const base = options.from ?? options.roots[0];
  if (base === undefined) return outside('outside-roots', requested, 'no root is open');
  const absolute = physicalPath(base, requested);
  const roots = await Promise.all(options.roots.map(realRoot));
  const real = await realTarget(absolute);
  if (real.type === 'failed') return outside('unresolvable', requested, real.message);
  const root = roots.find((candidate) => candidate !== undefined && isBelow(real.path, candidate));
  if (root === undefined) {
    const written = [...options.roots.map((each) => path.resolve(each)), ...roots].some(
      (each) => each !== undefined && isBelow(absolute, each),
    );
    return written
      ? outside('symlink-out', requested, `leads to ${real.path} through a symbolic link`)
      : outside('outside-roots', requested, 'is outside the session root');
  }
  if (
    privatePlaceOf(
      real.path,
      roots.flatMap((each) => each ?? []),
    ) !== undefined
  )
    return outside('private', requested, 'is private: no agent may read or change it');
  if (real.special) return outside('special-file', requested, "isn't a file or folder");
  const relative = path.relative(root, real.path);
  const sensitive = sensitivityOf(relative);
  return { type: 'inside', real: real.path, relative, root, ...(sensitive === undefined ? {} : { sensitive }) };
}

/** `relative` is a path inside a root. */
export function sensitivityOf(relative: string): 'secret' | 'repository' | 'configuration' | undefined {
  const parts = relative.split(path.sep).map((part) => part.toLowerCase());
  const name = parts.at(-1) ?? '';
  if (parts.includes('.git')) return 'repository';
  if (parts.includes('.rondo') || name === 'rondo.json') return 'configuration';
  const template = /\.(?:example|sample|template|dist)$/.test(name);
  if (parts.includes('.ssh') || parts.includes('.aws') || parts.includes('.gnupg')) return 'secret';
  return !template && SECRET_FILE.test(name) ? 'secret' : undefined;
}

const SECRET_FILE =
  /^\.env(?:$|\.)|^\.envrc$|^\.netrc$|^\.npmrc$|^\.pypirc$|^\.git-credentials$|^id_(?:rsa|dsa|ecdsa|ed25519)$|\.(?:pem|key|p12|pfx|jks|kdbx)$|^credentials(?:\.json)?$|^secrets?\.(?:json|ya?ml|toml)$/;

type RealTarget =
  | { readonly type: 'found'; readonly path: string; readonly special: boolean }
  | { readonly type: 'failed'; readonly message: string };

// A missing part may be a dangling link that leads outside once its target exists. So each missing part is checked
// before its parent is resolved.
async function realTarget(absolute: string, hops = 0): Promise<RealTarget> {
  if (hops > 40) return { type: 'failed', message: 'too many symbolic links' };
  try {
    const real = await realpath(absolute);
    const stats = await lstat(real);
    return { type: 'found', path: real, special: !stats.isFile() && !stats.isDirectory() };
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') return { type: 'failed', message: messageOf(error) };
  }
  try {
    const link = await readlink(absolute);
    return await realTarget(path.resolve(path.dirname(absolute), link), hops + 1);
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ENOENT' && code !== 'EINVAL') return { type: 'failed', message: messageOf(error) };
  }
  const parent = path.dirname(absolute);
  if (parent === absolute) return { type: 'failed', message: 'does not exist' };
  const above = await realTarget(parent, hops);
  return above.type === 'failed'
    ? above
    : { type: 'found', path: path.join(above.path, path.basename(absolute)), special: above.special };
}

async function realRoot(root: string): Promise<string | undefined> {
  try {
    return await realpath(root);
  } catch {
    return undefined;
  }
}

function outside(
  reason: Extract<PathVerdict, { type: 'outside' }>['reason'],
  requested: string,
  why: string,
): PathVerdict {
  return { type: 'outside', code: 'SANDBOX_VIOLATION', reason, message: `${JSON.stringify(requested)} ${why}` };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
