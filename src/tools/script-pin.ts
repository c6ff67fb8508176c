// What a command runs of its folder, as a digest: a grant for `npm test` holds only while the script is the
// one that was shown (S6). Without a sandbox the agent could otherwise rewrite it and run it unasked.
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

import { digestOf } from './command-form.ts';
import type { Script } from './effect-tables.ts';
import { gitDirOf, nearest, textOf } from './git-dir.ts';

/** Undefined where there is nothing to pin to. */
export function pinOf(script: Script, folder: string): string | undefined {
  switch (script.type) {
    case 'file': {
      const text = textOf(path.resolve(folder, script.file));
      return text === undefined ? undefined : digestOf(text);
    }
    case 'one-of': {
      const text = script.files
        .map((file) => textOf(path.resolve(folder, file)))
        .find((found) => found !== undefined);
      return text === undefined ? undefined : digestOf(text);
    }
    case 'package-script': {
      const scripts = scriptsIn(nearest(folder, 'package.json'));
      const texts = [`pre${script.name}`, script.name, `post${script.name}`].map((name) => scripts[name] ?? '');
      return digestOf(JSON.stringify(texts));
    }
  }
}

/** A digest of the hooks that git would run in a folder; undefined where there are none. */
export function hooksPin(folder: string): string | undefined {
  const gitDir = gitDirOf(folder);
  if (gitDir === undefined) return undefined;
  const configured = [path.join(gitDir, 'config'), path.join(homedir(), '.gitconfig')]
    .map((file) => /^\s*hookspath\s*=\s*(.*)$/im.exec(textOf(file) ?? '')?.[1]?.trim())
    .find((value) => value !== undefined);
  const place = configured === undefined ? path.join(gitDir, 'hooks') : path.resolve(folder, configured);
  // husky's own folder calls the scripts beside it
  const folders = path.basename(place) === '_' ? [place, path.dirname(place)] : [place];
  const hooks = folders.flatMap(filesIn).filter((file) => !file.endsWith('.sample'));
  return hooks.length === 0 ? undefined : digestOf(JSON.stringify(hooks.map((file) => [file, textOf(file)])));
}

function scriptsIn(file: string | undefined): Readonly<Record<string, string>> {
  try {
    const { scripts } = JSON.parse(textOf(file ?? '') ?? '{}') as { scripts?: Record<string, string> };
    return scripts ?? {};
  } catch {
    return {};
  }
}

function filesIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder, { withFileTypes: true });
    return names.flatMap((entry) => (entry.isDirectory() ? [] : [path.join(folder, entry.name)])).toSorted();
  } catch {
    return [];
  }
}
