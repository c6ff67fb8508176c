/** The tools of a session: built in, from MCP servers, and those a program brings. */
import type { ToolAccess } from '../kernel/permission.ts';
import type { State } from '../kernel/state.ts';
import { turnOf } from '../kernel/state.ts';
import type { Tools } from '../runtime/capabilities.ts';
import type { Tool } from '../runtime/tool.ts';

export interface SessionTools extends Tools, AsyncDisposable {}

/** Tools that are the same for every session. */
export function fixedTools(tools: readonly Tool[]): SessionTools {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    get: (name) => byName.get(name),
    offered: (state) => offeredTo(state, tools),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Tools that are made when a session first needs them; making them must not hold up opening one. */
export function lazyTools(make: () => Promise<SessionTools>): SessionTools {
  let made: Promise<SessionTools> | undefined;
  const tools = () => (made ??= make());
  return {
    get: async (name, state) => (await tools()).get(name, state),
    offered: async (state) => (await tools()).offered(state),
    [Symbol.asyncDispose]: async () => (await made)?.[Symbol.asyncDispose](),
  };
}

export function offeredTo(state: State, tools: readonly Tool[]): readonly Tool[] {
  const access: ToolAccess = (turnOf(state)?.agent ?? state.agent).tools ?? 'all';
  if (access === 'all') return tools;
  return access === 'none' ? [] : tools.filter((tool) => access.only.includes(tool.name));
}
