// Linux namespaces through bubblewrap (S8).
//
// 1. A command sees the system's programs and its roots, and nothing else of the machine. Files that decide which
//    programs run on the host, such as `.git`, are read-only even inside the roots.
// 2. Without network, the namespace has no interfaces, so not even the machine's own ports are reachable. With an
//    allow list, the proxy's socket is the only way out.
// 3. No outside process is visible. No terminal is shared, so nothing can be typed into it. No capability is left,
//    and no further namespace can be created. Everything inside ends with the process that started the command.
// 4. Rondo probes bubblewrap on this machine with the real arguments before it trusts it.
import { mkdir, realpath, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { isBelow } from '../paths/is-below.ts';
import { hookNames } from '../paths/hooks-folder.ts';
import { probeSandbox } from './probe-sandbox.ts';
import { profileNames, type Protection, protectionOf, type SandboxProfile } from '../paths/protected-paths.ts';
import { forwarded, PROXY_SOCKET, PROXY_VARIABLES } from './sandbox-forwarder.ts';
import { hidden, viewArguments } from './sandbox-view.ts';
import { systemProgram } from './system-program.ts';
import type { Sandbox, SandboxedCommand, SandboxRequest } from './sandbox.ts';

export interface BubblewrapOptions {
  /** Default: RONDO_BWRAP, otherwise the system's bubblewrap. */
  readonly program?: string;
  /** Rondo's home folder, hidden from every command. */
  readonly rondoHome?: string;
  /** Replaced by tests that only check the arguments. */
  readonly probe?: (wrap: Sandbox['wrap']) => Promise<string | undefined>;
}

export function createBubblewrap(options: BubblewrapOptions = {}): Sandbox {
  const program = options.program ?? process.env['RONDO_BWRAP'] ?? systemProgram('bwrap');
  const probing = options.probe ?? ((wrap) => probeSandbox(program, wrap));
  const untested = (argv: readonly string[], request: SandboxRequest) =>
    bubblewrapped(program, argv, request, options.rondoHome);
  let probe: Promise<string | undefined> | undefined;
  return {
    wrap: async (argv, request) => {
      if (request.level === 'none') return { type: 'ready', argv, env: request.env, missing: [], links: [] };
      probe ??= probing(untested);
      const reason = await probe;
      return reason === undefined ? untested(argv, request) : unavailable(reason, adviceFor(reason), true);
    },
  };
}

async function bubblewrapped(
  program: string,
  argv: readonly string[],
  request: SandboxRequest,
  rondoHome: string | undefined,
): Promise<SandboxedCommand> {
  const { level, proxySocket, profile = 'work' } = request;
  // Uses Rondo's own home and PATH. Those in the request may come from the agent and would widen what is visible.
  const [home, ...roots] = await Promise.all([homeFolder(), ...request.roots.map(realFolder)]);
  const [first] = roots;
  if (first === undefined && roots.length === 0)
    return unavailable('no root was given', 'open the session with a root folder', false);
  const missing = roots.indexOf(undefined);
  if (missing !== -1)
    return unavailable(`the root ${request.roots[missing]} is not a folder`, 'create it first', false);
  const wide = roots.find((root) => root !== undefined && isAround(root, [home, '/usr', '/etc', '/tmp']));
  if (wide !== undefined)
    return unavailable(`${wide} contains more than one project`, 'open the session in a project folder', true);
  if (level === 'workspace-allow-list' && profile === 'work' && proxySocket === undefined)
    return unavailable('an allow list needs a proxy', 'start the proxy, or choose workspace-no-network', false);

  const protections = roots.map((root = '') => {
    const { mounted, watched } = profileNames(profile, hookNames(root)).root;
    const protection = protectionOf(root, mounted);
    return { found: protection, around: mounted === watched ? protection : protectionOf(root, watched) };
  });
  const all = protections.map((one) => one.found);
  const around = protections.map((one) => one.around);
  const caches = request.caches;
  if (caches !== undefined) await mkdir(caches, { recursive: true });
  const isOpen = level === 'workspace' && profile === 'work';
  const allowList = level === 'workspace-allow-list' && profile === 'work';
  const secret = [...(request.hidden ?? []), ...(rondoHome === undefined ? [] : [rondoHome])];
  const searchPath = process.env['PATH'] ?? '';
  const env = { ...request.env, ...cacheVariables(home), ...(allowList && PROXY_VARIABLES) };
  const inside = Object.keys(env).filter((name) => AFFECTS_LOADER.test(name));
  const args = [
    ...ISOLATION,
    ...(isOpen ? [] : ['--unshare-net']),
    ...viewArguments({ home, searchPath, temporaryBytes: TEMPORARY_BYTES }),
    // Precedes the roots, because a worktree may lie in Rondo's home folder.
    ...secret.filter((file) => !isInAny(file, roots)).flatMap(hidden),
    ...(isOpen ? NAME_LOOKUP : []),
    ...(caches === undefined ? [] : ['--bind', caches, path.join(home, '.cache')]),
    ...(request.gitConfig === undefined ? [] : ['--ro-bind', request.gitConfig, path.join(home, '.gitconfig')]),
    ...roots.flatMap((root) => (root === undefined ? [] : ['--bind', root, root])),
    ...gitDirMounts(request.gitDirs ?? [], profile),
    ...(request.readable ?? []).flatMap((folder) => ['--ro-bind', folder, folder]),
    ...all.flatMap(protecting),
    ...secret.filter((file) => isInAny(file, roots)).flatMap(hidden),
    ...(allowList ? ['--bind', proxySocket ?? '', PROXY_SOCKET] : []),
    ...inside.flatMap((name) => ['--setenv', name, env[name] ?? '']),
    '--remount-ro',
    '/',
    '--chdir',
    request.cwd ?? first ?? '/',
    '--',
  ];
  return {
    type: 'ready',
    argv: [program, ...args, ...(allowList ? forwarded(argv) : argv)],
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !inside.includes(name))),
    missing: around.flatMap((one) => one.missing),
    links: [...all, ...around].flatMap(({ links }) => links),
  };
}

