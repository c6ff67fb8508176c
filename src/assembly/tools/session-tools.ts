/** A session's tools: built-in, from MCP servers, and from the program. */
import type { ToolAccess } from '../../kernel/agent.ts';
import type { State } from '../../kernel/state.ts';
import { turnOf } from '../../kernel/state.ts';
import type { Tools } from '../../runtime/capabilities.ts';
import type { Tool } from '../../ports/tool.ts';
import type { CommandSandbox } from '../../security/sandbox/command-sandbox.ts';
import type { ServerTexts } from '../../tools/mcp/server-texts.ts';
import type { McpServersConfig } from '../../tools/mcp/server-config.ts';

export interface SessionTools extends Tools, AsyncDisposable {
  /** For agents with their own tools. */
  surroundings?(state: State): Surroundings | Promise<Surroundings>;
  /** What the session's MCP servers offer to people. Undefined without servers. */
  texts?(place: Pick<State, 'id' | 'cwd'>): Promise<ServerTexts | undefined>;
}

/** The environment of an agent's own tools, beyond the files. */
export interface Surroundings {
  readonly mcpServers: McpServersConfig;
  /** Where commands run on its behalf. */
  readonly sandbox?: CommandSandbox;
}

const noSurroundings: Surroundings = { mcpServers: {} };

export async function surroundingsOf(
  tools: Pick<SessionTools, 'surroundings'>,
  state: State,
): Promise<Surroundings> {
  return (await tools.surroundings?.(state)) ?? noSurroundings;
}

/** Tools that are the same for every session. */
export function fixedTools(tools: readonly Tool[]): SessionTools {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    get: (name) => byName.get(name),
    offered: (state) => offeredTo(state, tools),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Creates tools when a session first needs them, so that opening a session doesn't wait for them. */
export function lazyTools(make: () => Promise<SessionTools>): SessionTools {
  let made: Promise<SessionTools> | undefined;
  let ready: SessionTools | undefined;
  const tools = () =>
    (made ??= make().then((all) => {
      ready = all;
      return all;
    }));
  return {
    get: async (...asked) => (await tools()).get(...asked),
    offered: async (...asked) => (await tools()).offered(...asked),
    surroundings: async (state) => surroundingsOf(await tools(), state),
    texts: async (place) => (await tools()).texts?.(place),
    release: async (session) => (await made)?.release?.(session),
    keeps: (session) => ready?.keeps?.(session) ?? false,
    [Symbol.asyncDispose]: async () => (await made)?.[Symbol.asyncDispose](),
  };
}

export function offeredTo(state: State, tools: readonly Tool[]): readonly Tool[] {
  return tools.filter(({ name }) => mayUse(state, name));
}

/** True if the agent of the present turn has the tool. */
export function mayUse(state: State, tool: string): boolean {
  return allows((turnOf(state)?.agent ?? state.agent).tools, tool);
}

export function allows(access: ToolAccess = 'all', tool: string): boolean {
  return access === 'all' || (access !== 'none' && access.only.includes(tool));
}
