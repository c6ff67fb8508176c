import type { ToolAccess } from '../kernel/permission.ts';
import { turnOf, type State } from '../kernel/state.ts';
import type { Delegation } from '../workers/delegate.ts';
import type { SessionTools } from './session-tools.ts';

/** The tools, and `delegate` beside them for sessions that may have workers. */
export function withDelegate(tools: SessionTools, delegation: () => Delegation): SessionTools {
  const isOffered = async (state: State) => mayUse(state, 'delegate') && (await delegation().isOffered(state));
  return {
    async get(name, state) {
      if (name !== 'delegate') return tools.get(name, state);
      return (await isOffered(state)) ? delegation().tool : undefined;
    },
    async offered(state) {
      const offered = await tools.offered(state);
      return (await isOffered(state)) ? [...offered, delegation().tool] : offered;
    },
    [Symbol.asyncDispose]: () => tools[Symbol.asyncDispose](),
  };
}

function mayUse(state: State, tool: string): boolean {
  const access: ToolAccess = (turnOf(state)?.agent ?? state.agent).tools ?? 'all';
  return access === 'all' || (access !== 'none' && access.only.includes(tool));
}
