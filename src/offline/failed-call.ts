import type { CallResult, PlanEnd } from './plan.ts';

/** Explains a failed call to the person. `what` completes "… was not allowed". */
export function failedCall({ tool, outcome, text }: CallResult, what: string): PlanEnd {
  const reason = text.trim().slice(0, 1_500);
  switch (outcome) {
    case 'refused':
      return { ok: false, text: `**Not done:** ${what} was not allowed. ${reason}` };
    case 'withheld':
      return { ok: false, text: `**Not done:** ${what} was left out. ${reason}` };
    case 'cancelled':
      return { ok: false, text: `**Stopped:** ${what} was cancelled before it finished.` };
    case 'error':
    case 'success':
      return { ok: false, text: `**Failed:** ${reason === '' ? `\`${tool}\` gave no reason.` : reason}` };
  }
}
