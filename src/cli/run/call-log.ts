import type { Call } from '../../kernel/call.ts';
import { previewOf } from '../../kernel/content.ts';
import type { Recorded } from '../../kernel/event.ts';
import { oneLine } from '../../views/one-line.ts';
import { targetOf } from '../../views/refusals.ts';
import { durationText } from '../../wording/duration.ts';
import type { Paint } from '../../wording/terminal-style.ts';

export interface CallNews {
  /** A finished call, for a terminal. */
  readonly line?: string;
  /** A message that must also appear in a pipe. */
  readonly warning?: string;
  /** The current activity. */
  readonly doing?: string;
}

/** Follows a session's events and reports in one line how each call ended and what the run waits for. */
export function createCallLog(paint: Paint): { saw(recorded: Recorded): CallNews } {
  const calls = new Map<string, { readonly name: string; readonly what: string }>();
  const startedAt = new Map<string, number>();

  const learn = (call: Call) => calls.set(call.id, { name: call.tool, what: oneLine(targetOf(call)) });
  const nameOf = (id: string) => {
    const { name, what } = calls.get(id) ?? { name: 'call', what: '' };
    return what === '' ? name : `${name} ${paint.quiet(what)}`;
  };
  const tookText = (id: string, at: number) => {
    const from = startedAt.get(id);
    return from === undefined ? '' : ` (${durationText(at - from)})`;
  };

  return {
    saw({ event, at }) {
      switch (event.type) {
        case 'prompt-received':
          if (event.request.type === 'task') for (const call of event.request.calls) learn(call);
          return {};
        case 'model-call-intended':
          return { doing: 'waiting for the model' };
        case 'model-settled':
          if (event.outcome.type === 'completed') for (const call of event.outcome.calls) learn(call);
          return {};
        case 'tool-run-intended':
        case 'job-intended':
          startedAt.set(event.call, at);
          return {
            doing:
              `running ${calls.get(event.call)?.name ?? 'a call'} ${calls.get(event.call)?.what ?? ''}`.trim(),
          };
        case 'tool-settled': {
          const { result, call, followUps = [] } = event;
          for (const one of followUps) learn(one);
          const took = tookText(call, at);
          if (result.type === 'success') return { line: `${paint.good('✓')} ${nameOf(call)}${took}` };
          const how = result.type === 'error' ? ` — ${oneLine(previewOf(result.message))}` : ' — cancelled';
          return { line: `${paint.bad('✗')} ${nameOf(call)}${how}${took}` };
        }
        case 'call-refused': {
          const { name = 'a call', what = '' } = calls.get(event.call) ?? {};
          const line = `${paint.bad('✗')} ${nameOf(event.call)} — ${oneLine(event.reason)}`;
          if (event.code !== 'policy') return { line };
          return {
            line,
            warning: `Refused by policy: ${name}${what === '' ? '' : ` (${what})`}. ${oneLine(event.reason)}`,
          };
        }
        case 'wait-intended':
          if (event.why === 'provider-reset') {
            return { doing: `waiting for the provider until ${new Date(event.until).toLocaleTimeString()}` };
          }
          return event.why === 'error-pause' ? { doing: 'pausing after an error' } : {};
        default:
          return {};
      }
    },
  };
}
