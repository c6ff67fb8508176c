import type { CallFacts } from '../kernel/call.ts';
import type { ToolResult } from '../kernel/outcome.ts';
import type { Tool, ToolRun } from '../ports/tool.ts';

/** A tool for tests. Reads by default, so it runs unasked. */
export function testTool(
  name: string,
  run: (args: unknown, context: ToolRun) => ToolResult | string | Promise<ToolResult | string>,
  facts: Partial<CallFacts> = {},
): Tool {
  return {
    name,
    description: `The test tool ${name}.`,
    parameters: { type: 'object' },
    describe: () => ({ access: 'read', repeat: 'safe', order: 'parallel', runs: 'tool', ...facts }),
    async run(args, context) {
      const result = await run(args, context);
      return typeof result === 'string' ? { type: 'success', output: result } : result;
    },
  };
}
