/**
 * The data behind `/why`: how a turn was understood, which rules fired from which facts, and which atoms were
 * chosen or dropped.
 */
import type { CompiledTurn } from './turn/compile-turn.ts';
import type { ManifestEntry } from './turn/compile-prompt.ts';
import type { Proof } from './datalog/explain.ts';
import { proofToLines } from './datalog/explain.ts';
import type { Intent } from './words/intent.ts';
import { explainRoute } from './routing/route.ts';

export interface TurnExplanation {
  readonly intent: Intent;
  readonly persona: string;
  readonly verdicts: readonly Verdict[];
  readonly config: {
    readonly from: readonly string[];
    readonly fallback: boolean;
    readonly tools: readonly string[];
  };
  readonly chosen: readonly ManifestEntry[];
  readonly dropped: readonly ManifestEntry[];
  readonly tokens: number;
  readonly budget: number;
  readonly over: number;
  readonly hash: string;
}

interface Verdict {
  /** For example `persona coder` or `deny edit`. */
  readonly what: string;
  readonly proof: Proof;
}

export function explainTurn(intent: Intent, turn: Extract<CompiledTurn, { type: 'compiled' }>): TurnExplanation {
  const { route, config } = turn;
  const manifest = turn.manifest();
  const verdict = (what: string, proof: Proof | undefined): readonly Verdict[] =>
    proof === undefined ? [] : [{ what, proof }];
  return {
    intent,
    persona: turn.persona,
    verdicts: [
      ...verdict(`persona ${turn.persona}`, explainRoute(route, 'persona_of', turn.persona)),
      ...turn.tools.flatMap((tool) => verdict(`offer ${tool}`, explainRoute(route, 'offers', tool))),
      ...route.deny.flatMap((tool) => verdict(`deny ${tool}`, explainRoute(route, 'deny', tool))),
      ...route.ask.flatMap((tool) => verdict(`ask about ${tool}`, explainRoute(route, 'ask', tool))),
      ...config.policies.map(({ verdict: ruling, rule, unless }): Verdict => ({
        what: unless === undefined ? `${ruling} ${rule}` : `${ruling} ${rule} unless ${unless.join(' or ')}`,
        proof: { type: 'given', fact: `policy of ${config.from.join(', ')}` },
      })),
    ],
    config: { from: config.from, fallback: config.fallback, tools: turn.tools },
    chosen: manifest.atoms.filter(({ chosen }) => chosen),
    dropped: manifest.atoms.filter(({ chosen }) => !chosen),
    tokens: manifest.tokens,
    budget: manifest.budget,
    over: manifest.over,
    hash: manifest.hash,
  };
}

/** Formats the explanation as lines of text. */
export function explanationToLines(explained: TurnExplanation): readonly string[] {
  const { intent } = explained;
  return [
    `understood: ${intent.verb} (${intent.category}, confidence ${intent.confidence}, by ${intent.by})`,
    ...(intent.matched === undefined ? [] : [`because of: ${JSON.stringify(intent.matched)}`]),
    ...(intent.target === undefined ? [] : [`target: ${intent.target.text} (${intent.target.type})`]),
    ...Object.entries(intent.constraint ?? {}).map(([kind, text]) => `limit: ${kind} ${text}`),
    ...(intent.readOnly
      ? [
          `read-only: nothing may be changed${intent.readOnlyBecause === undefined ? '' : `, because of ${JSON.stringify(intent.readOnlyBecause)}`}`,
        ]
      : []),
    ...(intent.spared === undefined
      ? []
      : [`protected: ${intent.spared.join(', ')}, because of ${JSON.stringify(intent.sparedBecause)}`]),
    ...intent.steps.map(({ verb, relation, text }, index) => `step ${index + 1}: ${verb}, ${relation}: ${text}`),
    ...intent.ambiguity.map(({ verb, score }) => `also possible: ${verb} (${score})`),
    `config: ${explained.config.from.join(' + ')}${explained.config.fallback ? ' (fallback)' : ''}; tools ${explained.config.tools.join(', ')}`,
    // Offered tools are listed above. Only withheld ones need reasons.
    ...explained.verdicts
      .filter(({ what }) => !what.startsWith('offer '))
      .flatMap(({ what, proof }) => [what, ...proofToLines(proof, '  ')]),
    `prompt: ${explained.tokens} of ${explained.budget} tokens${explained.over > 0 ? `, ${explained.over} over` : ''}, ${explained.hash.slice(0, 12)}`,
    ...explained.chosen.map(({ id, form, tokens, reason }) => `+ ${id} (${form}, ${tokens} tokens, ${reason})`),
    ...[...Map.groupBy(explained.dropped, ({ reason }) => reason)].map(
      ([reason, atoms]) => `- ${reason}: ${atoms.map(({ id }) => id).join(', ')}`,
    ),
  ];
}
