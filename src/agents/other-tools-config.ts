/**
 * What a project set up for other agents, as configuration: MCP servers and rules. It counts like the project's own
 * configuration, so it needs the project's trust, except for what tightens. What Rondo can't use is a warning, never
 * an error: the files aren't written for Rondo. A deny without an equivalent is never passed over in silence.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';

import { rulesFromClaude } from './claude-rules.ts';
import { serversInToml } from './codex-servers.ts';
import { parseConfig, type Variables } from './config-file.ts';
import { layerFromFile } from './config-layer.ts';
import { problemAt, wholeFile, type ConfigProblem } from './config-problem.ts';
import { rulesFromGemini } from './gemini-rules.ts';
import { rulesFromOpencode } from './opencode-rules.ts';
import { parseJsonc } from './parse-jsonc.ts';
import type { ProjectFiles } from './project-files.ts';
import { personalRules } from './project.ts';
import { joined, rulesInFile, tightening, type OtherToolsConfig, type Translate } from './rule-file.ts';
import { serverEntries, serversInGemini, serversInOpencode, switchedOffByClaude } from './server-entry.ts';

export async function readOtherTools(
  { folder, files }: ProjectFiles,
  variables: Variables,
  cwd: string = folder,
): Promise<OtherToolsConfig> {
  const inside = path.relative(folder, cwd).split(path.sep).join('/');
  const below = inside.startsWith('..') ? '' : inside;
  const rulesOf = (file: string, text: string, translate: Translate) =>
    rulesInFile(file, text, translate, { layer: 'project', below });
  const opencode: Reader = async (file, text) =>
    joined([
      await rulesOf(file, text, rulesFromOpencode),
      await serversOf(file, serversInOpencode(await jsonOf(file, text)), variables),
    ]);
  const parts = await Promise.all([
    read('.mcp.json', async (file, text) => mcpServersOf(file, text, variables, await switchedOff())),
    read('.claude/settings.json', (file, text) => rulesOf(file, text, rulesFromClaude)),
    read(personalRules, (file, text) => rulesOf(file, text, (settings) => tightening(rulesFromClaude(settings)))),
    read('opencode.json', opencode),
    read('opencode.jsonc', opencode),
    read('.gemini/settings.json', async (file, text) =>
      joined([
        await rulesOf(file, text, rulesFromGemini),
        await serversOf(file, serversInGemini(await jsonOf(file, text)), variables),
      ]),
    ),
    read('.codex/config.toml', (file, text) => serversOf(file, serversInToml(text), variables)),
  ]);
  return joined([...parts, { layers: [], warnings: unreadRules(folder, below) }]);

  /** The names of a person's own list count like those of the project's: both only tighten. */
  async function switchedOff(): Promise<ReadonlySet<string>> {
    const lists = ['.claude/settings.json', personalRules].map(async (name) => {
      const text = files.get(name)?.text;
      return text === undefined ? [] : switchedOffByClaude(await jsonOf(name, text));
    });
    return new Set((await Promise.all(lists)).flat());
  }

  async function read(relative: string, as: Reader): Promise<OtherToolsConfig> {
    const content = files.get(relative);
    if (content === undefined) return nothing;
    const file = path.join(folder, relative);
    if (content.text !== undefined) return as(file, content.text);
    const message = 'must be a plain file of less than 1 MB, not a symbolic link, so it has no effect.';
    return { layers: [], warnings: [problemAt({ file, ...wholeFile }, [], 'unreadable', message)] };
  }
}

/** Rules that Rondo doesn't read are named, because they may deny something. */
function unreadRules(folder: string, below: string): readonly ConfigProblem[] {
  const names = below.split('/').filter(Boolean);
  const further = names.map((_, index) => names.slice(0, index + 1).join('/'));
  const places = [
    '.codex/rules',
    '.gemini/policies',
    ...further.flatMap((at) =>
      ['.claude/settings.json', personalRules, 'opencode.json', '.gemini/settings.json'].map(
        (name) => `${at}/${name}`,
      ),
    ),
  ];
  const message = "Rondo doesn't read the rules of this place; what they deny isn't denied.";
  return places
    .map((place) => path.join(folder, place))
    .filter((file) => existsSync(file))
    .map((file) => problemAt({ file, ...wholeFile }, [], 'bad-rule', message));
}

type Reader = (file: string, text: string) => Promise<OtherToolsConfig>;

const nothing: OtherToolsConfig = { layers: [], warnings: [] };

async function mcpServersOf(
  file: string,
  text: string,
  variables: Variables,
  switchedOff: ReadonlySet<string> = new Set(),
): Promise<OtherToolsConfig> {
  const parsed = await parseConfig(text, file, variables);
  const warnings = parsed.type === 'invalid' ? parsed.problems : [];
  const config = parsed.type === 'read' ? parsed.file : parsed.type === 'invalid' ? parsed.rest : undefined;
  if (config?.config.mcpServers === undefined) return { layers: [], warnings };
  const mcpServers = Object.fromEntries(
    Object.entries(config.config.mcpServers).map(([name, server]) => [
      name,
      switchedOff.has(name) ? { ...server, disabled: true } : server,
    ]),
  );
  // Only the servers: other keys of this file mean nothing, least of all rules.
  const layer = layerFromFile('project', { ...config, config: { mcpServers } }, async () => undefined);
  return { layers: [layer], warnings };
}

/** Servers in another agent's own notation. */
async function serversOf(file: string, given: unknown, variables: Variables): Promise<OtherToolsConfig> {
  const mcpServers = serverEntries(given);
  if (Object.keys(mcpServers).length === 0) return nothing;
  return mcpServersOf(file, JSON.stringify({ mcpServers }), variables);
}

async function jsonOf(file: string, text: string): Promise<unknown> {
  const parsed = await parseJsonc(text, file);
  return parsed.type === 'parsed' ? parsed.document.value : undefined;
}
