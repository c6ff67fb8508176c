/** Every command that a project's configuration would start once trusted, and every server it would reach, as written. */
import { findProjectAgentFiles, readAgentFile } from './agent-files.ts';
import { configPathToText } from './config-path.ts';
import { readOtherTools } from './other-tools-config.ts';
import { readProjectConfig } from './project-config.ts';
import type { Environment } from '../ports/environment.ts';
import type { ProjectFiles } from './project-files.ts';
import { substituteVariables } from './substitute-variables.ts';

export interface ProjectCommand {
  /** Its path, such as `mcpServers.tickets`. */
  readonly path: string;
  /** For a server, `connects to` and its address. */
  readonly command: string;
  /** Names of the variables set for it. Values may be secrets. */
  readonly variables: readonly string[];
  /** Names of the user's own variables that it would receive. */
  readonly receives: readonly string[];
}

export async function projectCommands(files: ProjectFiles): Promise<readonly ProjectCommand[]> {
  const read = await readProjectConfig(files, 'left-alone');
  const config = read.type === 'read' ? read.file.config : read.type === 'invalid' ? read.rest?.config : undefined;
  const commands: ProjectCommand[] = [];
  const { layers } = await readOtherTools(files, 'left-alone');
  for (const part of [...layers.map((layer) => layer.config), ...(config === undefined ? [] : [config])]) {
    for (const group of ['mcpServers', 'acpAgents', 'agents', 'endpoints'] as const) {
      for (const [name, entry] of Object.entries(part[group] ?? {})) {
        commands.push(...commandIn([group, name], entry));
      }
    }
  }
  for (const [index, command] of (config?.worktrees?.setUp ?? []).entries()) {
    commands.push({
      path: configPathToText(['worktrees', 'setUp', index]),
      command,
      variables: [],
      receives: referencedVariables(command),
    });
  }
  for (const file of findProjectAgentFiles(files)) {
    const agent = await readAgentFile(file, 'left-alone');
    if (agent.type === 'read') commands.push(...commandIn(['agents', file.name], agent.entry));
  }
  return commands;
}

interface Started {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly baseUrl?: string;
}

function commandIn(path: readonly string[], entry: Started): readonly ProjectCommand[] {
  const { command, args = [], env = {}, baseUrl, url = baseUrl } = entry;
  const place = { path: configPathToText(path), receives: referencedVariables(entry) };
  if (command !== undefined)
    return [{ ...place, command: [command, ...args.map(quoted)].join(' '), variables: Object.keys(env) }];
  return url === undefined ? [] : [{ ...place, command: `connects to ${url}`, variables: [] }];
}

/** Every variable of the environment that a value refers to, wherever it stands in it. */
function referencedVariables(value: unknown): readonly string[] {
  const none: Environment = {};
  return [...new Set([...substituteVariables(value, none).variables.values()].flat())];
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}
