/**
 * A session's tools: a list of sources, and a list of stages that every call passes.
 *
 * 1. Sources are asked in order. A name belongs to the first source that has it.
 * 2. A call is described by its tool, judged by the kernel, then run through the stages: `redact` removes secrets from
 *    its output, `buffers` gives file tools an editor's unsaved text, `lease` refuses it if another session works in the folder. The last stage runs first.
 */
import type { State } from '../../kernel/state.ts';
import type { Tool } from '../../ports/tool.ts';
import type { Tools } from '../../runtime/capabilities.ts';
import { redactTool, type ToolRedaction } from '../../tools/define/redact-tool.ts';
import { joinTexts } from '../../tools/mcp/server-texts.ts';
import { surroundingsOf, type SessionTools } from './session-tools.ts';

/** Some of a session's tools. */
export type ToolSource = Tools & Partial<Omit<SessionTools, keyof Tools>>;

export interface ToolStage {
  readonly name: 'redact' | 'buffers' | 'lease';
  apply(tool: Tool, state: State): Tool | Promise<Tool>;
}

export function redactStage(redaction: ToolRedaction): ToolStage {
  return { name: 'redact', apply: (tool) => redactTool(tool, redaction) };
}

export function toolPipeline(sources: readonly ToolSource[], stages: readonly ToolStage[] = []): SessionTools {
  return {
    async get(name, state, epoch) {
      for (const source of sources) {
        let tool = await source.get(name, state, epoch);
        if (tool === undefined) continue;
        for (const stage of stages) tool = await stage.apply(tool, state);
        return tool;
      }
      return undefined;
    },
    async offered(state, epoch) {
      const byName = new Map<string, Tool>();
      for (const source of sources)
        for (const tool of await source.offered(state, epoch))
          if (!byName.has(tool.name)) byName.set(tool.name, tool);
      return [...byName.values()];
    },
    async surroundings(state) {
      const all = await Promise.all(sources.map((source) => surroundingsOf(source, state)));
      const mcpServers = Object.assign({}, ...all.map((one) => one.mcpServers).toReversed());
      return Object.assign({}, ...all.toReversed(), { mcpServers });
    },
    async texts(place) {
      const all = await Promise.all(sources.map(async (source) => source.texts?.(place)));
      const servers = all.filter((texts) => texts !== undefined);
      return servers.length === 0 ? undefined : joinTexts(servers);
    },
    async release(session) {
      await Promise.all(sources.map(async (source) => source.release?.(session)));
    },
    keeps: (session) => sources.some((source) => source.keeps?.(session)),
    async [Symbol.asyncDispose]() {
      await Promise.all(sources.map(async (source) => source[Symbol.asyncDispose]?.()));
    },
  };
}
