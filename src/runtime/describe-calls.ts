import type { Call, CallFacts } from '../kernel/call.ts';
import type { CallId, SessionId } from '../kernel/ids.ts';
import type { Capabilities } from './capabilities.ts';
import type { EffectHost } from './effect-host.ts';

export interface RequestedCall {
  readonly id: string;
  readonly tool: string;
  readonly args: string;
  readonly after?: readonly string[];
  readonly priority?: number;
}

/** Works out the facts the gate judges by. A call whose facts cannot be had carries the problem and never runs. */
export async function describeCalls(
  calls: readonly RequestedCall[],
  host: EffectHost,
  capabilities: Pick<Capabilities, 'tools' | 'briefing'>,
  session: SessionId,
): Promise<readonly Call[]> {
  const { state } = host;
  const context = { session, agent: state.agent.name, cwd: state.cwd, roots: capabilities.briefing.roots(state) };
  return Promise.all(
    calls.map(async ({ id, tool, args, after, priority }): Promise<Call> => {
      const facts = await factsOf(tool, args, capabilities, host, context);
      return {
        id: id as CallId,
        tool,
        args,
        facts,
        ...(after !== undefined && { after: after as readonly CallId[] }),
        ...(priority !== undefined && { priority }),
      };
    }),
  );
}

async function factsOf(
  name: string,
  args: string,
  { tools }: Pick<Capabilities, 'tools'>,
  host: EffectHost,
  context: { session: SessionId; agent: string; cwd: string; roots: readonly string[] },
): Promise<CallFacts> {
  const tool = await tools.get(name, host.state);
  if (tool === undefined) {
    const known = (await tools.offered(host.state)).map((offered) => offered.name);
    return problem('unknown-tool', `There is no tool ${name}. The tools are: ${known.join(', ')}.`);
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(args === '' ? '{}' : args);
  } catch (error) {
    return problem(
      'invalid-arguments',
      `The arguments of ${name} are not valid JSON: ${(error as Error).message}.`,
    );
  }
  try {
    return await tool.describe(parsed, context);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return problem(
      'undescribed',
      `What ${name} would do could not be worked out (${message}), so it was not run.`,
    );
  }
}

function problem(code: string, message: string): CallFacts {
  return { access: 'execute', repeat: 'never', order: 'parallel', runs: 'tool', problem: { code, message } };
}
