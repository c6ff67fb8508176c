import type { CallResult, PlanEnd } from './plan.ts';

/** Explains a failed call to the person. `what` completes "… was not allowed". */
export function failedCall({ tool, outcome, text }: CallResult, what: string): PlanEnd {
  const said = text.trim().slice(0, 1_500);
  switch (outcome) {
    case 'refused':
      return { ok: false, text: `**Not done:** ${what} was not allowed. ${said}` };
    case 'withheld':
      return { ok: false, text: `**Not done:** ${what} was left out. ${said}` };
    case 'cancelled':
      return { ok: false, text: `**Stopped:** ${what} was cancelled before it finished.` };
    case 'error':
    case 'success':
      return { ok: false, text: `**Failed:** ${said === '' ? `\`${tool}\` gave no reason.` : said}` };
  }
}
