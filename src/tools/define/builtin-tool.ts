// The common base of all built-in tools.
//
// 1. The schema shown to the model is the one that checks the arguments.
// 2. Invalid arguments are a problem in the facts. If the call runs anyway, they cause an error result that names
//    the argument.
// 3. `run` settles as `cancelled` without doing anything if the call was cancelled before it started.
// 4. Schemas are created on the first check. A build contains their JSON, so that a start creates none.
import { z } from 'zod';

import type { CallFacts } from '../../kernel/call.ts';
import { Fault } from '../../kernel/fault.ts';
import type { ToolResult } from '../../kernel/outcome.ts';
import type { Tool, ToolContext, ToolEnd, ToolRun } from '../../ports/tool.ts';
import { failure, messageOf } from './tool-failure.ts';

interface BuiltinDefinition<Schema extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly schema: () => Schema;
  describe(args: z.output<Schema>, context: ToolContext): CallFacts | Promise<CallFacts>;
  run(args: z.output<Schema>, context: ToolRun): Promise<ToolEnd>;
}

/** Inserted by the build: the parameters of every built-in tool. */
declare const RONDO_TOOL_PARAMETERS: Readonly<Record<string, Record<string, unknown>>> | undefined;

export function builtinTool<Schema extends z.ZodType>(definition: BuiltinDefinition<Schema>): Tool {
  const { name, description } = definition;
  let made: Schema | undefined;
  const schema = () => (made ??= definition.schema());
  const check = (args: unknown) => schema().safeParse(args ?? {});
  const built = typeof RONDO_TOOL_PARAMETERS === 'undefined' ? undefined : RONDO_TOOL_PARAMETERS[name];
  return {
    name,
    description,
    parameters: built ?? jsonSchemaOf(schema()),
    describe: (args, context) => {
      const checked = check(args);
      if (!checked.success) return problemFacts('invalid-arguments', argumentProblem(name, checked.error));
      return definition.describe(checked.data, context);
    },
    run: async (args, context) => {
      const checked = check(args);
      if (!checked.success) return failure('invalid-arguments', argumentProblem(name, checked.error));
      if (context.signal.aborted) return { type: 'cancelled' };
      try {
        const result = await definition.run(checked.data, context);
        return context.signal.aborted ? asCancelled(result) : result;
      } catch (error) {
        if (error instanceof Fault) throw error;
        if (context.signal.aborted) return { type: 'cancelled' };
        throw new Fault('internal', `Tool ${name} failed unexpectedly: ${messageOf(error)}`, { cause: error });
      }
    },
  };
}

/** Placeholder for facts that couldn't be determined. The call never runs. */
export function problemFacts(code: string, message: string): CallFacts {
  return { access: 'execute', repeat: 'never', order: 'exclusive', runs: 'tool', problem: { code, message } };
}

/** The JSON Schema of an object schema, in the form that models expect. */
export function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}

export function argumentProblem(tool: string, error: z.ZodError): string {
  const problems = error.issues.map((issue) => {
    const place = issue.path.join('.');
    return place === '' ? issue.message : `${place}: ${issue.message}`;
  });
  return `Invalid arguments for ${tool}: ${problems.join('; ')}. Call it again with corrected arguments.`;
}

// Keeps a result that was ready before the cancellation took effect as partial output.
function asCancelled(result: ToolResult): ToolResult {
  if (result.type === 'success') return { type: 'cancelled', output: result.output };
  return result.type === 'cancelled' ? result : { type: 'cancelled' };
}
