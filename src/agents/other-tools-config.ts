/**
 * What a project set up for other agents, as configuration: MCP servers of `.mcp.json`, and the rules of
 * `.claude/settings.json`. It counts like the project's own configuration, so it needs the project's trust, except
 * for what tightens. What Rondo can't use is a warning, never an error: the file isn't written for Rondo.
 */
import path from 'node:path';

import { parseConfig, type Variables } from './config-file.ts';
import { layerFromFile, layerFromValue, type ConfigLayer } from './config-layer.ts';
import { problemAt, wholeFile, type ConfigProblem } from './config-problem.ts';
import { rulesFromClaude } from './claude-rules.ts';
import type { ProjectFiles } from './project-files.ts';

interface OtherToolsConfig {
  readonly layers: readonly ConfigLayer[];
  readonly warnings: readonly ConfigProblem[];
}

export async function readOtherTools(
  { folder, files }: ProjectFiles,
  variables: Variables,
): Promise<OtherToolsConfig> {
  const parts = await Promise.all([
    read('.mcp.json', mcpServersOf),
    read('.claude/settings.json', async (file, text) => rulesOf(file, text)),
  ]);
  return { layers: parts.flatMap(({ layers }) => layers), warnings: parts.flatMap(({ warnings }) => warnings) };

  async function read(relative: string, as: Reader): Promise<OtherToolsConfig> {
    const text = files.get(relative)?.text;
    return text === undefined ? { layers: [], warnings: [] } : as(path.join(folder, relative), text, variables);
  }
}

type Reader = (file: string, text: string, variables: Variables) => Promise<OtherToolsConfig>;

async function mcpServersOf(file: string, text: string, variables: Variables): Promise<OtherToolsConfig> {
  const parsed = await parseConfig(text, file, variables);
  const warnings = parsed.type === 'invalid' ? parsed.problems : [];
  const config = parsed.type === 'read' ? parsed.file : parsed.type === 'invalid' ? parsed.rest : undefined;
  const mcpServers = config?.config.mcpServers;
  if (config === undefined || mcpServers === undefined) return { layers: [], warnings };
  // Only the servers: other keys of this file mean nothing, least of all rules.
  const layer = layerFromFile('project', { ...config, config: { mcpServers } }, async () => undefined);
  return { layers: [layer], warnings };
}

function rulesOf(file: string, text: string): OtherToolsConfig {
  const warn = (at: readonly (string | number)[], message: string) =>
    problemAt({ file, ...wholeFile }, at, 'bad-rule', message);
  let settings: unknown;
  try {
    settings = JSON.parse(text);
  } catch {
    return { layers: [], warnings: [warn([], "isn't valid JSON, so its rules have no effect.")] };
  }
  const { rules, unknown } = rulesFromClaude(settings);
  const warnings = unknown.map(({ list, text: rule }) =>
    warn(['permissions', list], `Rondo has no rule like "${rule}"; it has no effect.`),
  );
  const isEmpty = Object.values(rules).every((list) => list.length === 0);
  return { layers: isEmpty ? [] : [layerFromValue('project', file, { policies: { default: rules } })], warnings };
}
