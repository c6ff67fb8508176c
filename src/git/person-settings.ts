/** The user's and the system's git configuration, read by git outside any repository. */
import { stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { outputOf } from './list-config.ts';
import { type Setting, settingsToText } from './harmless-settings.ts';
import { type ConfigEntry, isPersons, readEntries } from './program-keys.ts';

/** Name, email address and ignored files: all that a read-only command or a sandboxed commit needs. */
export async function personSettings(git: string, env: Readonly<Record<string, string>>): Promise<string> {
  const entries = await personEntries(git, env);
  const last = new Map(entries.map(({ key, value }) => [key.toLowerCase(), value]));
  const settings = CARRIED.flatMap((name): readonly Setting[] => {
    const value = last.get(name);
    const [section = '', key = ''] = name.split('.');
    if (value === undefined || /\p{Cc}/u.test(value)) return [];
    return [{ section, key, value: name === 'core.excludesfile' ? atHome(value, env) : value }];
  });
  return settingsToText(settings);
}

const CARRIED = [
  'user.name',
  'user.email',
  'core.excludesfile',
  'core.autocrlf',
  'core.eol',
  'init.defaultbranch',
];

function atHome(file: string, env: Readonly<Record<string, string>>): string {
  return file.startsWith('~/') ? path.join(env['HOME'] ?? os.homedir(), file.slice(2)) : file;
}

let kept: { readonly of: string; readonly entries: Promise<readonly ConfigEntry[]> } | undefined;

/** Cached until one of the files changes. */
async function personEntries(git: string, env: Readonly<Record<string, string>>): Promise<readonly ConfigEntry[]> {
  const home = env['HOME'] ?? os.homedir();
  const files = [
    path.join(home, '.gitconfig'),
    path.join(env['XDG_CONFIG_HOME'] ?? path.join(home, '.config'), 'git', 'config'),
    '/etc/gitconfig',
  ];
  const times = await Promise.all(
    files.map((file) =>
      stat(file, { bigint: true }).then(
        ({ mtimeNs, ino }) => `${ino}:${mtimeNs}`,
        () => '-',
      ),
    ),
  );
  const of = [git, ...files, ...times].join('\0');
  if (kept?.of !== of) kept = { of, entries: listEntries(git, env) };
  return kept.entries;
}

async function listEntries(git: string, env: Readonly<Record<string, string>>): Promise<readonly ConfigEntry[]> {
  const text = await outputOf(git, ['config', '--list', '-z', '--show-scope'], {
    ...env,
    GIT_DIR: '/dev/null/none',
  });
  return readEntries(text ?? '').filter(isPersons);
}
