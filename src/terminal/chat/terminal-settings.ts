/** The user's choices for this terminal, in a file that only the chat reads and writes. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { isJsonObject } from '../../kernel/json-object.ts';
import { isThemeName, type ThemeName } from '../palette.ts';
import type { KeySettings } from './key-map.ts';

export interface TerminalSettings extends KeySettings {
  readonly theme?: ThemeName;
  readonly vim?: boolean;
  /** False: no bell, desktop notification or progress. */
  readonly notifications?: boolean;
}

export interface SettingsFile {
  readonly path: string;
  load(): Promise<{ readonly settings: TerminalSettings; readonly problem?: string }>;
  /** Keeps everything else in the file. */
  change(settings: TerminalSettings): Promise<void>;
}

export function createSettingsFile(file: string): SettingsFile {
  async function stored(): Promise<Readonly<Record<string, unknown>>> {
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{}';
      throw error;
    });
    const value = JSON.parse(text) as unknown;
    if (!isJsonObject(value)) throw new Error("it isn't an object");
    return value;
  }
  return {
    path: file,
    async load() {
      try {
        return { settings: settingsFrom(await stored()) };
      } catch (error) {
        return { settings: {}, problem: `Can't read ${file}: ${(error as Error).message}.` };
      }
    },
    async change(settings) {
      const next = { ...(await stored()), ...settings };
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(file, `${JSON.stringify(next, undefined, 2)}\n`, { mode: 0o600 });
    },
  };
}

/** Ignores values of another type. */
function settingsFrom(value: Readonly<Record<string, unknown>>): TerminalSettings {
  const { keymap, keys, theme, vim, notifications } = value;
  return {
    ...((keymap === 'readline' || keymap === 'chat') && { keymap }),
    ...(isKeys(keys) && { keys }),
    ...(typeof theme === 'string' && isThemeName(theme) && { theme }),
    ...(typeof vim === 'boolean' && { vim }),
    ...(typeof notifications === 'boolean' && { notifications }),
  };
}

function isKeys(value: unknown): value is NonNullable<KeySettings['keys']> {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every(
    (keys) => typeof keys === 'string' || (Array.isArray(keys) && keys.every((key) => typeof key === 'string')),
  );
}
