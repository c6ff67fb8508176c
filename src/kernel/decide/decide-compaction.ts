/**
 * Summarizes the older part of the context with a model call, at a step boundary.
 *
 * 1. It runs on request, as its own turn, or before a model call once the context is full.
 * 2. It is tried once per step boundary; the turn then continues, whatever the result.
 * 3. A summary covers only what the effect read. Later events stay after the cut.
 */
import { budgetLeft } from '../budget.ts';
import { contextSize, isContextFull, type CompactionReason, type SummaryOutcome } from '../context.ts';
import { emit, want, type Draft, type Refusal } from './draft.ts';
import { endTurn, limitEnding } from './end-turn.ts';
import { seqOfEffect } from '../ids.ts';
import type { Input } from '../input.ts';
import { optional } from '../optional.ts';
import { turnOf, type Turn } from '../state.ts';

/** The token limit of a summary, far less than what it replaces. */
export const summaryTokens = 4096;

export function isCompactionDue({ state }: Draft, turn: Turn): boolean {
  return turn.compactedAt !== turn.steps && isContextFull(state.context, state.limits) && roomFor(state) > 0;
}

/** A requested turn: one compaction, whose end is the turn's end. */
export function takeCompactionTurn(draft: Draft, turn: Turn): void {
  const { limits } = draft.state;
  if (turn.agent.runs === 'external') {
    return endTurn(draft, { type: 'failed', code: 'compaction-failed', message: ownContext(turn.agent.name) });
  }
  if (limits.tokens !== undefined && roomFor(draft.state) <= 0) {
    return endTurn(draft, limitEnding('tokens', limits.tokens));
  }
  decideCompaction(draft, 'asked', turn);
}

export function decideCompaction(draft: Draft, why: CompactionReason, turn: Turn): void {
  const reserved = contextSize(draft.state.context) + summaryTokens;
  const effect = emit(draft, { type: 'compaction-intended', why, reserved });
  const { keep } = turn;
  want(draft, { type: 'summarise', effect, attempt: 1, why, ...optional({ keep }) });
}

export function decideSummarySettled(
  draft: Draft,
  input: Extract<Input, { type: 'summary-settled' }>,
): Refusal | undefined {
  const turn = turnOf(draft.state);
  const activity = turn?.activity;
  if (activity?.type !== 'compacting') return undefined;
  if (activity.effect !== input.effect || activity.attempt !== input.attempt) return undefined;
  const { effect, usage } = input;
  const isCancelling = draft.state.phase.type === 'cancelling';
  const outcome = isCancelling ? ({ type: 'cancelled' } as const) : checked(input.outcome, seqOfEffect(effect));
  emit(draft, { type: 'compaction-settled', effect, outcome, ...optional({ usage }) });
  if (isCancelling || turn === undefined) return undefined;
  if (outcome.type === 'cancelled') endTurn(draft, outcome);
  else if (turn.kind === 'compact') endTurn(draft, turnEnding(outcome));
  return undefined;
}

export function ownContext(agent: string): string {
  return `${agent} is an external agent and keeps its own context; Rondo can't summarize it.`;
}

/** A cut after the effect would lose events that arrived since. */
function checked(outcome: SummaryOutcome, intended: number): SummaryOutcome {
  const rest = 'rest' in outcome ? outcome.rest : undefined;
  if (rest === undefined || rest.from <= intended) return outcome;
  return { type: 'failed', message: `the summary would leave out events after ${intended}` };
}

function turnEnding(outcome: Exclude<SummaryOutcome, { type: 'cancelled' }>): Parameters<typeof endTurn>[1] {
  if (outcome.type !== 'failed') return { type: 'completed' };
  return { type: 'failed', code: 'compaction-failed', message: outcome.message };
}

function roomFor(state: Draft['state']): number {
  const { tokens } = budgetLeft(state);
  return tokens === undefined ? Number.POSITIVE_INFINITY : tokens - contextSize(state.context) - summaryTokens;
}
