import { methods, type AgentContext, type ClientCapabilities } from '@agentclientprotocol/sdk';

import type { FileBuffers } from '../../ports/tool.ts';

/**
 * The editor's files, with unsaved changes. Undefined if the editor doesn't offer them. An editor that fails or
 * doesn't answer in time leaves the file on disk to Rondo.
 */
export function editorBuffers(
  sessionId: string,
  client: AgentContext,
  { fs }: ClientCapabilities,
): FileBuffers | undefined {
  if (fs?.readTextFile !== true) return undefined;
  return {
    async read(path) {
      try {
        const patience = { cancellationSignal: AbortSignal.timeout(PATIENCE_MS) };
        const { content } = await client.request(methods.client.fs.readTextFile, { sessionId, path }, patience);
        return content;
      } catch {
        return undefined;
      }
    },
    async write(path, content) {
      if (fs.writeTextFile !== true) return false;
      try {
        const patience = { cancellationSignal: AbortSignal.timeout(PATIENCE_MS) };
        await client.request(methods.client.fs.writeTextFile, { sessionId, path, content }, patience);
        return true;
      } catch {
        return false;
      }
    },
  };
}

const PATIENCE_MS = 10_000;
