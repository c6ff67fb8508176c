/**
 * Agents as Markdown files: the front matter configures the agent, the text below is its prompt, the file name is
 * its name.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { agentFromClaude } from './claude-agents.ts';
import { checkAgentFile } from './check-document.ts';
import type { PlaceOf } from './config-document.ts';
import { missingVariable, type Variables } from './config-file.ts';
import type { LayerName } from './config-layer.ts';
import { problemAt, wholeFile, type ConfigProblem } from './config-problem.ts';
import type { AgentFileEntry } from './config-schema.ts';
import { parseFrontMatter } from './front-matter.ts';
import type { ProjectFiles } from './project-files.ts';
import { substituteVariables } from './substitute-variables.ts';

/** An agent's file, listed by name and read on demand. */
export interface AgentFile {
  readonly name: string;
  readonly layer: LayerName;
  readonly file: string;
  readonly read: () => Promise<string | undefined>;
  /** Written for another agent, so that one of Rondo's with its name goes first. */
  readonly isAdopted?: boolean;
}

type ReadAgentFile =
  | { readonly type: 'read'; readonly entry: AgentFileEntry; readonly prompt: string; readonly placeOf: PlaceOf }
  | { readonly type: 'invalid'; readonly problems: readonly ConfigProblem[] };

/** The user's agents, in `$RONDO_HOME/agents/`. */
export async function findUserAgentFiles(home: string): Promise<readonly AgentFile[]> {
  const folder = path.join(home, 'agents');
  if (!existsSync(folder)) return [];
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((name) => {
      const file = path.join(folder, name);
      return {
        name: name.slice(0, -3),
        layer: 'user',
        file,
        read: () => readFile(file, 'utf8').catch(() => undefined),
      };
    });
}

/**
 * The project's agents, in `.rondo/agents/` and Claude Code's folder, with exactly the content that was hashed for
 * trust.
 */
export function findProjectAgentFiles(files: ProjectFiles): readonly AgentFile[] {
  const agents = [...files.files].flatMap(([relative, { text }]): AgentFile[] => {
    const [, folder, name] = /^\.(rondo|claude)\/agents\/([^/]+)\.md$/.exec(relative) ?? [];
    if (name === undefined) return [];
    const file = path.join(files.folder, relative);
    if (folder === 'rondo') return [{ name, layer: 'project', file, read: async () => text }];
    if (text === undefined || !/^[\w-]+$/.test(name) || builtIn.has(name)) return [];
    return [{ name, layer: 'project', file, read: () => agentFromClaude(text, file), isAdopted: true }];
  });
  const own = new Set(agents.flatMap(({ name, isAdopted }) => (isAdopted === true ? [] : [name])));
  return agents.filter(({ name, isAdopted }) => isAdopted !== true || !own.has(name));
}

/** Names that another tool's file doesn't give another meaning. */
const builtIn: ReadonlySet<string> = new Set(['assistant', 'testing']);

export async function readAgentFile(agent: AgentFile, variables: Variables): Promise<ReadAgentFile> {
  const { file } = agent;
  const invalid = (...problems: ConfigProblem[]): ReadAgentFile => ({ type: 'invalid', problems });
  const text = await agent.read();
  if (text === undefined) {
    return invalid(
      problemAt({ file, ...wholeFile }, [], 'unreadable', "can't read the file; it must be a plain text file."),
    );
  }
  const parsed = await parseFrontMatter(text, file);
  if (parsed.type === 'invalid') return parsed;
  const { document, body } = parsed;
  const { value, missing } =
    variables === 'left-alone'
      ? { value: document.value, missing: [] }
      : substituteVariables(document.value, variables.from);
  if (missing.length > 0) {
    return invalid(
      ...missing.map(({ path, variable }) =>
        problemAt({ file, ...document.placeOf(path) }, path, 'missing-variable', missingVariable(variable)),
      ),
    );
  }
  const checked = await checkAgentFile({ ...document, value });
  if (checked.type === 'invalid') return checked;
  const entry = checked.value;
  if (entry.name !== undefined && entry.name !== agent.name) {
    const message = `the file declares the name "${agent.name}"; the name must match the file name.`;
    return invalid(
      problemAt({ file, ...document.placeOf(['name']) }, ['name'], 'wrong-type', message, agent.name),
    );
  }
  if (body === '' && entry.command === undefined) {
    return invalid(
      problemAt({ file, ...wholeFile }, [], 'wrong-type', 'the prompt below the front matter is missing.'),
    );
  }
  return { type: 'read', entry, prompt: body, placeOf: document.placeOf };
}
