/**
 * What a person denies other agents in all projects, or wants to be asked about: their own settings of Claude Code,
 * Gemini CLI and OpenCode. These rules only restrict, so they apply without being adopted. Permissions in these
 * files were given to another program and never count.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import type { Environment } from '../ports/environment.ts';
import { rulesFromClaude } from './claude-rules.ts';
import { rulesFromGemini } from './gemini-rules.ts';
import { rulesFromOpencode } from './opencode-rules.ts';
import {
  joined,
  rulesInFile,
  tightening,
  withoutRules,
  type OtherToolsConfig,
  type Translate,
} from './rule-file.ts';

/** `HOME`, and the folders that the agents' own variables name. */
export async function readOwnRules(env: Environment): Promise<OtherToolsConfig> {
  const home = env['HOME'] ?? '';
  if (!path.isAbsolute(home)) return nothing;
  const at = (variable: string, otherwise: string) => {
    const named = env[variable] ?? '';
    return path.isAbsolute(named) ? named : path.join(home, otherwise);
  };
  const claude = at('CLAUDE_CONFIG_DIR', '.claude');
  const opencode = path.join(at('XDG_CONFIG_HOME', '.config'), 'opencode');
  return joined(
    await Promise.all([
      read(path.join(claude, 'settings.json'), rulesFromClaude),
      read(path.join(home, '.gemini/settings.json'), rulesFromGemini),
      ...['config.json', 'opencode.json', 'opencode.jsonc'].map((name) =>
        read(path.join(opencode, name), rulesFromOpencode),
      ),
      unread(path.join(at('CODEX_HOME', '.codex'), 'rules'), /\b(?:forbidden|prompt)\b/),
      unread(path.join(home, '.gemini/policies'), /\b(?:deny|ask_user)\b/),
    ]),
  );
}

const nothing: OtherToolsConfig = { layers: [], warnings: [] };
const MOST_BYTES = 1024 * 1024;

async function read(file: string, translate: Translate): Promise<OtherToolsConfig> {
  const text = await textOf(file);
  if (text === undefined) return nothing;
  if (text === 'unreadable')
    return withoutRules(file, 'must be a readable file of less than 1 MB, so its rules have no effect.');
  return rulesInFile(file, text.value, (settings) => stricter(translate(settings)), { layer: 'user' });
}

/** Its hooks and default mode concern that program. They aren't rules on what an agent may do. */
function stricter(translated: ReturnType<Translate>): ReturnType<Translate> {
  const { rules, unknown } = tightening(translated);
  return { rules, unknown: unknown.filter(({ list }) => list !== 'hooks' && list !== 'defaultMode') };
}

/** These programs save what was allowed there too: only files that may forbid something are worth a warning. */
async function unread(folder: string, forbids: RegExp): Promise<OtherToolsConfig> {
  const names = await readdir(folder).catch(() => []);
  const texts = await Promise.all(names.map((name) => textOf(path.join(folder, name))));
  if (!texts.some((text) => text === 'unreadable' || (text !== undefined && forbids.test(text.value))))
    return nothing;
  return withoutRules(folder, "Rondo doesn't read the rules of this place; what they deny isn't denied.");
}

/** Links are followed: people keep such files elsewhere. */
async function textOf(file: string): Promise<{ readonly value: string } | 'unreadable' | undefined> {
  try {
    const stats = await stat(file);
    if (!stats.isFile() || stats.size > MOST_BYTES) return 'unreadable';
    return { value: await readFile(file, 'utf8') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : 'unreadable';
  }
}
