import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { RecordedRepository } from './recorded-turn.ts';

/** Creates the repository below a folder, with a remote beside it, and returns the session's folder. */
export function buildRepository(repository: RecordedRepository, folder: string): string {
  const { files, programs = {}, prepare, workFolder } = repository;
  const root = path.join(folder, 'repository');
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' });
  for (const [name, content] of Object.entries(files)) writeInto(root, name, content);
  for (const [name, content] of Object.entries(programs)) writeInto(root, name, content, 0o755);
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--no-verify', '-m', 'The beginning');
  git('init', '--quiet', '--bare', path.join(folder, 'remote.git'));
  git('remote', 'add', 'origin', path.join(folder, 'remote.git'));
  git('push', '--quiet', '--set-upstream', 'origin', 'main');
  if (prepare !== undefined) execFileSync('bash', ['-e', '-c', prepare], { cwd: root, stdio: 'pipe' });
  return realpathSync(workFolder === undefined ? root : path.join(folder, workFolder));
}

/** The home folder of the developer: a name for commits, and git-lfs's default set-up. */
export function buildHome(home: string, registry: string): void {
  writeInto(
    home,
    '.gitconfig',
    `[user]
	name = A Person
	email = person@example.org
[init]
	defaultBranch = main
[push]
	default = simple
[filter "lfs"]
	clean = git-lfs clean -- %f
	smudge = git-lfs smudge -- %f
	required = true
`,
  );
  writeInto(home, '.npmrc', `registry=${registry}\naudit=false\nfund=false\nupdate-notifier=false\n`);
  writeInto(home, '.config/fares/settings.toml', 'rate = 0.3\n');
}

function writeInto(folder: string, name: string, content: string, mode = 0o644): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content, { mode });
}
