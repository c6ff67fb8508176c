// A digest of the files that a command runs from its folder. A grant for `npm test` applies only while the script
// matches the one that was shown (S6). Without a sandbox, the agent could otherwise rewrite it and run it without
// approval.
import { readdirSync } from 'node:fs';
import path from 'node:path';

import type { NamedProgram } from '../../git/looking-program.ts';
import { gitDirOf, nearest, smallFileText } from '../../security/paths/git-dir.ts';
import { configuredHooks } from '../../security/paths/hooks-folder.ts';
import { shortDigest } from './command-form.ts';
import type { Script } from './effect-tables.ts';
import { projectPin, scriptsIn } from './project-scripts.ts';

/** Undefined if there is nothing to pin. */
export function pinOf(script: Script, folder: string): string | undefined {
  switch (script.type) {
    case 'file': {
      const text = smallFileText(path.resolve(folder, script.file));
      return text === undefined ? undefined : shortDigest(text);
    }
    case 'one-of': {
      const text = script.files
        .map((file) => smallFileText(path.resolve(folder, file)))
        .find((found) => found !== undefined);
      return text === undefined ? undefined : shortDigest(text);
    }
    case 'package-script': {
      const scripts = scriptsIn(nearest(folder, 'package.json') ?? '');
      const texts = [`pre${script.name}`, script.name, `post${script.name}`].map((name) => scripts[name] ?? '');
      return shortDigest(JSON.stringify(texts));
    }
    case 'project': {
      const repository = nearest(folder, '.git');
      return repository === undefined ? undefined : projectPin(path.dirname(repository), folder);
    }
  }
}

/** A digest of the hooks and other programs that git would run in a folder. Undefined if there are none. */
export function hooksPin(folder: string, programs: readonly NamedProgram[]): string | undefined {
  const gitDir = gitDirOf(folder);
  if (gitDir === undefined) return undefined;
  const configured = configuredHooks(folder);
  const folders = configured.length === 0 ? [path.join(gitDir, 'hooks')] : configured;
  const hooks = folders.flatMap(filesIn).filter((file) => !file.endsWith('.sample'));
  const texts = hooks.map((file) => [file, smallFileText(file)]);
  if (programs.length > 0) return shortDigest(JSON.stringify([texts, programs]));
  return hooks.length === 0 ? undefined : shortDigest(JSON.stringify(texts));
}

function filesIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder, { withFileTypes: true });
    return names.flatMap((entry) => (entry.isDirectory() ? [] : [path.join(folder, entry.name)])).toSorted();
  } catch {
    return [];
  }
}
