/** Agents from the ACP registry: search, add, update and remove. */
import { agrees } from '../agrees.ts';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';

import { installAgent, platformName, sourceOf, type Source } from '../../acp/registry/install-agent.ts';
import { agentsFolder, readInstalled, writeInstalled } from '../../acp/registry/installed-agents.ts';
import { matching, parseRegistry, type Registry, type RegistryAgent } from '../../acp/registry/registry.ts';
import { nearestName } from '../../kernel/nearest-name.ts';
import { visibleLine } from '../../views/visible-text.ts';
import { printJson } from '../print-json.ts';
import { printTable } from '../print-table.ts';
import { configurationError, usageError } from '../usage-error.ts';

export interface RegistryPlace {
  readonly home: string;
  /** A file or an HTTPS address. */
  readonly registry: string;
  readonly isAgreed: boolean;
  readonly isJson: boolean;
}

export const defaultRegistry = 'https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json';

export async function searchAgents(place: RegistryPlace, words = ''): Promise<number> {
  const registry = await readRegistry(place.registry);
  const installed = await readInstalled(place.home);
  const rows = matching(registry, words).map(({ id, version, description }) => ({
    name: id,
    version,
    installed: installed[id]?.version ?? '',
    description: visibleLine(description),
  }));
  if (place.isJson) printJson({ agents: rows, problems: registry.problems });
  else if (rows.length === 0) console.log('No matching agents');
  else {
    const columns = ['agent', 'version', 'installed', { title: 'what it is', gives: true }] as const;
    const lines = rows.map((row) => [row.name, row.version, row.installed, row.description]);
    printTable(columns, lines);
  }
  return 0;
}

export async function addAgent(place: RegistryPlace, name: string | undefined): Promise<number> {
  const { home } = place;
  const agent = named(await readRegistry(place.registry), name);
  const installed = await readInstalled(home);
  const before = installed[agent.id];
  if (before?.version === agent.version) {
    console.log(`${agent.id} ${agent.version} is already installed.`);
    return 0;
  }
  const source = sourceOf(agent, platformName());
  if (source === undefined)
    throw configurationError(`${agent.id} has no npm package and no archive for ${platformName()}`);
  tellPlan(agent, source, before?.version);
  const agreed = await agreement(place, `Install ${agent.id} ${agent.version}?`);
  if (agreed !== 0) return agreed;
  const folder = path.join(agentsFolder(home), agent.id, agent.version);
  const result = await installAgent(source, folder);
  if (typeof result === 'string') {
    console.error(`rondo agents: ${agent.id} wasn't installed: ${visibleLine(result)}`);
    return 1;
  }
  const { args, env } = source;
  const entry = { title: agent.name, version: agent.version, folder, args: [...args], env: { ...env }, ...result };
  await writeInstalled(home, { ...installed, [agent.id]: entry });
  if (before !== undefined && before.folder !== folder) await rm(before.folder, { recursive: true, force: true });
  if (place.isJson) printJson({ name: agent.id, ...entry });
  else
    console.log(
      `Installed ${agent.id} ${agent.version} (${result.integrity}).\nTry: rondo run --agent ${agent.id} …`,
    );
  return 0;
}

export async function updateAgent(place: RegistryPlace, name: string | undefined): Promise<number> {
  const installed = await readInstalled(place.home);
  if (name === undefined || installed[name] === undefined) throw notInstalled(name, Object.keys(installed));
  return await addAgent(place, name);
}

export async function removeAgent({ home, isJson }: RegistryPlace, name: string | undefined): Promise<number> {
  const { [name ?? '']: agent, ...others } = await readInstalled(home);
  if (name === undefined || agent === undefined) throw notInstalled(name, Object.keys(others));
  await writeInstalled(home, others);
  await rm(path.join(agentsFolder(home), name), { recursive: true, force: true });
  if (isJson) printJson({ name, removed: agent.version });
  else console.log(`Removed ${name} ${agent.version}.`);
  return 0;
}

async function readRegistry(place: string): Promise<Registry> {
  let text: string;
  try {
    text = place.startsWith('https:') ? await (await fetchRegistry(place)).text() : await readFile(place, 'utf8');
  } catch (error) {
    throw configurationError(`Can't read the registry ${place}: ${(error as Error).message}. Use --registry FILE`);
  }
  const registry = parseRegistry(text);
  if (typeof registry === 'string') throw configurationError(`Can't use the registry ${place}: ${registry}`);
  return registry;
}

async function fetchRegistry(place: string): Promise<Response> {
  const answer = await fetch(place, { signal: AbortSignal.timeout(60_000) });
  if (!answer.url.startsWith('https:')) throw new Error(`it redirects to ${answer.url}`);
  if (!answer.ok) throw new Error(`it answered with ${answer.status}`);
  return answer;
}

function named({ agents, problems }: Registry, name: string | undefined): RegistryAgent {
  if (name === undefined) throw usageError('Name an agent. List them with `rondo agents search`.');
  const entry = agents.find(({ id }) => id === name);
  if (entry !== undefined) return entry;
  const bad = problems.find((problem) => problem.startsWith(`${name}: `));
  if (bad !== undefined) throw configurationError(`The registry's entry for ${bad}`);
  const nearest = nearestName(
    name,
    agents.map(({ id }) => id),
  );
  const hint = nearest === undefined ? 'List them with `rondo agents search`.' : `Did you mean ${nearest}?`;
  throw usageError(`The registry has no agent ${name}. ${hint}`);
}

function notInstalled(name: string | undefined, names: readonly string[]): Error {
  const list = names.length === 0 ? 'None is installed.' : `Installed: ${names.join(', ')}.`;
  return usageError(
    `${name === undefined ? 'Name an agent.' : `${name} isn't installed from a registry.`} ${list}`,
  );
}

/** The risk of a yes: Rondo doesn't confine an agent's process. */
function tellPlan(agent: RegistryAgent, source: Source, before: string | undefined): void {
  const from = source.type === 'npm' ? `npm package ${source.package}, without install scripts` : source.archive;
  const lines = [
    `${visibleLine(agent.name)} ${agent.version}${before === undefined ? '' : ` (installed: ${before})`}`,
    `  From: ${visibleLine(from)}`,
    ...(agent.repository === undefined ? [] : [`  Source: ${visibleLine(agent.repository)}`]),
    `  Starts with: ${visibleLine(source.args.join(' ')) || '(no arguments)'}`,
    ...Object.entries(source.env).map(([variable, value]) => `  Sets: ${visibleLine(`${variable}=${value}`)}`),
    '  Its process runs with your rights. Rondo confines only the commands it runs through Rondo.',
  ];
  console.error(lines.join('\n'));
}

/** 0 if the person agreed, else the exit code. */
async function agreement({ isAgreed }: RegistryPlace, question: string): Promise<0 | 1 | 3> {
  if (isAgreed) return 0;
  if (!(process.stdin.isTTY && process.stderr.isTTY)) {
    console.error('rondo agents: no terminal to ask in. Pass --yes to install it.');
    return 3;
  }
  if (await agrees(question)) return 0;
  console.error('Not installed.');
  return 1;
}
