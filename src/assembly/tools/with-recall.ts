import type { Blobs } from '../../ports/blobs.ts';
import type { State } from '../../kernel/state.ts';
import type { Tool } from '../../ports/tool.ts';
import { offeredTo, surroundingsOf, type SessionTools } from './session-tools.ts';

/** Adds `recall`, which lets a model read the rest of truncated output. */
export function withRecall(tools: SessionTools, blobs: () => Pick<Blobs, 'get'>): SessionTools {
  let made: Promise<Tool> | undefined;
  const load = async () => {
    const { createRecallTool } = await import('../../tools/talk/recall-tool.ts');
    return createRecallTool({ read: (ref) => blobs().get(ref) });
  };
  const recall = async (state: State) => offeredTo(state, [await (made ??= load())]);
  return {
    async get(name, state, epoch) {
      return name === 'recall' ? (await recall(state))[0] : tools.get(name, state, epoch);
    },
    async offered(state, epoch) {
      return [...(await tools.offered(state, epoch)), ...(await recall(state))];
    },
    surroundings: (state) => surroundingsOf(tools, state),
    release: async (session) => tools.release?.(session),
    keeps: (session) => tools.keeps?.(session) ?? false,
    [Symbol.asyncDispose]: () => tools[Symbol.asyncDispose](),
  };
}
