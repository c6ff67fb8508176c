import type { Call } from '../../kernel/call.ts';
import { previewOf, type Body } from '../../kernel/content.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { ToolResult } from '../../kernel/outcome.ts';
import { oneLine } from '../../views/one-line.ts';
import { targetOf } from '../../views/refusals.ts';
import { callWords, commandResult, isLookup, mergedWords } from '../../wording/call-words.ts';
import { counted } from '../../wording/counted.ts';
import { durationText } from '../../wording/duration.ts';
import type { TonePaint } from '../../wording/terminal-style.ts';

/** A finished call as text, with its time apart: a terminal aligns it at the right. */
export interface CallLine {
  readonly text: string;
  readonly took: string;
}

export interface CallNews {
  /** Lookups that belong to one line, printed before the rest. */
  readonly before?: CallLine;
  readonly line?: CallLine;
  /** A message that must also appear in a pipe. */
  readonly warning?: string;
  /** The current activity. */
  readonly doing?: string;
}

export interface CallLog {
  saw(recorded: Recorded): CallNews;
  /** Lookups that wait for others of their kind. */
  flush(): CallLine | undefined;
  /** What the calls changed so far, such as `4 files +12 −6`. Empty if nothing. */
  changes(): string;
}

interface SeenCall {
  readonly tool: string;
  readonly args: Body;
  readonly target: string;
}

interface Lookup {
  readonly tool: string;
  readonly text: string;
  readonly ms: number;
}

/** Follows a session's events and reports in one line how each call ended. Consecutive lookups are one line. */
export function createCallLog(paint: TonePaint): CallLog {
  const calls = new Map<string, SeenCall>();
  const startedAt = new Map<string, number>();
  const changed = { files: new Set<string>(), added: 0, removed: 0 };
  let lookups: Lookup[] = [];

  const learn = ({ id, tool, args, facts }: Call) => {
    calls.set(id, { tool, args, target: oneLine(targetOf({ tool, args, facts })) });
  };

  function flush(): CallLine | undefined {
    const [only] = lookups;
    if (only === undefined) return undefined;
    const text = lookups.length === 1 ? only.text : mergedWords(lookups.map(({ tool }) => tool));
    const ms = lookups.reduce((sum, one) => sum + one.ms, 0);
    lookups = [];
    return { text: `${paint.good('✓')} ${text}`, took: durationText(ms) };
  }

  /** Ends the line of lookups. */
  function single(news: CallNews): CallNews {
    const before = flush();
    return before === undefined ? news : { before, ...news };
  }

  function settled(id: string, result: ToolResult, ms: number): CallNews {
    const { tool = 'call', args = '' } = calls.get(id) ?? {};
    const { kind, done, object, added, removed } = callWords(tool, previewOf(args));
    const counts = [added > 0 ? `+${added}` : '', removed > 0 ? `−${removed}` : ''].filter(Boolean).join(' ');
    const head = `${done} ${object}`.trimEnd();
    const took = durationText(ms);
    const said = (mark: string, ...parts: readonly string[]): CallLine => ({
      text: [`${mark} ${head}`, parts.filter((part) => part !== '').join('  ')].filter(Boolean).join('   '),
      took,
    });
    if (result.type === 'error')
      return single({ line: said(paint.bad('✗'), paint.bad(oneLine(previewOf(result.message)))) });
    if (result.type === 'cancelled') return single({ line: said(paint.quiet('■'), paint.quiet('stopped')) });
    const { text, isFailed } = commandResult(previewOf(result.output), result.data);
    if (isFailed) return single({ line: said(paint.bad('✗'), paint.bad(text)) });
    if (isLookup(tool)) {
      lookups.push({ tool, text: head, ms });
      return {};
    }
    if (kind === 'edit') {
      changed.files.add(object);
      changed.added += added;
      changed.removed += removed;
    }
    return single({ line: said(paint.good('✓'), counts, text) });
  }

  return {
    flush,
    changes() {
      const { files, added, removed } = changed;
      if (files.size === 0) return '';
      return [counted(files.size, 'file'), added > 0 ? `+${added}` : '', removed > 0 ? `−${removed}` : '']
        .filter(Boolean)
        .join(' ');
    },
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
        case 'job-intended': {
          startedAt.set(event.call, at);
          const { tool = 'call', args = '' } = calls.get(event.call) ?? {};
          const { doing, object } = callWords(tool, previewOf(args));
          return { doing: oneLine(`${doing} ${object}`) };
        }
        case 'tool-settled': {
          const { result, call, followUps = [] } = event;
          for (const one of followUps) learn(one);
          return settled(call, result, at - (startedAt.get(call) ?? at));
        }
        case 'call-refused': {
          const { tool = 'a call', args = '', target = '' } = calls.get(event.call) ?? {};
          const { object } = callWords(tool, previewOf(args));
          const line = {
            text: `${paint.bad('✗')} Refused ${object}   ${paint.bad(oneLine(event.reason))}`,
            took: '',
          };
          if (event.code !== 'policy') return single({ line });
          const warning = `Refused by policy: ${tool}${target === '' ? '' : ` (${target})`}. ${oneLine(event.reason)}`;
          return single({ line, warning });
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
