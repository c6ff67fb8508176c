import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { expect, test } from 'vitest';

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
}

interface Target {
  readonly platform: string;
  readonly arch: string;
  readonly libc?: string;
}

const root = path.resolve(import.meta.dirname, '../..');
const { completeLock } = createRequire(import.meta.url)(path.join(root, 'scripts/complete-lock.cjs')) as {
  readonly completeLock: (lock: Lock, target: Target) => Lock | undefined;
};
const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lock;

/** Development tools whose native packages the registry doesn't list; `docs/security.md` names them. */
const unhashed: ReadonlySet<string> = new Set(['oxc-parser', 'oxfmt', 'oxlint', 'oxlint-tsgolint', 'rolldown']);

function toolOf(at: string): string {
  return (
    at
      .split('/node_modules/')
      .at(-2)
      ?.replace(/^node_modules\//, '') ?? at
  );
}

test('[S17] the lock pins every package by its content and names no registry', () => {
  const outside = Object.entries(lock.packages).filter(([at]) => at.startsWith('node_modules/'));
  expect(outside.filter(([, { link, integrity }]) => link !== true && integrity === undefined)).toEqual([]);
  expect(outside.filter(([, { resolved }]) => resolved !== undefined && /^\w+:/.test(resolved))).toEqual([]);
});

test('[S17] the lock is complete on the platform that it was made for', () => {
  expect(completeLock(lock, { platform: 'linux', arch: 'x64', libc: 'gnu' })).toBeUndefined();
});

test.each<Target>([
  { platform: 'darwin', arch: 'arm64' },
  { platform: 'darwin', arch: 'x64' },
  { platform: 'win32', arch: 'x64' },
  { platform: 'linux', arch: 'arm64', libc: 'gnu' },
  { platform: 'linux', arch: 'x64', libc: 'musl' },
])(
  '[S17] on $platform $arch $libc the lock holds too: what it lacks is added by exact version, and nothing else',
  (target) => {
    const completed = completeLock(lock, target)?.packages ?? {};
    const added = Object.entries(completed).filter(([at]) => lock.packages[at] === undefined);
    expect(Object.fromEntries(Object.entries(completed).filter(([at]) => at in lock.packages))).toEqual(
      lock.packages,
    );
    expect(added.length).toBeGreaterThan(0);
    const { platform, arch } = target;
    expect(added.filter(([at]) => !at.includes(`${platform}-${arch}`))).toEqual([]);
    // Packages without a hash never run outside this repository.
    expect(added.filter(([, { dev }]) => dev !== true)).toEqual([]);
    expect([...new Set(added.map(([at]) => toolOf(at)))].filter((tool) => !unhashed.has(tool))).toEqual([]);
    expect(added.filter(([, { version }]) => !/^\d+\.\d+\.\d+/.test(version ?? ''))).toEqual([]);
  },
);

test('[S17] set-up never goes without the lock', () => {
  expect(readFileSync(path.join(root, 'scripts/setup.cjs'), 'utf8')).not.toContain('no-package-lock');
});
