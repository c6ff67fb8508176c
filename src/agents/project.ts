/**
 * Finds a folder's project: the nearest folder up to the repository's root with `rondo.json` or `.rondo/`. Outside
 * a repository only the folder itself counts, so that files planted in a shared parent such as `/tmp` have no
 * effect. What the folder keeps for other agents, such as `.mcp.json`, is part of it too.
 */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

import { Fault } from '../kernel/fault.ts';
import { originFile } from '../kernel/place.ts';

export interface Project {
  /** The folder with the configuration, or the repository's root, or the working folder. */
  readonly folder: string;
  /** Where instruction files and resources may come from: the repository's root, or `folder`. */
  readonly root: string;
  /** The key for trust and saved rules. A worktree uses its main repository's, a session's clone its repository's. */
  readonly identity: string;
  /** Which of Rondo's and other agents' files the folder has, excluding the user's own `$RONDO_HOME`. */
  readonly parts: readonly string[];
}

export async function findProject(cwd: string, home: string): Promise<Project> {
  const start = realFolder(cwd);
  const ownHome = existsSync(home) ? realpathSync.native(home) : path.resolve(home);
  const root = upwards(start, (at) => existsSync(path.join(at, '.git')));
  if (root === undefined) return { folder: start, root: start, identity: start, parts: partsIn(start, ownHome) };
  const main = await mainRepository(root);
  const repository = (await clonedFrom(root, ownHome)) ?? main;
  const nearest = (from: string, top: string) => upwards(from, (at) => ownPartsIn(at, ownHome).length > 0, top);
  const own = nearest(start, root);
  // A worktree lacks uncommitted configuration, so the main repository's applies.
  const folder = own ?? (main === root ? undefined : nearest(path.join(main, path.relative(root, start)), main));
  const identity = own === undefined ? (folder ?? repository) : path.join(repository, path.relative(root, own));
  return { folder: folder ?? root, root, identity, parts: partsIn(folder ?? root, ownHome) };
}

/** The nearest matching folder, up to `top`. */
function upwards(from: string, fits: (folder: string) => boolean, top?: string): string | undefined {
  for (let at = from; ; at = path.dirname(at)) {
    if (fits(at)) return at;
    if (at === top || path.dirname(at) === at) return undefined;
  }
}

/** The main repository of a worktree, if that repository lists the worktree. */
async function mainRepository(root: string): Promise<string> {
  const link = path.join(root, '.git');
  if (lstatSync(link).isDirectory()) return root;
  const pointer = /^gitdir: (.+)$/m.exec(await readFile(link, 'utf8').catch(() => ''))?.[1];
  if (pointer === undefined) return root;
  const gitFolder = path.resolve(root, pointer.trim());
  const folder = /^(.+)[\\/]\.git[\\/]worktrees[\\/][^\\/]+$/.exec(gitFolder)?.[1];
  if (folder === undefined) return root;
  const back = await readFile(path.join(gitFolder, 'gitdir'), 'utf8').catch(() => '');
  const knows =
    path.resolve(gitFolder, back.trim()) === link || (await realpath(back.trim()).catch(() => '')) === link;
  return knows ? await realpath(folder).catch(() => root) : root;
}

/** What a session's own clone is a clone of: its cache in Rondo's home. */
async function clonedFrom(root: string, ownHome: string): Promise<string | undefined> {
  const session = path.dirname(root);
  if (path.dirname(session) !== path.join(ownHome, 'places')) return undefined;
  const name = (await readFile(path.join(session, originFile), 'utf8').catch(() => '')).trim();
  return name === '' ? undefined : path.join(ownHome, 'repositories', path.basename(name));
}

function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch (cause) {
    throw new Fault('not-found', `Folder ${folder} doesn't exist. Create it, or choose another one.`, {
      cause,
    });
  }
}

// Synchronous, because it runs at every start for every parent folder, and promises would cost milliseconds.
function ownPartsIn(folder: string, ownHome: string): readonly string[] {
  return ['.rondo', 'rondo.json'].filter((name) => {
    const part = path.join(folder, name);
    return part !== ownHome && existsSync(part);
  });
}

/**
 * A person's own rules for Claude Code in this project, which that program writes with each answer. Only what tightens
 * is taken over, so it needs no trust.
 */
export const personalRules = '.claude/settings.local.json';

/** Set up for another agent: MCP servers, rules, commands and skills. Inert until trusted, like Rondo's own. */
const otherParts = [
  '.mcp.json',
  '.claude/settings.json',
  personalRules,
  'opencode.json',
  'opencode.jsonc',
  '.gemini/settings.json',
  '.codex/config.toml',
  '.claude/agents',
  '.claude/commands',
  '.claude/skills',
  '.opencode/command',
  '.opencode/commands',
  '.gemini/commands',
  '.opencode/skill',
  '.opencode/skills',
  '.gemini/skills',
  '.codex/skills',
  '.agents/skills',
] as const;

function partsIn(folder: string, ownHome: string): readonly string[] {
  return [...ownPartsIn(folder, ownHome), ...otherParts.filter((name) => existsSync(path.join(folder, name)))];
}
