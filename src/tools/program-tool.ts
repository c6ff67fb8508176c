// Tools from the embedding program: a schema and a function.
//
// 1. By default, a call counts as execution that must not be retried and that runs alone.
// 2. The function gets checked arguments. An exception becomes an error result; a `Fault` passes through.
import { z } from 'zod';

import type { CallFacts } from '../kernel/call.ts';
import { Fault } from '../kernel/fault.ts';
import { optional } from '../kernel/optional.ts';
import type { ToolResult } from '../kernel/outcome.ts';
import type { Tool, ToolContext, ToolRun } from '../ports/tool.ts';
import { argumentProblem, jsonSchemaOf, problemFacts } from './define/builtin-tool.ts';
import { failure, messageOf } from './define/tool-failure.ts';

interface ProgramTool<Schema extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  /** Labels that a machine must offer to run agents with this tool. */
  readonly needs?: readonly string[];
  run(args: z.output<Schema>, context: ToolRun): ToolAnswer | Promise<ToolAnswer>;
  /** Facts for the policy. Omitted ones keep their safe defaults. */
  readonly facts?:
    | Partial<CallFacts>
    | ((args: z.output<Schema>, context: ToolContext) => Partial<CallFacts> | Promise<Partial<CallFacts>>);
}

interface ProgramToolByJsonSchema {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of an object. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly needs?: readonly string[];
  run(args: Readonly<Record<string, unknown>>, context: ToolRun): ToolAnswer | Promise<ToolAnswer>;
  readonly facts?:
    | Partial<CallFacts>
    | ((
        args: Readonly<Record<string, unknown>>,
        context: ToolContext,
      ) => Partial<CallFacts> | Promise<Partial<CallFacts>>);
}

/** A whole result, a text, or any JSON value, which the model sees as JSON. */
export type ToolAnswer =
  | ToolResult
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly unknown[]
  | Readonly<Record<string, unknown>>;

export function defineTool<Schema extends z.ZodType>(definition: ProgramTool<Schema>): Tool;
export function defineTool(definition: ProgramToolByJsonSchema): Tool;
export function defineTool(definition: ProgramTool<z.ZodType> | ProgramToolByJsonSchema): Tool {
  const { name, description, schema, needs } = definition;
  const byZod = schema instanceof z.ZodType;
  const checker = byZod ? schema : checkerOf(schema);
  // The arguments were checked by this function's own schema, whichever of the two kinds it is.
  const program = definition as ProgramTool<z.ZodType>;
  const { facts } = program;
  return {
    name,
    description,
    parameters: byZod ? jsonSchemaOf(schema) : schema,
    ...optional({ needs }),
    describe: async (args, context) => {
      const checked = await checker.safeParseAsync(args ?? {});
      if (!checked.success) return problemFacts('invalid-arguments', argumentProblem(name, checked.error));
      const given = typeof facts === 'function' ? await facts(checked.data, context) : facts;
      return { ...SAFE, ...given };
    },
    run: async (args, context) => {
      const checked = await checker.safeParseAsync(args ?? {});
      if (!checked.success) return failure('invalid-arguments', argumentProblem(name, checked.error));
      if (context.signal.aborted) return { type: 'cancelled' };
      try {
        return resultOf(await orAborted(program.run(checked.data, context), context.signal));
      } catch (error) {
        if (error instanceof Fault) throw error;
        if (context.signal.aborted) return { type: 'cancelled' };
        return failure('tool-failed', `${name} failed: ${messageOf(error)}`);
      }
    },
  };
}

const SAFE: CallFacts = { access: 'execute', repeat: 'never', order: 'exclusive', runs: 'tool' };

// A function that ignores the signal is abandoned, never awaited.
async function orAborted<Value>(value: Value | Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(new Error('cancelled'));
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([value, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function resultOf(answer: ToolAnswer): ToolResult {
  if (typeof answer === 'string') return { type: 'success', output: answer };
  if (answer === undefined || answer === null) return { type: 'success', output: '' };
  if (isResult(answer)) return answer;
  return { type: 'success', output: JSON.stringify(answer, undefined, 2), data: answer };
}

const result = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('success'),
    output: z.union([z.string(), z.looseObject({ blob: z.string() })]),
  }),
  z.looseObject({
    type: z.literal('error'),
    code: z.string(),
    message: z.union([z.string(), z.looseObject({ blob: z.string() })]),
  }),
  z.looseObject({ type: z.literal('cancelled') }),
]);

function isResult(answer: unknown): answer is ToolResult {
  return result.safeParse(answer).success;
}

// The program's function checks what zod can't express.
function checkerOf(schema: Readonly<Record<string, unknown>>): z.ZodType {
  try {
    return z.fromJSONSchema(schema);
  } catch {
    return z.record(z.string(), z.unknown());
  }
}
