// Linux namespaces through bubblewrap.
//
// 1. The whole file system is read-only; the roots are writable, `readOnly` inside them is not;
//    `hidden` is empty. /tmp is the command's own and goes when it ends; /run is empty, since the
//    sockets of services in it (docker, dbus) would be a way out.
// 2. Without network there is a namespace without interfaces: not even the machine's own ports.
//    With an allow list the only way out of it is the proxy's socket.
// 3. No process outside is visible, no terminal is shared (so nothing can be typed into it), no
//    capability is left, and everything inside ends with the command's starter.
// 4. Bubblewrap is tried once on this machine before it is trusted: installed is not working.
import { execFile } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';

import { forwarded, PROXY_SOCKET, PROXY_VARIABLES } from './sandbox-forwarder.ts';
import type { Sandbox, SandboxedCommand, SandboxRequest } from './sandbox.ts';

export function createBubblewrap(options: { readonly program?: string } = {}): Sandbox {
  const program = options.program ?? 'bwrap';
  let probe: Promise<string | undefined> | undefined;
  return {
    wrap: async (argv, request) => {
      if (request.level === 'none') return { type: 'ready', argv, env: request.env };
      probe ??= whyUnusable(program);
      const reason = await probe;
      return reason === undefined ? bubblewrapped(program, argv, request) : unavailable(reason, INSTALL);
    },
  };
}

async function bubblewrapped(
  program: string,
  argv: readonly string[],
  request: SandboxRequest,
): Promise<SandboxedCommand> {
  const { level, proxySocket } = request;
  const roots = await Promise.all(request.roots.map(realFolder));
  const missing = roots.indexOf(undefined);
  if (missing !== -1) return unavailable(`the root ${request.roots[missing]} is not a folder`, 'create it first');
  const [first] = roots;
  if (first === undefined) return unavailable('no root was given', 'open the session with a root folder');
  if (level === 'workspace-allow-list' && proxySocket === undefined) {
    return unavailable('an allow list needs its proxy', 'start the proxy, or choose workspace-no-network');
  }
  const args = [
    ...ISOLATION,
    ...roots.flatMap((root) => (root === undefined ? [] : ['--bind', root, root])),
    ...(request.readOnly ?? []).flatMap((path) => ['--ro-bind-try', path, path]),
    ...(await hiding(request.hidden ?? [])),
    ...(level === 'workspace' ? NAME_LOOKUP : ['--unshare-net']),
    ...(level === 'workspace-allow-list' ? proxyBinds(proxySocket ?? '') : []),
    '--chdir',
    request.cwd ?? first,
    '--',
  ];
  const allowList = level === 'workspace-allow-list';
  return {
    type: 'ready',
    argv: [program, ...args, ...(allowList ? forwarded(argv) : argv)],
    env: allowList ? { ...request.env, ...PROXY_VARIABLES } : request.env,
  };
}

const ISOLATION = (
  '--unshare-user --unshare-ipc --unshare-pid --unshare-uts --unshare-cgroup-try ' +
  '--cap-drop ALL --die-with-parent --new-session ' +
  '--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /run'
).split(' ');

const NAME_LOOKUP = ['--ro-bind-try', '/run/systemd/resolve', '/run/systemd/resolve'];

const INSTALL = 'apt-get install bubblewrap  (dnf, pacman and apk call it the same)';

// Node itself may lie in a folder that is hidden by now.
function proxyBinds(socket: string): readonly string[] {
  return ['--bind', socket, PROXY_SOCKET, '--ro-bind', process.execPath, process.execPath];
}

async function hiding(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map(async (path): Promise<readonly string[]> => {
      const stats = await stat(path).catch(() => undefined);
      if (stats === undefined) return [];
      return stats.isDirectory() ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path];
    }),
  );
  return found.flat();
}

async function realFolder(root: string): Promise<string | undefined> {
  try {
    const real = await realpath(root);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

function whyUnusable(program: string): Promise<string | undefined> {
  if (process.platform !== 'linux') return Promise.resolve(`bubblewrap needs Linux, this is ${process.platform}`);
  return new Promise((resolve) => {
    execFile(
      program,
      [...ISOLATION, '--unshare-net', '--', 'true'],
      { timeout: 5000 },
      (error, _stdout, stderr) => {
        if (error === null) resolve(undefined);
        else if ('code' in error && error.code === 'ENOENT') resolve('bubblewrap is not installed');
        else resolve(`bubblewrap does not work here: ${stderr.trim().split('\n')[0] ?? error.message}`);
      },
    );
  });
}

function unavailable(reason: string, install: string): SandboxedCommand {
  return { type: 'unavailable', reason, install };
}
