import type { FileBuffers } from '../../ports/tool.ts';
import type { ToolStage } from './tool-pipeline.ts';

interface LentBuffers {
  /** Replaces the files that a session's editor has open. Undefined ends it. */
  lend(session: string, buffers: FileBuffers | undefined): void;
  readonly stage: ToolStage;
}

/** File tools that work on what an editor shows, including unsaved changes, as long as the editor is connected. */
export function createLentBuffers(): LentBuffers {
  const lent = new Map<string, FileBuffers>();
  return {
    lend(session, buffers) {
      if (buffers === undefined) lent.delete(session);
      else lent.set(session, buffers);
    },
    stage: {
      name: 'buffers',
      apply(tool, state) {
        const buffers = lent.get(state.id);
        if (buffers === undefined || !fileTools.has(tool.name)) return tool;
        return {
          ...tool,
          describe: (args, context) => tool.describe(args, { ...context, buffers }),
          run: (args, context) => tool.run(args, { ...context, buffers }),
        };
      },
    },
  };
}

const fileTools: ReadonlySet<string> = new Set(['read', 'edit', 'write']);
