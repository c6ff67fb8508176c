import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

interface PackedRondo {
  readonly program: string;
  /** An empty folder to run it in. */
  readonly project: string;
  /** Its home is within the folder, and its only model is the provider's. */
  readonly env: Readonly<Record<string, string>>;
}

/** The published form of Rondo, built into a folder. */
export function packRondo(folder: string, provider: { readonly url: string }): PackedRondo {
  const packed = path.join(folder, 'package');
  execFileSync(process.execPath, [path.join(root, 'scripts/build.ts'), '--package', packed]);
  symlinkSync(path.join(root, 'node_modules'), path.join(packed, 'node_modules'), 'junction');
  const project = path.join(folder, 'project');
  mkdirSync(project);
  return {
    program: path.join(packed, 'bin/rondo.cjs'),
    project,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      TMPDIR: folder,
      RONDO_HOME: path.join(folder, 'home'),
      OPENAI_BASE_URL: `${provider.url}/v1`,
      OPENAI_API_KEY: 'key',
      OPENAI_MODEL: 'fake',
      OLLAMA_HOST: '127.0.0.1:9',
    },
  };
}
