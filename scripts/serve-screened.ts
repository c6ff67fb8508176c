// The server of the pictures: projects in git, one with a remote, priced models and an external agent.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { serveApp, type ServedApp } from '../test/browser/served-app.ts';
import { cart, screenedConfig } from './screened-sessions.ts';

/** Folders beside the server's own. */
const otherProjects = ['tidepool', 'harbor-docs', 'kestrel'] as const;

export async function serveScreened(): Promise<ServedApp> {
  const externalAgent = path.resolve(import.meta.dirname, '../test/fixtures/acp-agent/main.ts');
  const codex = { command: process.execPath, args: [externalAgent, '--modes'] };
  const app = await serveApp({
    files: { 'src/cart.ts': cart, 'README.md': '# Shop\n', 'dist/old/bundle.js': 'export {};\n' },
    config: { ...screenedConfig, acpAgents: { codex } },
  });
  const homes = path.dirname(app.project);
  for (const name of otherProjects) {
    mkdirSync(path.join(homes, name));
    writeFileSync(path.join(homes, name, 'README.md'), `# ${name}\n`);
    begin(path.join(homes, name));
  }
  begin(app.project);
  const origin = path.join(homes, 'origin.git');
  git(homes, 'init', '-q', '--bare', origin);
  git(app.project, 'remote', 'add', 'origin', origin);
  return app;
}

function begin(folder: string): void {
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'config', 'user.name', 'T');
  git(folder, 'config', 'user.email', 't@example.org');
  git(folder, 'add', '.');
  git(folder, 'commit', '-q', '-m', 'Begin');
}

function git(cwd: string, ...words: readonly string[]): void {
  execFileSync('git', words, { cwd });
}
