// The server of the pictures: a project in git with a remote, priced models and an external agent.

import { execFileSync } from 'node:child_process';
import path from 'node:path';

import { serveApp, type ServedApp } from '../test/browser/served-app.ts';
import { cart, screenedConfig } from './screened-sessions.ts';

export async function serveScreened(): Promise<ServedApp> {
  const externalAgent = path.resolve(import.meta.dirname, '../test/fixtures/acp-agent/main.ts');
  const codex = { command: process.execPath, args: [externalAgent, '--modes'] };
  const app = await serveApp({
    files: { 'src/cart.ts': cart, 'README.md': '# Shop\n', 'dist/old/bundle.js': 'export {};\n' },
    config: { ...screenedConfig, acpAgents: { codex } },
  });
  const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: app.project });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'T');
  git('config', 'user.email', 't@example.org');
  git('add', '.');
  git('commit', '-q', '-m', 'Begin');
  const origin = path.join(path.dirname(app.project), 'origin.git');
  git('init', '-q', '--bare', origin);
  git('remote', 'add', 'origin', origin);
  return app;
}
