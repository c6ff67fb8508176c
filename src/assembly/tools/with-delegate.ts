import type { ToolAccess } from '../../kernel/agent.ts';
import { turnOf, type State } from '../../kernel/state.ts';
import type { Delegation, DelegationTool } from '../../workers/delegate.ts';
import { surroundingsOf, type SessionTools } from './session-tools.ts';

/** Adds `delegate` and `decide` for sessions that may have workers. */
export function withDelegate(tools: SessionTools, delegation: () => Delegation): SessionTools {
  const offeredTo = async (state: State): Promise<readonly DelegationTool[]> =>
    mayUse(state, 'delegate') && (await delegation().isOffered(state)) ? delegation().tools : [];
  return {
    async get(name, state, epoch) {
      if (name !== 'delegate' && name !== 'decide') return tools.get(name, state, epoch);
      return (await offeredTo(state)).find((tool) => tool.name === name);
    },
    async offered(state, epoch) {
      return [...(await tools.offered(state, epoch)), ...(await offeredTo(state))];
    },
    surroundings: (state) => surroundingsOf(tools, state),
    release: async (session) => tools.release?.(session),
    keeps: (session) => tools.keeps?.(session) ?? false,
    [Symbol.asyncDispose]: () => tools[Symbol.asyncDispose](),
  };
}

function mayUse(state: State, tool: string): boolean {
  const access: ToolAccess = (turnOf(state)?.agent ?? state.agent).tools ?? 'all';
  return access === 'all' || (access !== 'none' && access.only.includes(tool));
}
