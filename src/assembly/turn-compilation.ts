/** Turns compiled from what was asked: the intent when a prompt arrives, the prompt's text when a model is called. */
import type { AgentDefinition } from '../agents/agent-definition.ts';
import type { LoadedText } from '../agents/load-text.ts';
import { composeSystemPrompt } from '../agents/system-prompt.ts';
import type { EnvironmentFacts } from '../agents/environment-block.ts';
import { createTurnCompiler, type CompiledTurn, type TurnCompiler } from '../intent/compile-turn.ts';
import type { Intent } from '../intent/intent.ts';
import { readProjectFacts } from '../intent/project-facts.ts';
import { understand } from '../intent/transducer.ts';
import { Fault } from '../kernel/fault.ts';
import type { Rule } from '../kernel/rule.ts';

export interface Understood {
  readonly intent: Intent;
  readonly rules: readonly Rule[];
}

/**
 * What a prompt means, and what that narrows for its turn. An agent that is not compiled is narrowed only
 * where it was told to change nothing: a guessed verb must not get in a language model's way.
 */
export function understandPrompt(text: string, agent: AgentDefinition, tools: readonly string[]): Understood {
  const intent = understand(text);
  if (!agent.compile && !intent.readOnly && !isTypedDream(intent)) return { intent, rules: [] };
  const { rules } = compiled(intent, agent, tools);
  return { intent, rules: agent.compile ? rules : rules.filter(({ verdict }) => verdict === 'deny') };
}

/** The system text of a compiled turn: what is stable first, what this turn is about last. */
export async function compiledPrompt(
  agent: AgentDefinition,
  intent: Intent,
  tools: readonly string[],
  parts: {
    readonly root: string;
    readonly instructions: readonly LoadedText[];
    readonly resources: readonly LoadedText[];
    readonly environment: EnvironmentFacts;
  },
): Promise<string> {
  const { root, ...rest } = parts;
  const turn = compiled(intent, agent, tools, await readProjectFacts(root));
  return `${composeSystemPrompt({ agent: { prompt: turn.prefix }, ...rest })}\n\n${turn.suffix}`;
}

const promptTokens = 6000;
let compiler: TurnCompiler | undefined;

export function compiled(
  intent: Intent,
  agent: Pick<AgentDefinition, 'prompt' | 'tools'>,
  tools: readonly string[],
  project?: Awaited<ReturnType<typeof readProjectFacts>>,
): Extract<CompiledTurn, { type: 'compiled' }> {
  compiler ??= shippedCompiler();
  const turn = compiler.compileTurn({
    intent,
    agent,
    tools,
    budget: { total: promptTokens, reserve: 0 },
    ...(project !== undefined && { project }),
  });
  if (turn.type === 'compiled') return turn;
  throw new Fault('internal', `Compiling the turn: ${turn.problem}`);
}

function shippedCompiler(): TurnCompiler {
  const created = createTurnCompiler();
  if (created.type === 'created') return created.compiler;
  throw new Fault(
    'internal',
    `The shipped rules are unsound: ${created.problems.map(({ message }) => message).join('; ')}`,
  );
}

function isTypedDream({ verb, by }: Intent): boolean {
  return verb === 'dream' && by === 'typed';
}
