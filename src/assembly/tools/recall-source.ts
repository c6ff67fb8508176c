import type { Blobs } from '../../ports/blobs.ts';
import type { Tool } from '../../ports/tool.ts';
import { offeredTo } from './session-tools.ts';
import type { ToolSource } from './tool-pipeline.ts';

/** `recall`, which lets a model read the rest of truncated output. */
export function recallSource(blobs: Pick<Blobs, 'get'>): ToolSource {
  let made: Promise<Tool> | undefined;
  const load = async () => {
    const { createRecallTool } = await import('../../tools/talk/recall-tool.ts');
    return createRecallTool({ read: (ref) => blobs.get(ref) });
  };
  const offered: ToolSource['offered'] = async (state) => offeredTo(state, [await (made ??= load())]);
  return {
    offered,
    get: async (name, state) => (name === 'recall' ? (await offered(state))[0] : undefined),
  };
}
