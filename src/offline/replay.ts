/** Runs a plan over the results so far and returns the next reply. */
import type { Plan, CallResult, PlanEnd, WantedCall } from './plan.ts';

export interface OfflineReply {
  readonly text: string;
  readonly calls: readonly WantedCall[];
  readonly unserved?: true;
}

/** The calls of an earlier reply, with their results in the same order. */
export interface Round {
  readonly tools: readonly string[];
  readonly results: readonly CallResult[];
}

interface PlayOptions {
  readonly rounds: readonly Round[];
  /** Why a tool may not be called, or undefined. */
  readonly withheld: (tool: string) => string | undefined;
}

export function playPlan(plan: Plan<PlanEnd>, { rounds, withheld }: PlayOptions): OfflineReply {
  let unsaid: string[] = [];
  let played = 0;
  let step = plan.next([]);
  while (step.done !== true) {
    const want = step.value;
    if (want.type === 'say') {
      unsaid.push(want.text);
      step = plan.next([]);
      continue;
    }
    const held = want.calls.map(({ tool }) => heldBack(tool, withheld(tool)));
    const open = want.calls.filter((_, index) => held[index] === undefined);
    const round = rounds[played];
    if (open.length > 0 && round === undefined) return { text: joined(unsaid), calls: open };
    if (open.length > 0 && !isSame(open, round)) return { text: changedMind, calls: [] };
    const results = open.length > 0 ? [...(round?.results ?? [])] : [];
    if (open.length > 0) {
      played += 1;
      // The text before these calls was already sent with them.
      unsaid = [];
    }
    step = plan.next(held.flatMap((result) => result ?? results.shift() ?? []));
  }
  const { text, unserved } = step.value;
  return { text: joined([...unsaid, text]), calls: [], ...(unserved === true && { unserved }) };
}

const changedMind =
  'The calls of this turn are not the ones I would make now, perhaps because Rondo was updated in between. Please ask again.';

function heldBack(tool: string, reason: string | undefined): CallResult | undefined {
  return reason === undefined ? undefined : { tool, outcome: 'withheld', text: reason };
}

function isSame(calls: readonly WantedCall[], round: Round | undefined): boolean {
  return calls.length === round?.tools.length && calls.every(({ tool }, index) => tool === round.tools[index]);
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}
