/**
 * Sessions of many folders in one process, each under its own folder's configuration and trust.
 *
 * 1. A folder's configuration is read when a session there first needs it, and again on `renew`. Changes apply to
 *    later requests, and nothing that runs is stopped.
 * 2. Folders of one project share their parts, so an MCP server is started once.
 * 3. The first folder is used as given, with flags and `--config`.
 */
import type { LoadedConfig } from '../agents/config-layers.ts';
import { configPathToText } from '../agents/config-path.ts';
import type { Models } from '../runtime/capabilities.ts';
import type { AgentSource } from './agents/agent-source.ts';
import type { FolderParts } from './folder-parts.ts';
import { surroundingsOf, type SessionTools } from './tools/session-tools.ts';

export interface Folders {
  in(cwd: string): Promise<FolderParts>;
  /** Like `in`, but rereads the configuration, unless that just happened. */
  renew(cwd: string): Promise<FolderParts>;
  readonly agents: AgentSource;
  readonly models: Models['resolve'];
  readonly tools: SessionTools;
}

interface FoldersOptions {
  readonly first: { readonly cwd: string; readonly parts: FolderParts };
  /** Rejects with a `Fault` if the configuration has an error. */
  readonly load: (cwd: string) => Promise<LoadedConfig>;
  readonly make: (config: LoadedConfig) => FolderParts;
  readonly now: () => number;
}

interface Made {
  readonly parts: FolderParts;
  /** Computed when there is another configuration to compare with. */
  text: Promise<string> | undefined;
}

export function createFolders({ first, load, make, now }: FoldersOptions): Folders {
  const made: Made[] = [{ parts: first.parts, text: undefined }];
  const readAt = new Map<string, number>();
  const byFolder = new Map<string, Promise<FolderParts>>([[first.cwd, Promise.resolve(first.parts)]]);

  async function read(cwd: string): Promise<FolderParts> {
    const config = await load(cwd);
    const text = textOf(config);
    for (const entry of made.toReversed()) {
      entry.text ??= textOf(entry.parts.config);
      if ((await entry.text) === (await text)) return entry.parts;
    }
    const parts = make(config);
    made.push({ parts, text });
    return parts;
  }

  function renew(cwd: string): Promise<FolderParts> {
    const before = byFolder.get(cwd);
    if (before !== undefined && now() - (readAt.get(cwd) ?? -Infinity) < freshMs) return before;
    readAt.set(cwd, now());
    const reading = read(cwd);
    byFolder.set(cwd, reading);
    reading.catch(() => {
      // After an error, the previous configuration stays in effect. A folder that never had one is reread.
      if (byFolder.get(cwd) !== reading) return;
      if (before === undefined) byFolder.delete(cwd);
      else byFolder.set(cwd, before);
    });
    return reading;
  }

  const inFolder = (cwd: string) => byFolder.get(cwd) ?? renew(cwd);
  return {
    in: inFolder,
    renew,
    agents: { ...first.parts.agents, in: async (cwd) => (await inFolder(cwd)).agents },
    models: async (agent, cwd) => (await (await inFolder(cwd)).models()).resolve(agent),
    tools: {
      get: async (name, state, epoch) => (await inFolder(state.cwd)).tools.get(name, state, epoch),
      offered: async (state, epoch) => (await inFolder(state.cwd)).tools.offered(state, epoch),
      surroundings: async (state) => surroundingsOf((await inFolder(state.cwd)).tools, state),
      texts: async (place) => (await inFolder(place.cwd)).tools.texts?.(place),
      keeps: (session) => made.some(({ parts }) => parts.tools.keeps?.(session)),
      async release(session) {
        await Promise.all(made.map(async ({ parts }) => parts.tools.release?.(session)));
      },
      async [Symbol.asyncDispose]() {
        await Promise.all(made.map(({ parts }) => parts.tools[Symbol.asyncDispose]()));
      },
    },
  };
}

const freshMs = 500;

/** The parts of a configuration that a session may notice, without the positions of values in their files. */
async function textOf({
  config,
  policies,
  agentFiles,
  projectFiles,
  owners,
  project,
  trust,
  rules,
}: LoadedConfig) {
  const prompts = Object.entries(config.prompts ?? {}).map(([name, prompt]) =>
    typeof prompt === 'string' ? prompt : owners.get(configPathToText(['prompts', name]))?.readText(prompt.file),
  );
  const texts = await Promise.all([...agentFiles.map(({ read }) => read()), ...prompts]);
  const added = [...projectFiles].map(([file, { hash }]) => [file, hash]);
  return JSON.stringify([config, policies, agentFiles, added, project, trust.type, rules, texts]);
}
