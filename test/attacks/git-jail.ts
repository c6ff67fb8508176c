/** Repositories that start programs when someone reads them with plain git. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { createToolWorkspace, type ToolWorkspace } from '../../src/testing/contracts/tool-contract.ts';

export interface GitJail extends AsyncDisposable {
  readonly workspace: ToolWorkspace;
  /** Writes the marker when it is started. */
  readonly trap: string;
  sprung(): Promise<boolean>;
  git(...args: readonly string[]): string;
  /** Runs plain git and ignores the outcome. */
  plain(args: readonly string[], folder?: string): void;
  write(file: string, content: string): Promise<void>;
}

/** What `git credential fill` reads; other commands ignore it. */
export const ASKED = 'protocol=https\nhost=example.org\n\n';

export async function gitJail(): Promise<GitJail> {
  const workspace = await createToolWorkspace();
  const { root } = workspace;
  const marker = path.join(root, '..', `marker-${path.basename(root)}`);
  const trap = path.join(root, 'trap.sh');
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  await writeFile(trap, `#!/bin/sh\necho ran > '${marker}'\n`);
  await chmod(trap, 0o755);
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.org');
  git('add', 'notes.txt');
  git('commit', '--quiet', '--message=First');
  return {
    workspace,
    trap,
    git,
    plain: (args, folder = '.') =>
      void spawnSync('git', args, { cwd: path.join(root, folder), input: ASKED, timeout: 10_000 }),
    write: async (file, content) => {
      await mkdir(path.dirname(path.join(root, file)), { recursive: true });
      await writeFile(path.join(root, file), content);
    },
    async sprung() {
      const was = existsSync(marker);
      await rm(marker, { force: true });
      return was;
    },
    async [Symbol.asyncDispose]() {
      await rm(marker, { force: true });
      await workspace[Symbol.asyncDispose]();
    },
  };
}

export interface GitAttack {
  readonly name: string;
  prepare(jail: GitJail): Promise<void>;
  /** Arguments that trigger the trap with plain git. */
  readonly plain: readonly string[];
  /** The folder in which the trap is triggered. */
  readonly folder?: string;
}

// Has the same length as the committed content, so git must read the file.
const TOUCHED = 'FIRST LINE\nSECOND LINE\n';

const setting =
  (...names: readonly string[]) =>
  async ({ git, trap, write }: GitJail): Promise<void> => {
    for (const name of names) git('config', name, trap);
    await write('notes.txt', 'changed\n');
  };

export const lookingAttacks: readonly GitAttack[] = [
  {
    name: 'filter.*.clean with .gitattributes',
    prepare: async ({ git, trap, write }) => {
      git('config', 'filter.x.clean', trap);
      await write('.gitattributes', '* filter=x\n');
      await write('notes.txt', TOUCHED);
    },
    plain: ['status'],
  },
  {
    name: 'filter.*.process with a name that -c cannot override',
    prepare: async ({ trap, write, workspace, git }) => {
      git('config', 'filter.x.required', 'false');
      await appendFile(path.join(workspace.root, '.git', 'config'), `[filter "a=b"]\n\tclean = ${trap}\n`);
      await write('.gitattributes', '* filter=a=b\n');
      await write('notes.txt', TOUCHED);
    },
    plain: ['status'],
  },
  {
    name: 'a filter from an included file',
    prepare: async ({ git, trap, write }) => {
      await write('.git/more', `[filter "x"]\n\tclean = ${trap}\n`);
      git('config', 'include.path', 'more');
      await write('.gitattributes', '* filter=x\n');
      await write('notes.txt', TOUCHED);
    },
    plain: ['status'],
  },
  {
    name: 'log.showSignature with gpg.program',
    prepare: async ({ git, trap }) => {
      const tree = git('rev-parse', 'HEAD^{tree}').trim();
      const who = 'T <t@example.org> 1700000000 +0000';
      const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n AAAA\n -----END PGP SIGNATURE-----\n';
      const body = `tree ${tree}\nauthor ${who}\ncommitter ${who}\n${signature}\nSigned\n`;
      const commit = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
        cwd: path.dirname(trap),
        input: body,
        encoding: 'utf8',
      });
      git('update-ref', 'refs/heads/main', commit.trim());
      git('config', 'log.showSignature', 'true');
      git('config', 'gpg.program', trap);
    },
    plain: ['log', '-1'],
  },
  { name: 'core.fsmonitor', prepare: setting('core.fsmonitor'), plain: ['status'] },
  { name: 'diff.external', prepare: setting('diff.external'), plain: ['diff'] },
  {
    name: 'diff.*.textconv',
    prepare: async (one) => {
      await one.write('.gitattributes', '* diff=x\n');
      await setting('diff.x.textconv')(one);
    },
    plain: ['diff'],
  },
  {
    name: 'diff.*.command',
    prepare: async (one) => {
      await one.write('.gitattributes', '* diff=x\n');
      await setting('diff.x.command')(one);
    },
    plain: ['diff'],
  },
  {
    name: 'an embedded bare repository reached by path or cwd',
    prepare: async ({ git, trap, workspace, write }) => {
      git('clone', '--quiet', '--bare', '.', 'docs/engine');
      git('-C', 'docs/engine', 'config', 'core.bare', 'false');
      git('-C', 'docs/engine', 'config', 'core.worktree', workspace.root);
      git('--git-dir=docs/engine', 'config', 'core.fsmonitor', trap);
      await write('notes.txt', 'changed\n');
    },
    plain: ['status'],
    folder: 'docs/engine',
  },
  {
    name: 'a repository inside that brings its own configuration',
    prepare: async ({ git, trap, workspace, write }) => {
      git('clone', '--quiet', '.', 'vendor/lib');
      git('-C', 'vendor/lib', 'config', 'core.fsmonitor', trap);
      await writeFile(path.join(workspace.root, 'vendor/lib/notes.txt'), 'changed\n');
      await write('notes.txt', 'changed\n');
    },
    plain: ['status'],
    folder: 'vendor/lib',
  },
  {
    name: 'the configuration of a submodule, which git reads for the status of the repository around it',
    prepare: async ({ git, trap, workspace, write }) => {
      const library = path.join(workspace.root, '..', `library-${path.basename(workspace.root)}`);
      await cp(workspace.root, library, { recursive: true, verbatimSymlinks: true });
      git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib');
      await rm(library, { recursive: true });
      git('commit', '--quiet', '--message=Module');
      // Overrides a default in the configuration.
      git('config', '-f', '.gitmodules', 'submodule.lib.ignore', 'none');
      git('-C', 'lib', 'config', 'filter.x.clean', trap);
      await write('lib/.gitattributes', '* filter=x\n');
      await write('lib/notes.txt', TOUCHED);
    },
    plain: ['status'],
  },
];
