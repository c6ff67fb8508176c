import type { Call, CallFacts, RequestedCall } from '../kernel/call.ts';
import type { CallId, SessionId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import { fileRulesAmong } from '../kernel/policy/file-rules.ts';
import { withManaged } from '../kernel/policy/permission.ts';
import type { State } from '../kernel/state.ts';
import type { Capabilities, Tools } from './capabilities.ts';
import type { EffectHost } from '../ports/effect-host.ts';
import { together } from './together.ts';
import type { Tool, ToolContext } from '../ports/tool.ts';

/**
 * Computes the facts that the gate evaluates. A call whose facts are unavailable carries the problem and never
 * runs. `areNew`: they are a whole reply of the model, and none has run.
 */
export function describeCalls(
  calls: readonly RequestedCall[],
  host: EffectHost,
  capabilities: Pick<Capabilities, 'tools' | 'briefing' | 'managedRules' | 'checkpoints'>,
  session: SessionId,
  { areNew = false }: { readonly areNew?: boolean } = {},
): readonly Call[] | Promise<readonly Call[]> {
  const { state } = host;
  const { managedRules = [] } = capabilities;
  const { checkpoints } = capabilities;
  const context: ToolContext = {
    session,
    agent: state.agent.name,
    cwd: state.cwd,
    roots: capabilities.briefing.roots(state),
    fileRules: fileRulesAmong([...managedRules, ...state.rules]),
    ...(checkpoints?.canTakeAll !== undefined && {
      keepsFiles: async () => (await checkpoints.canTakeAll?.(state)) === true,
    }),
  };
  const described: (Call | Promise<Call>)[] = [];
  for (const call of calls) {
    const before = [...described];
    const earlier = async () => (await together(...before)).map(({ facts }) => facts);
    const own = areNew ? { ...context, earlier } : context;
    const tool = capabilities.tools.get(call.tool, state, host.epoch);
    const facts =
      tool instanceof Promise
        ? tool.then((definition) => factsOf(definition, call, host, capabilities, own))
        : factsOf(tool, call, host, capabilities, own);
    const managed = (given: CallFacts) => callWith(call, withManaged(call.tool, given, managedRules));
    described.push(facts instanceof Promise ? facts.then(managed) : managed(facts));
  }
  return together(...described);
}

function callWith({ id, tool, args, after, priority }: RequestedCall, facts: CallFacts): Call {
  const call = { id: id as CallId, tool, args, facts };
  if (after === undefined && priority === undefined) return call;
  return {
    ...call,
    ...(after !== undefined && { after: after as readonly CallId[] }),
    ...optional({ priority }),
  };
}

function factsOf(
  tool: Tool | undefined,
  { tool: name, args }: RequestedCall,
  { state }: EffectHost,
  { tools }: Pick<Capabilities, 'tools'>,
  context: ToolContext,
): CallFacts | Promise<CallFacts> {
  if (tool === undefined) return unknownTool(name, tools, state);
  let parsed: unknown;
  try {
    parsed = JSON.parse(args === '' ? '{}' : args);
  } catch (error) {
    return problem(
      'invalid-arguments',
      `The arguments of ${name} are not valid JSON: ${(error as Error).message}.`,
    );
  }
  const undescribed = (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    return problem(
      'undescribed',
      `Rondo couldn't determine what ${name} would do (${message}), so it wasn't run.`,
    );
  };
  try {
    const facts = tool.describe(parsed, context);
    return facts instanceof Promise ? facts.catch(undescribed) : facts;
  } catch (error) {
    return undescribed(error);
  }
}

async function unknownTool(name: string, tools: Tools, state: State): Promise<CallFacts> {
  const names = (await tools.offered(state)).map((offered) => offered.name);
  return problem('unknown-tool', `There is no tool ${name}. The tools are: ${names.join(', ')}.`);
}

function problem(code: string, message: string): CallFacts {
  return { access: 'execute', repeat: 'never', order: 'parallel', runs: 'tool', problem: { code, message } };
}
