import type { Body } from '../../kernel/content.ts';
import { optional } from '../../kernel/optional.ts';
import type { ToolResult } from '../../kernel/outcome.ts';
import type { Tool, ToolEnd } from '../../ports/tool.ts';
import type { TextFilter } from '../../security/secrets/redact.ts';

/** Removes secrets from whole texts and from text that arrives in pieces. */
export interface ToolRedaction {
  readonly whole: TextFilter;
  readonly stream: () => { readonly push: TextFilter; readonly end: () => string };
}

/** Wraps a tool so that its results and progress contain no secrets. */
export function redactTool(tool: Tool, redaction: ToolRedaction): Tool {
  return {
    ...tool,
    run: async (args, context) => {
      const stream = redaction.stream();
      const say = (text: string): void => {
        if (text !== '') context.progress(text);
      };
      const result = await tool.run(args, { ...context, progress: (text) => say(stream.push(text)) });
      say(stream.end());
      return redactResult(result, redaction.whole);
    },
  };
}

function redactResult({ followUps, ...result }: ToolEnd, filter: TextFilter): ToolEnd {
  // Drops changes that contain a secret: the question and the journal would show it.
  const offered = followUps?.filter(({ args }) => filter(JSON.stringify(args)) === JSON.stringify(args));
  return { ...redactedResult(result, filter), ...optional({ followUps: offered }) };
}

function redactedResult(result: ToolResult, filter: TextFilter): ToolResult {
  const body = (text: Body): Body =>
    typeof text === 'string' ? filter(text) : { ...text, preview: filter(text.preview) };
  switch (result.type) {
    case 'success':
      return {
        ...result,
        output: body(result.output),
        ...(result.data !== undefined && { data: redactData(result.data, filter) }),
      };
    case 'error':
      return { ...result, message: body(result.message) };
    case 'cancelled':
      return { ...result, ...(result.output !== undefined && { output: body(result.output) }) };
  }
}

function redactData(data: unknown, filter: TextFilter): unknown {
  if (typeof data === 'string') return filter(data);
  if (Array.isArray(data)) return data.map((item) => redactData(item, filter));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, redactData(value, filter)]));
}
