/**
 * Compiles one turn from its intent: the text before the conversation, the tools it uses, and the rules at the
 * gate. Pure except for its cache. Equal requests give equal results.
 *
 * 1. `prefix` is equal for all turns of a session (same agent and tools). The variable part is in `suffix`.
 * 2. `tools` is a subset of the agent's own, and `rules` only ask or deny: compiling narrows and never widens.
 * 3. Dream mode, or a typed `/dream`, runs nothing at all.
 */
import { assistantPrompt } from '../../agents/assistant-prompt.ts';
import type { AgentDefinition } from '../../agents/agent-definition.ts';
import { optional } from '../../kernel/optional.ts';
import type { Rule } from '../../kernel/rule.ts';
import type { TokenBudget } from './budget.ts';
import { createPromptCompiler, type PromptManifest, type PromptRequest } from './compile-prompt.ts';
import { buildConfig, type TurnConfig } from './config-factory.ts';
import { narrowGate } from './gate-narrowing.ts';
import { placeIntent, type Placement } from './inline-or-isolated.ts';
import type { Intent } from '../words/intent.ts';
import { promptFrom, type IntentParts } from './intent-parts.ts';
import { shippedSources, type IntentSources } from './intent-sources.ts';
import type { ProjectFacts } from './project-facts.ts';
import type { PromptContext } from '../words/prompt-atom.ts';
import { routeIntent, type OperationalMode, type Routing } from '../routing/route.ts';
import { requestAllowance, turnRequestText } from './turn-request-block.ts';

export interface TurnRequest {
  readonly intent: Intent;
  readonly agent: Pick<AgentDefinition, 'prompt' | 'tools'>;
  /** Names of all tools of the session. */
  readonly tools: readonly string[];
  readonly budget: TokenBudget;
  readonly project?: ProjectFacts;
  readonly mode?: OperationalMode;
  readonly phase?: string;
}

export type CompiledTurn =
  | {
      readonly type: 'compiled';
      readonly prefix: string;
      readonly suffix: string;
      readonly manifest: () => PromptManifest;
      /** The tools of the turn. Shown in the suffix, enforced by `rules`. */
      readonly tools: readonly string[];
      readonly rules: readonly Rule[];
      readonly persona: string;
      readonly config: TurnConfig;
      readonly placement: Placement;
      readonly route: Routing;
    }
  | { readonly type: 'invalid'; readonly problem: string };

interface TurnCompiler {
  readonly sources: IntentSources;
  compileTurn(request: TurnRequest): CompiledTurn;
  readonly counts: () => { readonly hits: number; readonly misses: number; readonly kept: number };
}

export function createTurnCompiler(
  sources: IntentSources = shippedSources,
  { configFactory, promptCompiler }: Pick<IntentParts, 'configFactory' | 'promptCompiler'> = {},
): TurnCompiler {
  const { configs, atoms, routing } = sources;
  const prompts = createPromptCompiler(atoms);

  const compileTurn = (request: TurnRequest): CompiledTurn => {
    const { intent, agent, tools, budget } = request;
    const mode = modeOf(request);
    const dream = mode === 'dream';
    const route = routeIntent(routing, intent, mode);
    // The verdicts without the user's read-only words. They apply whatever allows the rest.
    const firm = intent.readOnly ? routeIntent(routing, { ...intent, readOnly: false }, mode) : route;
    const asked = [...new Set([intent.verb, ...intent.steps.map(({ verb }) => verb)])];
    const configWanted = { personas: route.serves, verbs: asked, access: agent.tools };
    const builtIn = () => buildConfig(configs, configWanted);
    const config = configFactory === undefined ? builtIn() : configFactory(configWanted, builtIn);
    const denied = new Set(route.deny);
    const own = tools.filter(
      (tool) => agent.tools === 'all' || (agent.tools !== 'none' && agent.tools.only.includes(tool)),
    );
    const used = dream ? [] : own.filter((tool) => config.tools.includes(tool) && !denied.has(tool));
    const leftOut = configFactory === undefined ? [] : own.filter((tool) => !config.tools.includes(tool));
    const wanted: PromptRequest = {
      context: contextOf(request, route.persona, mode),
      opening: agent.prompt === assistantPrompt ? '' : agent.prompt,
      tools: own,
      budget: { ...budget, fixed: (budget.fixed ?? 0) + requestAllowance },
    };
    const prompt =
      promptCompiler === undefined
        ? prompts.compile(wanted)
        : promptFrom(
            promptCompiler(wanted, () => prompts.compile(wanted)),
            wanted,
          );
    if (prompt.type === 'invalid') return prompt;
    const lines = turnRequestText({ intent, persona: route.persona, tools: used, dream });
    const suffix = `<turn>\n${[prompt.block, lines].filter((text) => text !== '').join('\n\n')}\n</turn>`;
    return {
      type: 'compiled',
      prefix: prompt.prefix,
      suffix,
      manifest: prompt.manifest,
      tools: used,
      rules: narrowGate({
        route: { deny: route.deny, ask: [...new Set([...route.ask, ...firm.ask, ...leftOut])] },
        firm: firm.deny,
        policies: config.policies,
        mode,
        tools,
        ...optional({ spared: intent.spared }),
        because: { readOnly: intent.readOnlyBecause, spared: intent.sparedBecause },
      }),
      persona: route.persona,
      config,
      placement: placeIntent(intent, mode),
      route,
    };
  };
  return { sources, compileTurn, counts: prompts.counts };
}

/** A merely hypothetical sentence is read-only. With a typed `/dream`, nothing runs. */
function modeOf({ intent, mode = 'active' }: TurnRequest): OperationalMode {
  return intent.verb === 'dream' && intent.by === 'typed' ? 'dream' : mode;
}

function contextOf(
  { intent, project, phase }: TurnRequest,
  persona: string,
  mode: OperationalMode,
): PromptContext {
  const isLarge = intent.confirm === 'mass-change';
  const states = [...(project?.worldStates ?? []), ...(isLarge ? ['large_refactor'] : [])];
  return {
    operational_mode: [mode],
    intent_verb: [...new Set([intent.verb, ...intent.steps.map(({ verb }) => verb)])],
    agent_type: [persona],
    language: project?.languages ?? [],
    framework: project?.frameworks ?? [],
    world_state: [...new Set(states)],
    ...(phase !== undefined && { phase: [phase] }),
  };
}
