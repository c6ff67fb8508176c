// The tools of a session, by name.
//
// 1. A name refers to one tool at a time.
// 2. `describeCall` always returns: a missing tool, arguments that aren't JSON or don't fit, and a `describe` that
//    throws or never ends become a problem in the facts, which is a denial.
import type { CallFacts } from '../kernel/call.ts';
import { invariant } from '../kernel/invariant.ts';
import type { ToolAccess } from '../kernel/agent.ts';
import { isJsonObject } from '../kernel/json-object.ts';
import type { Tool, ToolContext, ToolSpec } from '../ports/tool.ts';
import { problemFacts } from './define/builtin-tool.ts';
import { messageOf } from './define/tool-failure.ts';

interface ToolRegistry {
  get(name: string): Tool | undefined;
  /** The tools that a model may use, as it sees them. */
  list(access?: ToolAccess): readonly ToolSpec[];
  add(tool: Tool): 'added' | 'name-taken' | 'bad-name';
  remove(name: string): boolean;
  /** The facts of a call as the model wrote it, and its arguments if they are JSON. */
  describeCall(name: string, argsText: string, context: ToolContext): Promise<CallDescription>;
}

interface CallDescription {
  readonly facts: CallFacts;
  readonly args: unknown;
}

/** Providers accept no other names. */
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const DESCRIBE_MS = 10_000;

export function createToolRegistry(
  tools: readonly Tool[],
  options: { readonly describeMs?: number } = {},
): ToolRegistry {
  const byName = new Map<string, Tool>();
  const registry: ToolRegistry = {
    get: (name) => byName.get(name),
    list: (access = 'all') => [...byName.values()].filter(({ name }) => isOffered(access, name)).map(specOf),
    add: (tool) => {
      if (!TOOL_NAME.test(tool.name)) return 'bad-name';
      if (byName.has(tool.name)) return 'name-taken';
      byName.set(tool.name, tool);
      return 'added';
    },
    remove: (name) => byName.delete(name),
    describeCall: async (name, argsText, context) => {
      const tool = byName.get(name);
      if (tool === undefined)
        return { facts: problemFacts('unknown-tool', unknownTool(name, [...byName.keys()])), args: undefined };
      const parsed = parseArgs(argsText);
      if (parsed.type === 'invalid') {
        const message = `Invalid arguments for ${name}: not a JSON object (${parsed.message}). Call it again with valid JSON.`;
        return { facts: problemFacts('invalid-json', message), args: undefined };
      }
      return {
        facts: await describeSafely(tool, parsed.args, context, options.describeMs ?? DESCRIBE_MS),
        args: parsed.args,
      };
    },
  };
  for (const tool of tools)
    invariant(registry.add(tool) === 'added', `tools: ${tool.name} is a good name and used once`);
  return registry;
}

async function describeSafely(tool: Tool, args: unknown, context: ToolContext, limit: number): Promise<CallFacts> {
  const { promise, resolve } = Promise.withResolvers<CallFacts>();
  const timer = setTimeout(
    () =>
      resolve(
        problemFacts(
          'describe-failed',
          `${tool.name} didn't describe this call within ${limit / 1000} s, so it can't be checked.`,
        ),
      ),
    limit,
  );
  try {
    return await Promise.race([tool.describe(args, context), promise]);
  } catch (error) {
    return problemFacts(
      'describe-failed',
      `${tool.name} can't describe this call, so it can't be checked: ${messageOf(error)}`,
    );
  } finally {
    clearTimeout(timer);
  }
}

type ParsedArgs =
  | { readonly type: 'parsed'; readonly args: object }
  | { readonly type: 'invalid'; readonly message: string };

// Models leave the text empty if a tool needs no arguments.
function parseArgs(text: string): ParsedArgs {
  try {
    const args: unknown = text.trim() === '' ? {} : JSON.parse(text);
    if (isJsonObject(args)) return { type: 'parsed', args };
    return { type: 'invalid', message: 'it is a different type' };
  } catch (error) {
    return { type: 'invalid', message: messageOf(error) };
  }
}

function specOf({ name, description, parameters }: Tool): ToolSpec {
  return { name, description, parameters };
}

function isOffered(access: ToolAccess, name: string): boolean {
  return access === 'all' || (access !== 'none' && access.only.includes(name));
}

function unknownTool(name: string, names: readonly string[]): string {
  const wanted = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  const near = names.filter(
    (each) =>
      each
        .toLowerCase()
        .replaceAll(/[^a-z]/g, '')
        .includes(wanted) || wanted.includes(each.replaceAll('_', '')),
  );
  const hint =
    near.length > 0
      ? `Did you mean ${near.slice(0, 3).join(' or ')}?`
      : `Available tools: ${names.slice(0, 40).join(', ')}.`;
  return `There is no tool ${JSON.stringify(name)}. ${hint}`;
}
