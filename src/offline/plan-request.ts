/**
 * Turns a request into a plan.
 *
 * 1. If every part of the request is a task, each is a step. Otherwise the steps that the rules are sure of, as far
 *    as understood; otherwise the request as a whole. No step is dropped silently.
 * 2. Steps run in order, and a failure stops them. "if it fails" runs only after a failure, "if it passes" only
 *    after a success.
 * 3. A request for a plan runs nothing.
 */
import type { OfflineRequest, RequestStep, Understood } from './offline-request.ts';
import { code, shortened } from './markdown.ts';
import { notUnderstood } from './not-understood.ts';
import { say, tell, type Plan, type PlanEnd } from './plan.ts';
import { serve, offlineSkills } from './skills.ts';
import { delegateWork } from './skills/delegate-work.ts';

export function planRequest(
  { whole, cuts, steps }: Understood,
  planned: (text: string) => Understood,
): Plan<PlanEnd> {
  const wish = wishForPlan(whole.words);
  if (wish !== undefined) return tell(planText(planned(wish)));
  const served = serve(whole);
  // "delegate: this and that" is one task; only a clearly separate step is another
  if (served?.skill === delegateWork && steps.length === 0) return served.plan;
  const cut = cuts.find((pieces) => pieces.every(({ request }) => serve(request) !== undefined));
  if (cut !== undefined) return runSteps(cut);
  const [first] = steps;
  const isPartly = first !== undefined && serve(first.request) !== undefined;
  // Serving the whole would silently drop the steps that aren't understood.
  if (isPartly && served?.skill.takesAll !== true) return runSteps(steps);
  return served?.plan ?? tell(notUnderstood(whole, offlineSkills));
}

function wishForPlan(words: string): string | undefined {
  return /^(?:(?:make|write|draft|give|show|create|propose)(?: me)? (?:an? |the |your )?plan\b|plan\b)(?:\s*:|\s+(?:to|for|how to)\b)?\s*([\s\S]+)$/i.exec(
    words,
  )?.[1];
}

function planText(understood: Understood): PlanEnd {
  const steps = understood.cuts[0] ?? [{ request: understood.whole, relation: 'sequential' as const }];
  const lines = steps.map(({ request, relation }, index) => {
    const served = serve(request);
    return `${index + 1}. ${conditionOf(relation)}${shortened(request.words, 100)} — ${served === undefined ? '**not understood**' : served.skill.name}`;
  });
  const missing = steps.filter(({ request }) => serve(request) === undefined).length;
  return {
    ok: missing === 0,
    text: [
      '**Plan** (nothing was run)',
      lines.join('\n'),
      missing === 0
        ? 'To carry it out, send the steps without “plan”.'
        : 'For what I did not understand you need a language model, or other words; `help` has more.',
    ].join('\n\n'),
  };
}

function conditionOf(relation: RequestStep['relation']): string {
  switch (relation) {
    case 'conditional':
      return 'if that went well: ';
    case 'fallback':
      return 'if that failed: ';
    case 'parallel':
    case 'sequential':
      return '';
  }
}

function* runSteps(steps: readonly RequestStep[]): Plan<PlanEnd> {
  let ok = true;
  let ran = 0;
  let unserved = false;
  for (const [index, { request, relation }] of steps.entries()) {
    const isLeftOut = relation === 'fallback' ? ok : relation !== 'parallel' && !ok;
    if (isLeftOut) {
      const left = steps.slice(index);
      if (ok || left.some((step) => step.relation === 'fallback')) continue;
      return {
        ok: false,
        ...(unserved && { unserved: true as const }),
        text: stoppedText(
          left.map((step) => step.request),
          ran,
        ),
      };
    }
    const served = serve(request);
    const end: PlanEnd = served === undefined ? notUnderstood(request, offlineSkills) : yield* served.plan;
    ran += 1;
    ok = end.ok;
    unserved ||= end.unserved === true;
    yield* say(`**Step ${index + 1} of ${steps.length}:** ${shortened(request.words, 100)}\n\n${end.text}`);
  }
  return {
    ok,
    ...(unserved && { unserved: true as const }),
    text: ok ? `Done: ${ran} of ${steps.length} steps.` : 'Stopped: the last step that ran did not succeed.',
  };
}

function stoppedText(left: readonly OfflineRequest[], ran: number): string {
  return `**Stopped after step ${ran}**, for it did not succeed. Not done: ${left.map(({ words }) => code(shortened(words, 60))).join(', ')}.`;
}
