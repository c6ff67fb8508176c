// Completes the lock file for this platform. It was made on Linux x64 from a registry that doesn't serve other
// platforms' native packages, so it lacks those. A locked package names each of them with its exact version: this
// adds them with that version and leaves everything else locked. Written so that old Nodes can read it.
'use strict';

/** `target`: { platform, arch, libc } with libc 'gnu', 'musl' or undefined. Undefined if nothing is missing. */
function completeLock(lock, target) {
  const packages = { ...lock.packages };
  let isComplete = true;
  for (const [at, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (isLocked(lock.packages, at, name) || !isFor(name, target)) continue;
      if (!/^\d+\.\d+\.\d+[\w.-]*$/.test(version)) throw new Error(`${at} does not pin ${name}: ${version}`);
      packages[`${at}/node_modules/${name}`] = { version, optional: true, ...(dev === true && { dev: true }) };
      isComplete = false;
    }
  }
  return isComplete ? undefined : { ...lock, packages };
}

/** True if Node would find it from there. */
function isLocked(packages, from, name) {
  for (let at = from; ;) {
    if (packages[at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`] !== undefined) return true;
    if (at === '') return false;
    const up = at.lastIndexOf('/node_modules/');
    at = up === -1 ? '' : at.slice(0, up);
  }
}

/** Names of native packages end in their platform: `darwin-arm64`, `linux-x64-musl`, `win32-x64-msvc`. */
function isFor(name, { platform, arch, libc }) {
  const [, os, cpu, abi] =
    /(?:^|[/-])(aix|android|darwin|freebsd|linux|netbsd|openbsd|win32)-([a-z0-9]+)(?:-(\w+))?$/.exec(name) || [];
  if (os !== platform || cpu !== arch) return false;
  return platform !== 'linux' || abi === undefined || abi.startsWith(libc || 'gnu');
}

module.exports = { completeLock };
