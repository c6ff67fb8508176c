import type { State } from '../../kernel/state.ts';
import type { Delegation, DelegationTool } from '../../workers/delegate.ts';
import { mayUse } from './session-tools.ts';
import type { ToolSource } from './tool-pipeline.ts';

/** `delegate` and `decide`, for sessions that may have workers. */
export function delegateSource(delegation: Delegation): ToolSource {
  const offered = async (state: State): Promise<readonly DelegationTool[]> =>
    mayUse(state, 'delegate') && (await delegation.isOffered(state)) ? delegation.tools : [];
  const names = new Set<string>(delegation.tools.map(({ name }) => name));
  return {
    offered,
    get: async (name, state) =>
      names.has(name) ? (await offered(state)).find((tool) => tool.name === name) : undefined,
  };
}
