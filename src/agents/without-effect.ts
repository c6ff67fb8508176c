/** What a project keeps for other agents and Rondo passes over: settings by name, places, and files that aren't read. */
import { existsSync } from 'node:fs';
import path from 'node:path';

import { fieldsOf } from '../kernel/json-object.ts';
import { readInstructions } from './instruction-files.ts';
import { parseJsonc } from './parse-jsonc.ts';
import type { ProjectFiles } from './project-files.ts';
import { personalRules } from './project.ts';

export interface WithoutEffect {
  /** Below the project's folder, or as it is named. */
  readonly place: string;
  readonly what: string;
}

export async function withoutEffect(
  { folder, files }: ProjectFiles,
  { root, cwd }: { readonly root: string; readonly cwd: string },
): Promise<readonly WithoutEffect[]> {
  const settings = Object.entries(readSettings).map(async ([place, read]) => {
    const text = files.get(place)?.text;
    const names = text === undefined ? [] : unreadNames(await settingsOf(place, text), read);
    return names.length === 0 ? [] : [{ place, what: `Rondo has no use for ${names.join(', ')}.` }];
  });
  const { leftOut } = await readInstructions(root, cwd);
  return [
    ...(await Promise.all(settings)).flat(),
    ...unreadPlaces
      .filter((place) => existsSync(path.join(folder, place)))
      .map((place) => ({ place, what: 'Rondo reads nothing here.' })),
    ...leftOut.map(({ path: place, reason }) => ({ place, what: `It isn't read: ${reason}` })),
  ];
}

export function withoutEffectText({ place, what }: WithoutEffect): string {
  return `${place}: ${what}`;
}

/** Names of settings that Rondo reads. Below an object, only the names in its list count. */
type Known = Readonly<Record<string, true | readonly string[]>>;

const claude: Known = {
  permissions: ['allow', 'ask', 'deny'],
  disabledMcpjsonServers: true,
  // Trust covers the servers of `.mcp.json`.
  enabledMcpjsonServers: true,
  enableAllProjectMcpServers: true,
};
const opencode: Known = { mcp: true, permission: true, tools: true, instructions: true };

const readSettings: Readonly<Record<string, Known>> = {
  '.claude/settings.json': claude,
  [personalRules]: claude,
  'opencode.json': opencode,
  'opencode.jsonc': opencode,
  '.gemini/settings.json': {
    mcpServers: true,
    mcp: ['allowed', 'excluded'],
    excludeTools: true,
    coreTools: true,
    tools: ['exclude', 'core'],
  },
  '.codex/config.toml': { mcp_servers: true },
};

const unreadPlaces = [
  '.claude/output-styles',
  '.opencode/agent',
  '.opencode/agents',
  '.opencode/plugin',
  '.opencode/plugins',
  '.opencode/tool',
  '.opencode/tools',
  '.gemini/agents',
  '.gemini/extensions',
  '.codex/agents',
  '.cursor/mcp.json',
  '.vscode/mcp.json',
];

async function settingsOf(file: string, text: string): Promise<Readonly<Record<string, unknown>>> {
  if (file.endsWith('.toml')) {
    // Keys below a table belong to it.
    const [top = '', ...tables] = text.split(/^(?=\[)/m);
    const names = [top, ...tables.map((table) => table.split('\n', 1)[0] ?? '')].flatMap((part) =>
      [...part.matchAll(/^(?:\[+\s*)?([\w-]+)/gm)].map(([, name = '']) => name),
    );
    return Object.fromEntries(names.map((name) => [name, true]));
  }
  const parsed = await parseJsonc(text, file);
  return fieldsOf(parsed.type === 'parsed' ? parsed.document.value : undefined);
}

function unreadNames(settings: Readonly<Record<string, unknown>>, known: Known): readonly string[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    const read = known[name];
    if (read === true || name === '$schema') return [];
    if (read === undefined) return [name];
    return Object.keys(fieldsOf(value)).flatMap((inner) => (read.includes(inner) ? [] : [`${name}.${inner}`]));
  });
}
