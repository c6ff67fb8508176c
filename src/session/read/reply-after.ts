import type { Body } from '../../kernel/content.ts';
import type { Event } from '../../kernel/event.ts';

/** The agent's last text in the running turn, after one more event. Once the turn ends, it is the answer. */
export function replyAfter(texts: readonly Body[], event: Event): readonly Body[] {
  switch (event.type) {
    case 'turn-started':
      return [];
    case 'model-settled': {
      const { outcome } = event;
      if (outcome.type === 'completed') return [outcome.text];
      return outcome.partial === undefined ? texts : [outcome.partial];
    }
    case 'agent-reported':
      return event.report.type === 'message' ? [...texts, event.report.text] : texts;
    default:
      return texts;
  }
}
