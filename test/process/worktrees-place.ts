import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { onTestFinished } from 'vitest';

/** A temporary folder for a test that runs real git, removed when the test has finished. */
export interface Place {
  readonly folder: string;
  at(name: string): string;
  write(name: string, content: string | Buffer, mode?: number): void;
  read(name: string): string;
  /** Every file below a folder with its content; links as `-> target`, executables with a star. */
  files(name?: string): Readonly<Record<string, string>>;
  /** Runs git as a person would, in a folder of the place, and returns its output. */
  git(folder: string, ...args: readonly string[]): string;
}

export function createPlace(): Place {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rondo-worktrees-')));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const at = (name: string) => path.join(folder, name);
  return {
    folder,
    at,
    write(name, content, mode) {
      mkdirSync(path.dirname(at(name)), { recursive: true });
      writeFileSync(at(name), content);
      if (mode !== undefined) chmodSync(at(name), mode);
    },
    read: (name) => readFileSync(at(name), 'utf8'),
    files: (name = '.') => Object.fromEntries(walk(at(name), '')),
    git: (where, ...args) =>
      execFileSync('git', ['-c', 'protocol.file.allow=always', '-c', 'init.defaultBranch=main', ...args], {
        cwd: at(where),
        encoding: 'utf8',
        env: { ...withoutGit(), ...PERSON },
        stdio: ['ignore', 'pipe', 'pipe'],
      }).trimEnd(),
  };
}

/** A repository with one commit of one file. */
export function createRepository(place: Place, name = 'project'): string {
  mkdirSync(place.at(name), { recursive: true });
  place.git(name, 'init', '-q');
  place.git(name, 'config', 'user.name', 'Ada');
  place.git(name, 'config', 'user.email', 'ada@example.org');
  place.write(`${name}/a.txt`, 'one\n');
  place.git(name, 'add', '-A');
  place.git(name, 'commit', '-q', '-m', 'first');
  return place.at(name);
}

export function createRepositoryPlace(): Place {
  const place = createPlace();
  createRepository(place);
  return place;
}

const PERSON = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
  GIT_CONFIG_NOSYSTEM: '1',
};

function withoutGit(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
}

function walk(folder: string, below: string): readonly (readonly [string, string])[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((name): readonly (readonly [string, string])[] => {
      if (name === '.git') return [];
      const file = path.join(folder, name);
      const shown = below === '' ? name : `${below}/${name}`;
      const stats = lstatSync(file);
      if (stats.isDirectory()) return walk(file, shown);
      if (stats.isSymbolicLink()) return [[shown, `-> ${readlinkSync(file)}`]];
      const star = (stats.mode & 0o100) === 0 ? '' : '*';
      return [[`${shown}${star}`, stats.size > 10_000 ? `${stats.size} bytes` : readFileSync(file, 'utf8')]];
    });
}