/** Set only inside. Outside, they would load a library of the project into bubblewrap itself. */
const AFFECTS_LOADER = /^(?:LD_|DYLD_|GLIBC_|MALLOC_)|^(?:GCONV_PATH|LOCPATH|NLSPATH|GETCONF_DIR|HOSTALIASES)$/;

const ISOLATION = (
  '--unshare-user --disable-userns --unshare-ipc --unshare-pid --unshare-uts --unshare-cgroup-try ' +
  '--cap-drop ALL --die-with-parent --new-session'
).split(' ');

/** Mounts the outer folder first: a linked worktree's git folder lies inside the repository's. */
function gitDirMounts(folders: readonly string[], profile: SandboxProfile): readonly string[] {
  const names = profileNames(profile).repository.mounted;
  return folders
    .toSorted()
    .flatMap((folder) =>
      profile === 'work'
        ? ['--ro-bind', folder, folder]
        : ['--bind', folder, folder, ...protecting(protectionOf(folder, names))],
    );
}

function protecting({ parents, present }: Protection): readonly string[] {
  return [
    ...parents.flatMap((folder) => ['--bind', folder, folder]),
    ...present.flatMap((file) => ['--ro-bind', file, file]),
  ];
}

const NAME_LOOKUP = ['--ro-bind-try', '/run/systemd/resolve', '/run/systemd/resolve'];

const TEMPORARY_BYTES = 1024 * 1024 * 1024;

/** Puts the caches of all package managers into one folder per project. */
function cacheVariables(home: string): Readonly<Record<string, string>> {
  const at = (name: string) => path.join(home, '.cache', name);
  return {
    XDG_CACHE_HOME: path.join(home, '.cache'),
    npm_config_cache: at('npm'),
    YARN_CACHE_FOLDER: at('yarn'),
    GOCACHE: at('go-build'),
    GOMODCACHE: at('go-mod'),
    CARGO_HOME: at('cargo'),
    GRADLE_USER_HOME: at('gradle'),
    TMPDIR: '/tmp',
  };
}

async function homeFolder(): Promise<string> {
  const home = await realpath(os.homedir()).catch(() => '/root');
  return home === '/' ? '/root' : home;
}

function isAround(folder: string, others: readonly string[]): boolean {
  return others.some((other) => folder === other || other.startsWith(folder === '/' ? '/' : folder + path.sep));
}

function isInAny(file: string, roots: readonly (string | undefined)[]): boolean {
  return roots.some((root) => root !== undefined && file !== root && isBelow(file, root));
}

async function realFolder(root: string): Promise<string | undefined> {
  try {
    const real = await realpath(root);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

function adviceFor(reason: string): string {
  if (/not installed/.test(reason)) return 'apt-get install bubblewrap  (dnf, pacman and apk call it the same)';
  if (/Permission denied|Operation not permitted|uid map/i.test(reason)) return APPARMOR;
  return 'run `rondo doctor` for details, or set tools.sandbox to "container" inside a container';
}

// On Ubuntu 24.04 only programs with a profile may create user namespaces. The sysctl would lift that for all of
// them.
const APPARMOR = `allow bubblewrap to make user namespaces with an AppArmor profile; as root:
printf '%s\\n' 'abi <abi/4.0>,' 'profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }' > /etc/apparmor.d/bwrap && apparmor_parser -r /etc/apparmor.d/bwrap`;

function unavailable(reason: string, install: string, isLasting: boolean): SandboxedCommand {
  return { type: 'unavailable', reason, install, isLasting };
}
