/**
 * What a sandboxed command sees, by allow list: the system's programs, the toolchains on the PATH, and nothing else
 * of the machine. It gets its own empty home folder, /tmp, /run and /dev/shm, all limited in size.
 */
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import path from 'node:path';

interface ViewOptions {
  readonly home: string;
  readonly searchPath: string;
  /** The size of each temporary file system. */
  readonly temporaryBytes: number;
}

/** Arguments for bubblewrap that precede the mounts of the roots. */
export function viewArguments({ home, searchPath, temporaryBytes }: ViewOptions): readonly string[] {
  const size = ['--size', String(temporaryBytes)];
  const system = SYSTEM.flatMap((folder) => systemMount(folder));
  const temporary = ['/tmp', '/run', home].flatMap((folder) => [...size, '--tmpfs', folder]);
  const tools = toolchains(searchPath, home);
  return [
    ...system,
    ...HIDDEN.flatMap((file) => (isReadable(file) ? hidden(file) : [])),
    ...temporary,
    '--symlink',
    '/tmp',
    '/var/tmp',
    ...tools.flatMap((folder) => ['--ro-bind', folder, folder]),
    ...tools.flatMap(credentialsIn).flatMap(hidden),
    ...devices(size),
    ...PROCESSES,
    ...['/proc/sysrq-trigger', '/proc/kcore', '/proc/keys'].flatMap(hidden),
  ];
}

function devices(size: readonly string[]): readonly string[] {
  return ['--dev', '/dev', ...size, '--tmpfs', '/dev/shm', '--remount-ro', '/dev'];
}

// Otherwise root could write the host's settings and start a program through `core_pattern`.
const PROCESSES = ['--proc', '/proc', '--ro-bind', '/proc/sys', '/proc/sys'];

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt', '/nix/store'];

/** Usually readable only by root, but an agent may run as root. */
const HIDDEN = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/ssh',
  '/etc/ssl/private',
  '/etc/sudoers',
  '/etc/sudoers.d',
  '/etc/krb5.keytab',
];

// Each mount costs about 0.1 ms, because bubblewrap reads the whole mount table after it. So a file that this user
// can't read isn't covered, and a program folder with all its links is one mount.
function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function systemMount(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return lstatSync(folder).isSymbolicLink()
    ? ['--symlink', readlinkSync(folder), folder]
    : ['--ro-bind', folder, folder];
}

/** Hides a file or folder, if it exists, behind an empty one. */
export function hidden(file: string): readonly string[] {
  try {
    return statSync(file).isDirectory() ? ['--size', '4096', '--tmpfs', file] : ['--ro-bind', '/dev/null', file];
  } catch {
    return [];
  }
}

const kept = new Map<string, readonly string[]>();

/** Program folders outside the system's, each with its surrounding installation. Outermost first. */
function toolchains(searchPath: string, home: string): readonly string[] {
  const key = `${home}\0${searchPath}`;
  const earlier = kept.get(key);
  if (earlier !== undefined) return earlier;
  const paths = new Set<string>();
  for (const entry of [...searchPath.split(':'), path.dirname(process.execPath)]) {
    if (!path.isAbsolute(entry) || isSystem(entry) || !existsSync(entry)) continue;
    paths.add(prefixOf(entry, home));
    for (const target of linkTargets(entry))
      if (!isSystem(target)) paths.add(prefixOf(path.dirname(target), home));
  }
  if ([...paths].some((folder) => folder.startsWith(path.join(home, '.cargo'))))
    paths.add(path.join(home, '.rustup'));
  const all = [...paths].filter(
    (folder) => folder !== home && !home.startsWith(folder + path.sep) && existsSync(folder),
  );
  const outer = all
    .toSorted()
    .filter((one) => !all.some((other) => one !== other && one.startsWith(other + path.sep)));
  kept.set(key, outer);
  return outer;
}

function isSystem(folder: string): boolean {
  return SYSTEM.some((one) => folder === one || folder.startsWith(one + '/'));
}

/**
 * `…/node-v24/bin` needs its parent folder, and so does `node_modules/.bin`, whose programs import the packages beside
 * it. `~/.local/bin` and similar folders must not expose theirs.
 */
function prefixOf(folder: string, home: string): string {
  const parent = path.dirname(folder);
  if (path.basename(folder) === '.bin' && path.basename(parent) === 'node_modules') return parent;
  const isPrefix = ['lib', 'libexec', 'versions', 'plugins', 'installs'].some((name) =>
    existsSync(path.join(parent, name)),
  );
  const isWide = parent === '/' || parent === home || parent === path.join(home, '.local');
  return isPrefix && !isWide ? parent : folder;
}

function linkTargets(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink())
      .slice(0, 200)
      .flatMap((entry) => {
        try {
          return [realpathSync(path.join(folder, entry.name))];
        } catch {
          return [];
        }
      });
  } catch {
    return [];
  }
}

function credentialsIn(folder: string): readonly string[] {
  return ['credentials', 'credentials.toml', '.credentials', '.npmrc', 'etc/npmrc'].map((name) =>
    path.join(folder, name),
  );
}
