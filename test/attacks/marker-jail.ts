import { execFileSync } from 'node:child_process';
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const SECRET = 'canary-7f3a9c51';

export interface MarkerJail extends Disposable {
  readonly root: string;
  readonly home: string;
  /** Every file of the workspace and around it, with size and time. */
  snapshot(): ReadonlyMap<string, string>;
  /** Restores the files and the repository that a granted command may have changed. */
  restore(changed: readonly string[]): void;
}

/**
 * A workspace full of traps: running `evil.sh` leaves a marker, reading a secret shows the canary, and every change
 * shows in the snapshot. Slow programs are replaced by stand-ins.
 */
export function createMarkerJail(): MarkerJail {
  const place = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'rondo-jail-')));
  const root = path.join(place, 'workspace');
  const home = path.join(place, 'home');
  const evil = `#!/bin/sh\necho ran >> ${place}/outside/evil-ran\n`;
  const files: Readonly<Record<string, string>> = {
    'workspace/names.txt': 'b\na\n',
    'workspace/README.md': '# main\n',
    'workspace/package.json': '{"scripts":{"test":"true"}}',
    'workspace/.gitignore': '.env\nid_rsa\n',
    'workspace/.env': `KEY=${SECRET}\n`,
    'workspace/src/main.ts': 'export const main = 1;\n',
    'workspace/evil.js': `require('fs').appendFileSync('${place}/outside/evil-ran', 'x');\n`,
    'workspace/list': '/etc/passwd\0',
    'workspace/-rf': '',
    'workspace/.vscode/tasks.json': '{}',
    'workspace/id_rsa': SECRET,
    'outside/secret.txt': SECRET,
    'home/.ssh/id_rsa': SECRET,
    'home/.rondo/token': SECRET,
    'home/.bashrc': '',
  };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
    writeFileSync(path.join(place, name), content);
  }
  for (const name of ['workspace/evil.sh', 'workspace/evil/git', 'workspace/evil/ls', 'workspace/evil/cat']) {
    mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
    writeFileSync(path.join(place, name), evil, { mode: 0o755 });
  }
  for (const name of 'npm npx pnpm yarn make cargo go pytest pip curl python3 node'.split(' ')) {
    mkdirSync(path.join(place, 'programs'), { recursive: true });
    writeFileSync(path.join(place, 'programs', name), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  }
  const links = { 'link.txt': '../outside/secret.txt', out: '../outside' };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(root, name));
  execFileSync('mkfifo', [path.join(root, 'pipe')]);
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root });
  git('init', '--quiet', '--initial-branch=main');
  // Otherwise a stash, an everyday command, would remove them.
  git(
    'add',
    '--',
    ...readdirSync(root).filter((name) => !/^(?:\.env|\.git|id_rsa|pipe|link\.txt|out)$/.test(name)),
  );
  git('commit', '--quiet', '-m', 'first');
  cpSync(path.join(root, '.git'), path.join(place, 'repository'), { recursive: true });
  process.env['PATH'] = `${path.join(place, 'programs')}:${process.env['PATH'] ?? ''}`;
  process.env['HOME'] = home;
  process.env['RONDO_HOME'] = path.join(home, '.rondo');
  const lines = (folder: string): readonly (readonly [string, string])[] =>
    readdirSync(folder).flatMap((name) => (name === 'objects' ? [] : line(path.join(folder, name))));
  const line = (file: string): readonly (readonly [string, string])[] => {
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found === undefined) return [];
    const shown = path.relative(place, file);
    return found.isDirectory() ? [[shown, 'folder'], ...lines(file)] : [[shown, `${found.size} ${found.mtimeMs}`]];
  };
  return {
    root,
    home,
    snapshot: () => new Map(['outside', 'home', 'workspace'].flatMap((name) => lines(path.join(place, name)))),
    restore: (changed) => {
      for (const [name, content] of Object.entries(files)) {
        if (textAt(path.join(place, name)) === content) continue;
        rmSync(path.join(place, name), { recursive: true, force: true });
        mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
        writeFileSync(path.join(place, name), content);
      }
      for (const [name, target] of Object.entries(links)) {
        rmSync(path.join(root, name), { recursive: true, force: true });
        symlinkSync(target, path.join(root, name));
      }
      if (!changed.some((file) => file.startsWith(path.join('workspace', '.git')))) return;
      rmSync(path.join(root, '.git'), { recursive: true, force: true });
      cpSync(path.join(place, 'repository'), path.join(root, '.git'), { recursive: true });
    },
    [Symbol.dispose]: () => rmSync(place, { recursive: true, force: true }),
  };
}

function textAt(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
